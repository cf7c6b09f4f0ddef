//! Statements: variables that loops carry, local arrays, sorts, branches and jumps.

use itertools::Itertools;

use crate::fuzz::generate::{Array, Generator};
use crate::fuzz::tree::{Expr, Form, Stmt, Ty};

impl Generator {
    /// The statements of a function.
    pub(super) fn stmts(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for _ in 0..self.random.within(1, 3) {
            self.declare(&mut stmts);
        }
        for _ in 0..self.random.within(0, 3) {
            self.act(&mut stmts, 2, false);
        }
        stmts
    }

    fn declare(&mut self, stmts: &mut Vec<Stmt>) {
        let id = self.fresh();
        if self.random.percent(35) {
            let ty = if self.random.percent(85) { self.integer_type() } else { Ty::F32 };
            let len = *self.random.of(&[2, 3, 4, 5, 8, 8, 9, 16, 21, 24, 32]);
            let place = self.fresh();
            let value = if len <= 5 {
                let kids = self.kids(&vec![ty; len], 2);
                Expr::new(ty, format!("[{}]", (0..len).map(|hole| format!("${hole}")).join(", ")), kids)
            } else if self.random.percent(20) {
                let value = self.expr(ty, 2);
                Expr::new(ty, format!("[$0; {len}]"), vec![value])
            } else {
                let value = self.with(&[(place, Ty::Usize)], |g| g.element(ty));
                Self::binding(ty, "core::array::from_fn(|$a: usize| $0)", vec![place], vec![value])
            };
            stmts.push(Stmt::Array { id, len, value });
            self.arrays.push(Array { id, ty, len });
        } else {
            let ty = self.any_type();
            let value = self.expr(ty, 3);
            stmts.push(Stmt::Let { id, value });
            self.declared.push(id);
            self.variables.push((id, ty));
        }
    }

    /// What an array's element begins with: different from place to place.
    fn element(&mut self, ty: Ty) -> Expr {
        let (id, _) = *self.random.of(&self.variables[self.variables.len() - 1..]);
        let place = Expr::variable(Ty::Usize, id);
        let value = self.expr(Ty::U32, 1);
        let text = *self.random.of(&[
            "$1.wrapping_mul(0x9e37_79b9).rotate_left($0 as u32 & 31)",
            "z[$0 & 63].wrapping_add($1)",
            "s[$0.wrapping_mul(7).wrapping_add($1 as usize) % s.len()]",
            "(b[$0 % b.len()] as u32 ^ $1)",
        ]);
        let value = Expr::new(Ty::U32, text, vec![place, value]);
        self.convert(value, ty)
    }

    fn act(&mut self, stmts: &mut Vec<Stmt>, depth: usize, in_loop: bool) {
        match self.random.below(10) {
            0..4 => self.change(stmts),
            4..6 if depth > 0 => self.loop_of(stmts, depth - 1),
            6 | 7 if depth > 0 => {
                let condition = self.expr(Ty::Bool, 2);
                let then = self.block(depth - 1, in_loop);
                let otherwise =
                    if self.random.percent(50) { self.block(depth - 1, in_loop) } else { Vec::new() };
                stmts.push(Stmt::If { condition, then, otherwise });
            }
            8 if in_loop => {
                let condition = self.expr(Ty::Bool, 2);
                let word = *self.random.of(&["break", "continue"]);
                stmts.push(Stmt::Exit { condition, word });
            }
            _ => self.change(stmts),
        }
    }

    fn block(&mut self, depth: usize, in_loop: bool) -> Vec<Stmt> {
        let (variables, arrays) = (self.variables.len(), self.arrays.len());
        let mut stmts = Vec::new();
        for _ in 0..self.random.within(1, 3) {
            self.act(&mut stmts, depth, in_loop);
        }
        self.variables.truncate(variables);
        self.arrays.truncate(arrays);
        stmts
    }

    fn loop_of(&mut self, stmts: &mut Vec<Stmt>, depth: usize) {
        let id = self.fresh();
        let times = self.random.within(2, 9);
        let range = match self.random.below(5) {
            0 => format!("(0..{times}_usize).rev()"),
            1 => format!("(1..{}_usize).step_by(2)", 2 * times),
            2 => format!("0..(i & 7) + {times}"),
            _ => format!("0..{times}_usize"),
        };
        let body = self.with(&[(id, Ty::Usize)], |g| g.block(depth, true));
        stmts.push(Stmt::For { id, range, body });
    }

    /// An assignment to a variable or an element, or something done to an array.
    fn change(&mut self, stmts: &mut Vec<Stmt>) {
        // Others are the function's parameters, loops' counters, or bound by an expression.
        let mutable: Vec<_> =
            self.variables.iter().filter(|(id, _)| self.declared.contains(id)).copied().collect();
        if !self.arrays.is_empty() && (mutable.is_empty() || self.random.percent(50)) {
            let array = *self.random.of(&self.arrays);
            stmts.push(self.change_array(array));
        } else if !mutable.is_empty() {
            let (id, ty) = *self.random.of(&mutable);
            let text = match ty {
                _ if self.random.percent(40) => "$A = $0;",
                Ty::Bool => "$A ^= $0;",
                Ty::F32 | Ty::F64 => "$A = $A - $0;",
                _ => *self.random.of(&[
                    "$A = $A.wrapping_add($0);",
                    "$A = $A.wrapping_mul($0);",
                    "$A ^= $0;",
                    "$A = $A.max($0);",
                    "$A = $A.rotate_left(3).wrapping_sub($0);",
                ]),
            };
            let value = self.expr(ty, 3);
            stmts.push(Stmt::Change { form: Form::using(text, vec![id]), kids: vec![value] });
        }
    }

    fn change_array(&mut self, array: Array) -> Stmt {
        let Array { id, ty, len } = array;
        let name = ty.name();
        let (text, kids) = match self.random.below(9) {
            0..4 => {
                let kids = self.kids(&[Ty::Usize, ty], 2);
                let text = if len.is_power_of_two() && self.random.percent(50) {
                    format!("$A[$0 & {}] = $1;", len - 1)
                } else {
                    format!("$A[$0 % {len}] = $1;")
                };
                (text, kids)
            }
            4 | 5 if ty.is_integer() => {
                let sorts = ["$A.sort_unstable();", "$A.sort_unstable_by(|p, q| q.cmp(p));"];
                (self.random.text(&sorts), Vec::new())
            }
            6 => ("$A.reverse();".to_owned(), Vec::new()),
            7 => {
                let kids = self.kids(&[Ty::Usize, Ty::Usize], 2);
                (format!("{{ let (p, q) = ($0 % {len}, $1 % {len}); $A.swap(p, q); }}"), kids)
            }
            _ if len >= 4 => {
                // Steps by a comparison and by its negation, to be written.
                let kids = self.kids(&[Ty::Usize, Ty::Bool, ty], 2);
                let text = format!(
                    "{{ let (p, less) = ($0 % {} + 1, $1); $A[p + 1 - less as usize] = $2; $A[p + 1 - !less as usize] = {}; }}",
                    len - 3,
                    if ty == Ty::Bool { "true".into() } else { format!("5 as {name}") }
                );
                (text, kids)
            }
            _ => {
                let text = "{ let value = $0; for e in $A.iter_mut() { *e = value; } }";
                (text.to_owned(), self.kids(&[ty], 2))
            }
        };
        Stmt::Change { form: Form::using(text, vec![id]), kids }
    }
}
