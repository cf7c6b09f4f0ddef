//! Arithmetic of integers that wraps, saturates, is checked or guarded.

use crate::fuzz::generate::Generator;
use crate::fuzz::tree::{Expr, ROW, Ty};

impl Generator {
    pub(super) fn integer(&mut self, ty: Ty, depth: usize) -> Expr {
        match self.random.below(100) {
            0..22 => self.sum(ty, depth),
            22..34 => self.shift(ty, depth),
            34..46 => self.quotient(ty, depth),
            46..56 => self.converted(ty, depth),
            56..66 => {
                let value = self.expr(ty, depth);
                self.narrow(ty, value)
            }
            66..72 => self.of_one(ty, depth),
            72..79 => self.limited(ty, depth),
            79..83 => self.fold(ty, depth),
            _ => self.idiom(ty, depth),
        }
    }

    fn sum(&mut self, ty: Ty, depth: usize) -> Expr {
        let text = match self.random.below(12) {
            0 | 1 => "$0.wrapping_add($1)",
            2 | 3 => "$0.wrapping_sub($1)",
            4 | 5 => "$0.wrapping_mul($1)",
            6 => "($0 & $1)",
            7 => "($0 | $1)",
            8 => "($0 ^ $1)",
            9 => "($0 & !$1)",
            10 => "$0.min($1)",
            _ => "$0.max($1)",
        };
        Expr::new(ty, text, self.kids(&[ty, ty], depth))
    }

    fn shift(&mut self, ty: Ty, depth: usize) -> Expr {
        let bits = ty.bits();
        let most = bits - 1;
        let left = self.expr(ty, depth);
        let amount = *self.random.of(&[Ty::U32, Ty::U32, Ty::U64, Ty::U8, Ty::Usize]);
        let by = self.random.below(bits as usize);
        let way = *self.random.of(&["<<", ">>"]);
        let word = if way == "<<" { "shl" } else { "shr" };
        let text = match self.random.below(10) {
            0 => return Expr::new(ty, format!("($0 {way} {by})"), vec![left]),
            1 => {
                let turn = *self.random.of(&["rotate_left", "rotate_right"]);
                return Expr::new(ty, format!("$0.{turn}({by})"), vec![left]);
            }
            2 => {
                // Both halves of a shift: what a rotation or a double shift is made of.
                let (a, other) = (self.fresh(), (bits as usize - by) % bits as usize);
                let text = format!("{{ let $a = $0; ($a << {by}).wrapping_sub($a >> {other}) }}");
                return Self::binding(ty, text, vec![a], vec![left]);
            }
            3 => format!("($0 {way} ($1 & {most}))"),
            4 => format!("$0.unbounded_{word}($1 as u32)"),
            5 => format!("$0.wrapping_{word}($1 as u32)"),
            6 => format!("$0.checked_{word}($1 as u32).unwrap_or($2)"),
            7 => "$0.rotate_left($1 as u32 & 127)".to_owned(),
            _ => {
                let a = self.fresh();
                let text = format!(
                    "{{ let $a = $1; if $a < {bits} {{ $0.unbounded_{word}($a as u32) }} else {{ $2 }} }}"
                );
                let wide = if self.random.percent(60) { Ty::U64 } else { amount };
                let rest =
                    if self.random.percent(60) { self.small_constant(ty) } else { self.expr(ty, depth) };
                let kids = vec![left, self.expr(wide, depth), rest];
                return Self::binding(ty, text, vec![a], kids);
            }
        };
        // A `u8` can't be compared with 128, but it can be masked by 127.
        let mut kids = vec![left, self.expr(amount, depth)];
        if text.contains("$2") {
            kids.push(self.expr(ty, depth));
        }
        Expr::new(ty, text, kids)
    }

    pub(super) fn small_constant(&mut self, ty: Ty) -> Expr {
        let [zero, one] = ty.small();
        if self.random.percent(70) { zero } else { one }
    }

