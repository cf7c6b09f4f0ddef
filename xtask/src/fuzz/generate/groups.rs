//! Kernels of groups: phases, collectives, shuffles and atomics, on integers, so that no order matters.

use crate::fuzz::generate::Generator;
use crate::fuzz::tree::{Body, COMMON, Combine, Expr, Kernel, OTHER, OWN, Shuffle, Stage, Ty};

impl Generator {
    pub(super) fn group(&mut self) -> Kernel {
        let ty = *self.random.of(&[Ty::U32, Ty::U32, Ty::I32, Ty::U64, Ty::I64]);
        let mut stages = vec![Stage::Map(self.piece(ty, ty))];
        for _ in 0..self.random.within(1, 4) {
            let stage = self.stage(ty);
            stages.push(stage);
            if self.random.percent(50) {
                stages.push(Stage::Map(self.piece(ty, ty)));
            }
        }
        Kernel::Group { ty, stages }
    }

    fn stage(&mut self, ty: Ty) -> Stage {
        match self.random.below(12) {
            0..3 => Stage::Exchange { square: self.random.percent(50), place: self.piece(ty, Ty::Usize) },
            3 | 4 => Stage::Reduce(*self.random.of(&Combine::ALL)),
            5 | 6 => {
                Stage::Scan { combine: *self.random.of(&Combine::ALL), exclusive: self.random.percent(50) }
            }
            7..10 => {
                let kind = *self.random.of(&[Shuffle::Xor, Shuffle::Up, Shuffle::Down]);
                Stage::Shuffle { kind, by: self.random.within(1, 31) }
            }
            10 => {
                let combine = *self.random.of(&Combine::ALL);
                let combine = if combine.atomic().is_some() { combine } else { Combine::Add };
                Stage::Atomics { combine, place: self.piece(ty, Ty::Usize) }
            }
            _ => Stage::Count,
        }
    }

    /// A function of one result, which sees the thread's own value, another's, and what all have.
    fn piece(&mut self, ty: Ty, result: Ty) -> Body {
        self.begin(&[(OWN, ty), (OWN, ty), (OTHER, ty), (COMMON, ty)]);
        self.budget = *self.random.of(&[2, 6, 12, 20]);
        let stmts = if self.random.percent(20) { self.stmts() } else { Vec::new() };
        let value = self.expr(result, 3);
        // Whatever else it says, it depends on the value so far.
        let own = Expr::variable(ty, OWN);
        let text = if result == ty { "$0.wrapping_add($1)" } else { "$0.wrapping_add($1 as usize)" };
        Body { stmts, results: vec![Expr::new(result, text, vec![value, own])] }
    }
}
