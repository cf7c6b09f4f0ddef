//! Arithmetic of floats, with what Rust leaves open made one thing by the program's own functions.

use crate::fuzz::generate::Generator;
use crate::fuzz::tree::{Expr, Ty};

impl Generator {
    pub(super) fn float(&mut self, ty: Ty, depth: usize) -> Expr {
        let width = ty.bits();
        let two = |g: &mut Self| g.kids(&[ty, ty], depth);
        let (text, kids) = match self.random.below(20) {
            0 | 1 => ("($0 + $1)".to_owned(), two(self)),
            2 | 3 => ("($0 - $1)".to_owned(), two(self)),
            4 => ("(0.0 - $0)".to_owned(), vec![self.expr(ty, depth)]),
            5..8 if self.has_products => ("($0 * $1)".to_owned(), two(self)),
            8 | 9 => ("($0 / $1)".to_owned(), two(self)),
            10 => ("(-$0)".to_owned(), vec![self.expr(ty, depth)]),
            11 => ("$0.abs()".to_owned(), vec![self.expr(ty, depth)]),
            12 => (format!("min{width}($0, $1)"), two(self)),
            13 => (format!("max{width}($0, $1)"), two(self)),
            14 => (format!("sign{width}($0, $1)"), two(self)),
            15 => {
                let (a, kids) = (self.fresh(), two(self));
                let order = *self.random.of(&["<", ">", "<=", ">="]);
                let text = format!("{{ let $a = $0; if $a {order} 0.0 {{ -$a }} else {{ $1 }} }}");
                return Self::binding(ty, text, vec![a], kids);
            }
            16 if self.has_products => ("((0.0 - $0) * $1)".to_owned(), two(self)),
            _ => return self.converted(ty, depth),
        };
        Expr::new(ty, text, kids)
    }

    pub(super) fn comparison(&mut self, depth: usize) -> Expr {
        let ty = self.any_type();
        let integer = self.integer_type();
        let (text, kids) = match self.random.below(14) {
            0..5 => {
                let order = *self.random.of(&["<", ">", "<=", ">=", "==", "!="]);
                (format!("($0 {order} $1)"), self.kids(&[ty, ty], depth))
            }
            5 => ("(!$0)".to_owned(), vec![self.expr(Ty::Bool, depth)]),
            6..9 => {
                let operator = *self.random.of(&["&", "|", "^", "&&", "||", "==", "<"]);
                (format!("($0 {operator} $1)"), self.kids(&[Ty::Bool, Ty::Bool], depth))
            }
            9 => {
                let ty = *self.random.of(&[Ty::F32, Ty::F64]);
                let text = *self.random.of(&["$0.is_nan()", "$0.is_finite()", "$0.is_infinite()"]);
                (text.to_owned(), vec![self.expr(ty, depth)])
            }
            10 => {
                let name = *self.random.of(&["add", "sub", "mul"]);
                let text = *self.random.of(&["$0.overflowing_NAME($1).1", "$0.checked_NAME($1).is_none()"]);
                (text.replace("NAME", name), self.kids(&[integer, integer], depth))
            }
            11 => ("$0.is_power_of_two()".to_owned(), vec![self.expr(integer.unsigned(), depth)]),
            12 => {
                let by = self.random.below(integer.bits() as usize);
                (format!("(($0 >> {by}) & 1 != 0)"), vec![self.expr(integer, depth)])
            }
            _ => return self.converted(Ty::Bool, depth),
        };
        Expr::new(Ty::Bool, text, kids)
    }
}
