//! Expressions: leaves, choices, and reads of memory.

use itertools::Itertools;

use crate::fuzz::generate::{Array, Generator};
use crate::fuzz::tree::{Expr, Form, ROW, THREAD, Ty};

impl Generator {
    pub(super) fn expr(&mut self, ty: Ty, depth: usize) -> Expr {
        if depth == 0 || self.budget == 0 {
            return self.leaf(ty);
        }
        self.budget -= 1;
        let depth = depth - 1;
        match self.random.below(100) {
            0..8 => self.leaf(ty),
            8..14 => self.choice(ty, depth),
            14..18 => self.bound(ty, depth),
            18..23 => self.read(ty, depth),
            23..26 => self.option(ty, depth),
            _ => match ty {
                Ty::Bool => self.comparison(depth),
                Ty::F32 | Ty::F64 => self.float(ty, depth),
                _ => self.integer(ty, depth),
            },
        }
    }

    pub(super) fn leaf(&mut self, ty: Ty) -> Expr {
        if self.random.percent(35) {
            let known: Vec<_> = self.variables.iter().filter(|(_, known)| *known == ty).copied().collect();
            if !known.is_empty() {
                let (id, ty) = *self.random.of(&known);
                return Expr::variable(ty, id);
            }
        }
        if self.random.percent(20) { Expr::constant(ty, self.constant_text(ty)) } else { self.input(ty) }
    }

    /// A number of the thread's own, or of its neighbours'.
    fn input(&mut self, ty: Ty) -> Expr {
        let wide = if self.random.percent(92) {
            Expr::variable(Ty::U64, *self.random.of(&ROW))
        } else {
            let text = format!("x[($0 as usize) % x.len()][{}]", self.random.below(4));
            Expr::new(Ty::U64, text, vec![Expr::variable(Ty::Usize, THREAD)])
        };
        let name = ty.name();
        let text = match ty {
            Ty::Bool => self.random.text(&["($0 & 1 == 1)", "($0 >> 63 != 0)", "($0 == 0)"]),
            Ty::F32 => self.random.text(&[
                "f32::from_bits($0 as u32)",
                "f32::from_bits($0 as u32)",
                "f32::from_bits(($0 >> 32) as u32)",
                "($0 as i32 as f32)",
                "($0 as u8 as f32)",
            ]),
            Ty::F64 => self.random.text(&[
                "f64::from_bits($0)",
                "f64::from_bits($0)",
                "(f32::from_bits($0 as u32) as f64)",
                "($0 as i32 as f64)",
            ]),
            _ if self.random.percent(55) || ty.bits() < 32 => format!("($0 as {name})"),
            _ => return self.narrow(ty, wide),
        };
        Expr::new(ty, text, vec![wide])
    }

    /// A choice of one of several by a condition or a number.
    fn choice(&mut self, ty: Ty, depth: usize) -> Expr {
        match self.random.below(5) {
            0..3 => Expr::new(ty, "(if $0 { $1 } else { $2 })", self.kids(&[Ty::Bool, ty, ty], depth)),
            3 => {
                let key = self.narrow_integer();
                let kids = self.kids(&[key, ty, ty, ty], depth);
                let text = match self.random.below(3) {
                    0 => "(match $0 & 3 { 0 => $1, 1 => $2, _ => $3 })",
                    1 => "(match $0 { 0 => $1, 1..=100 => $2, _ => $3 })",
                    _ => "(match $0 & 15 { 1 | 7 | 9 => $1, 2..=5 => $2, _ => $3 })",
                };
                Expr::new(ty, text, kids)
            }
            _ => {
                let (a, b, c) = (self.fresh(), self.fresh(), self.fresh());
                let mut kids = self.kids(&[Ty::U32, Ty::U32, Ty::I64, ty], depth);
                kids.extend(
                    self.kids_with(&[(ty, &[(a, Ty::U32)]), (ty, &[(b, Ty::I64), (c, Ty::U32)])], depth),
                );
                let text = "(match shape($0, $1, $2) { Shape::Point => $3, Shape::Line($a) => $4, Shape::Box { far: $b, near: $c } => $5 })";
                Self::binding(ty, text, vec![a, b, c], kids)
            }
        }
    }

