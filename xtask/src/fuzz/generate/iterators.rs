//! Folds over ranges, memory and local arrays.

use crate::fuzz::generate::Generator;
use crate::fuzz::tree::{Expr, Ty};

impl Generator {
    /// A fold. Its closure sees the value so far, and an item.
    pub(super) fn fold(&mut self, ty: Ty, depth: usize) -> Expr {
        let (a, b) = (self.fresh(), self.fresh());
        let times = self.random.within(2, 12);
        let first = self.random.below(20);
        let arrays: Vec<_> = self.arrays.iter().filter(|array| array.ty != Ty::Bool).copied().collect();
        let (from, item) = match self.random.below(9) {
            0 => (format!("(0..{times}_u32)"), Ty::U32),
            1 => (format!("(0..{times}_usize).rev()"), Ty::Usize),
            2 => (format!("(1_u64..{}).step_by(3)", times * 3), Ty::U64),
            3 => (format!("z[{first}..{}].iter().copied()", first + times), Ty::U32),
            4 => {
                (format!("z.iter().zip(b).skip({first}).take({times}).map(|(p, q)| *p ^ *q as u32)"), Ty::U32)
            }
            5 => ("z.chunks(8).map(|c| c[1].wrapping_add(c[6]))".to_owned(), Ty::U32),
            6 => (
                format!("z[{first}..{}].windows(3).map(|w| w[0].wrapping_mul(3) ^ w[2])", first + times + 2),
                Ty::U32,
            ),
            7 => {
                let kid = self.expr(Ty::Usize, depth);
                let mut kids = self.kids_with(&[(ty, &[]), (ty, &[(a, ty), (b, Ty::U8)])], depth);
                kids.push(kid);
                let text = format!("b.iter().skip($2 % 16).take({times}).fold($0, |$a, &$b| $1)");
                return Self::binding(ty, text, vec![a, b], kids);
            }
            _ if !arrays.is_empty() => {
                let array = *self.random.of(&arrays);
                let kids = self.kids_with(&[(ty, &[]), (ty, &[(a, ty), (b, array.ty)])], depth);
                let mut fold = Self::binding(ty, "$A.iter().fold($0, |$a, &$b| $1)", vec![a, b], kids);
                fold.form.uses.push(array.id);
                return fold;
            }
            _ => (format!("s.iter().copied().take({times})"), Ty::U32),
        };
        let kids = self.kids_with(&[(ty, &[]), (ty, &[(a, ty), (b, item)])], depth);
        Self::binding(ty, format!("{from}.fold($0, |$a, $b| $1)"), vec![a, b], kids)
    }
}