    fn quotient(&mut self, ty: Ty, depth: usize) -> Expr {
        let (a, b) = (self.fresh(), self.fresh());
        let word = *self.random.of(&["div", "div", "rem", "div_euclid", "rem_euclid"]);
        if self.random.percent(15) {
            // By a constant that is neither 0 nor -1.
            let by = self.random.word("3 7 10 15 25 100 2 16 127");
            let operator = self.random.word("/ %");
            return Expr::new(ty, format!("($0 {operator} {by})"), vec![self.expr(ty, depth)]);
        }
        if self.random.percent(15) {
            let kids = self.kids(&[ty, ty, ty], depth);
            return Expr::new(ty, format!("$0.checked_{word}($1).unwrap_or($2)"), kids);
        }
        let [dividend, divisor] = if self.random.percent(70) {
            let operands = [self.operand(ty, depth), self.operand(ty, depth)];
            let text = if self.random.percent(50) && ty.bits() >= 32 && !ty.is_signed() {
                format!("($0 & {})", self.random.word("0xff_ffff 0xff_ffff 0xffff 0x7f_ffff"))
            } else {
                let (bits, name) = (ty.bits(), ty.name());
                let by = if bits >= 64 { 32 } else { bits / 4 };
                format!("((($0 as i{bits}) << {by} >> {by}) as {name})")
            };
            operands.map(|operand| Expr::new(ty, text.clone(), vec![operand]))
        } else {
            [self.expr(ty, depth), self.expr(ty, depth)]
        };
        let word = *self.random.of(&["div", "rem", word]);
        let zero = self.small_constant(ty);
        let text =
            format!("{{ let ($a, $b) = ($0, $1); if $b == 0 {{ $2 }} else {{ $a.wrapping_{word}($b) }} }}");
        Self::binding(ty, text, vec![a, b], vec![dividend, divisor, zero])
    }

    /// An operand that is often the input itself, so that all of its special values come by.
    pub(super) fn operand(&mut self, ty: Ty, depth: usize) -> Expr {
        if self.random.percent(65) {
            return Expr::variable(Ty::U64, *self.random.of(&ROW)).cast_or_same(ty);
        }
        self.expr(ty, depth)
    }

    fn of_one(&mut self, ty: Ty, depth: usize) -> Expr {
        let name = ty.name();
        let text = match self.random.below(12) {
            0 => "(!$0)".to_owned(),
            1 => "$0.wrapping_neg()".to_owned(),
            2 => format!("($0.leading_zeros() as {name})"),
            3 => format!("($0.trailing_zeros() as {name})"),
            4 => format!("($0.count_ones() as {name})"),
            5 => "$0.swap_bytes()".to_owned(),
            6 => "$0.reverse_bits()".to_owned(),
            7 => format!("($0.leading_ones() as {name})"),
            8 if ty.is_signed() => "$0.wrapping_abs()".to_owned(),
            9 if ty.is_signed() => "$0.signum()".to_owned(),
            10 if ty.is_signed() => format!("($0.unsigned_abs() as {name})"),
            _ => format!("($0.to_le_bytes()[{}] as {name})", self.random.below(ty.bits() as usize / 8)),
        };
        Expr::new(ty, text, vec![self.expr(ty, depth)])
    }

    /// Arithmetic that saturates, is checked, or says that it overflowed.
    fn limited(&mut self, ty: Ty, depth: usize) -> Expr {
        let name = *self.random.of(&["add", "sub", "mul"]);
        let mut two = self.kids(&[ty, ty], depth);
        match self.random.below(6) {
            0 | 1 => Expr::new(ty, format!("$0.saturating_{name}($1)"), two),
            2 => {
                two.push(self.expr(ty, depth));
                Expr::new(ty, format!("$0.checked_{name}($1).unwrap_or($2)"), two)
            }
            3 => {
                let (a, b) = (self.fresh(), self.fresh());
                two.push(self.with(&[(a, ty), (b, Ty::Bool)], |g| g.expr(ty, depth)));
                let text =
                    format!("{{ let ($a, $b) = $0.overflowing_{name}($1); if $b {{ $2 }} else {{ $a }} }}");
                Self::binding(ty, text, vec![a, b], two)
            }
            4 => Expr::new(ty, format!("($0.abs_diff($1) as {})", ty.name()), two),
            _ => {
                let (low, high) = (self.random.within(1, 50), self.random.within(51, 120));
                Expr::new(ty, format!("$0.clamp({low}, {high}).wrapping_add($1)"), two)
            }
        }
    }
}