    /// A value with a name, a pair, or a struct.
    fn bound(&mut self, ty: Ty, depth: usize) -> Expr {
        let (first, second) = (self.any_type(), self.any_type());
        let (a, b) = (self.fresh(), self.fresh());
        match self.random.below(3) {
            0 => {
                let kids = self.kids_with(&[(first, &[]), (ty, &[(a, first)])], depth);
                Self::binding(ty, "{ let $a = $0; $1 }", vec![a], kids)
            }
            1 => {
                let kids = [(first, &[][..]), (second, &[]), (ty, &[(a, first), (b, second)])];
                let kids = self.kids_with(&kids, depth);
                Self::binding(ty, "{ let ($a, $b) = ($0, $1); $2 }", vec![a, b], kids)
            }
            _ => {
                let mut kids = self.kids(&[Ty::U8, Ty::I16, Ty::U64, Ty::Bool], depth);
                kids.extend(self.kids_with(&[(ty, &[(a, Ty::U64), (b, Ty::I16)])], depth));
                let text = "{ let p = Part { small: $0, middle: $1, large: $2 }; let Part { small: _, middle: $b, large: $a } = p.turned($3); $4 }";
                Self::binding(ty, text, vec![a, b], kids)
            }
        }
    }

    /// An option and what becomes of it.
    fn option(&mut self, ty: Ty, depth: usize) -> Expr {
        let inner = self.any_type();
        let a = self.fresh();
        let (none, own, number) = (&[][..], &[(a, inner)][..], &[(a, Ty::U32)][..]);
        let (text, kids) = match self.random.below(4) {
            0 => (
                "($0.then(|| $1).map(|$a| $2).unwrap_or($3))",
                vec![(Ty::Bool, none), (inner, none), (ty, own), (ty, none)],
            ),
            1 => (
                "(Some($0).filter(|&$a| $1).map_or($3, |_| $2))",
                vec![(inner, none), (Ty::Bool, own), (ty, none), (ty, none)],
            ),
            2 => (
                "($0.then_some($1).and_then(|$a| if $2 { Some($3) } else { None }).unwrap_or_else(|| $4))",
                vec![(Ty::Bool, none), (inner, none), (Ty::Bool, own), (ty, own), (ty, none)],
            ),
            _ => (
                "(if let Some(&$a) = s.get($0) { $1 } else { $2 })",
                vec![(Ty::Usize, none), (ty, number), (ty, none)],
            ),
        };
        let kids = self.kids_with(&kids, depth);
        Self::binding(ty, text, vec![a], kids)
    }

    /// A read of memory at a place that is worked out.
    fn read(&mut self, ty: Ty, depth: usize) -> Expr {
        let arrays: Vec<Array> = self.arrays.iter().filter(|array| array.ty == ty).copied().collect();
        if !arrays.is_empty() && self.random.percent(70) {
            let array = *self.random.of(&arrays);
            return self.read_of(array, depth);
        }
        if ty.is_integer() && self.random.percent(30) {
            let place = self.narrow_integer();
            let place = self.expr(place, depth);
            let list = (0..8).map(|_| self.constant_text(ty)).join(", ");
            let text = format!("{{ const TABLE: [{}; 8] = [{list}]; TABLE[($0 & 7) as usize] }}", ty.name());
            return Expr::new(ty, text, vec![place]);
        }
        let place = self.expr(Ty::Usize, depth);
        let (from, text) = *self.random.of(&[
            (Ty::U64, "x[$0 % x.len()][1]"),
            (Ty::U32, "s[$0 % s.len()]"),
            (Ty::U8, "b[$0 % b.len()]"),
            (Ty::U32, "z[$0 & 63]"),
            (Ty::U32, "z[$0 % 61 + 3]"),
        ]);
        let read = Expr::new(from, text, vec![place]);
        self.convert(read, ty)
    }

    /// An element of a local array.
    pub(super) fn read_of(&mut self, array: Array, depth: usize) -> Expr {
        let ty = if self.random.percent(60) { Ty::Usize } else { self.narrow_integer().unsigned() };
        let place = self.expr(ty, depth);
        let len = array.len;
        // A `u8` has no constant of more than 255, and lengths are smaller.
        let text = if len.is_power_of_two() && self.random.percent(60) {
            format!("$A[($0 & {}) as usize]", len - 1)
        } else {
            format!("$A[($0 % {len}) as usize]")
        };
        Expr { ty: array.ty, form: Form::using(text, vec![array.id]), kids: vec![place] }
    }

    /// A type that a `match` or an index can be of.
    pub(super) fn narrow_integer(&mut self) -> Ty {
        *self.random.of(&[Ty::U8, Ty::U32, Ty::U32, Ty::Usize, Ty::U16])
    }
}
