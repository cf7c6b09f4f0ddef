//! Random kernels: what compiles, can't panic, and has one right result on every device.
//!
//! So no result depends on what Rust leaves open: NaN's bits, the sign of a zero that `min` gives, the order of updates. No float
//! remainder, no 16-bit floats.

mod casts;
mod expressions;
mod floats;
mod groups;
mod idioms;
mod integers;
mod iterators;
mod statements;

use super::random::Random;
use super::tree::{Body, Expr, FIRST, Form, Id, Kernel, ROW, THREAD, Ty};

/// A local array that expressions can read.
#[derive(Clone, Copy, Debug)]
struct Array {
    id: Id,
    ty: Ty,
    len: usize,
}

/// What makes kernels.
#[derive(Debug)]
pub(super) struct Generator {
    random: Random,
    next: Id,
    variables: Vec<(Id, Ty)>,
    arrays: Vec<Array>,
    /// Variables that may be assigned to.
    declared: Vec<Id>,
    /// Whether products of floats may meet sums: where nothing is contracted.
    has_products: bool,
    /// Nodes that may still be made: what keeps a tree small.
    budget: usize,
}

/// The kernel of a seed.
pub(super) fn kernel(seed: u64, has_products: bool) -> Kernel {
    let (variables, arrays, declared) = Default::default();
    let random = Random::new(seed);
    let mut generator =
        Generator { random, next: FIRST, variables, arrays, declared, has_products, budget: 0 };
    // The first numbers of neighbouring seeds are as different as any.
    if generator.random.percent(15) { generator.group() } else { Kernel::Threads(generator.threads()) }
}

impl Generator {
    /// A function of a thread.
    fn threads(&mut self) -> Body {
        self.begin(&[]);
        if self.random.percent(30) {
            // A form alone, of the inputs: nothing hides what is wrong in it.
            let results = (0..2).map(|_| self.plain_form()).collect();
            return Body { stmts: Vec::new(), results };
        }
        self.budget = *self.random.of(&[6, 10, 16, 24, 40, 60]);
        let stmts = if self.random.percent(40) { self.stmts() } else { Vec::new() };
        let mut results = Vec::new();
        for _ in 0..self.random.within(1, 2) {
            self.budget = self.budget.max(8);
            let ty = self.any_type();
            results.push(self.expr(ty, 5));
        }
        Body { stmts, results }
    }

    /// Forgets the last function's variables.
    fn begin(&mut self, more: &[(Id, Ty)]) {
        self.arrays.clear();
        self.variables = [&[(THREAD, Ty::Usize)], &ROW.map(|id| (id, Ty::U64))[..], more].concat();
    }

    fn fresh(&mut self) -> Id {
        self.next += 1;
        self.next - 1
    }

    /// Makes a part that sees more variables.
    fn with<R>(&mut self, more: &[(Id, Ty)], make: impl FnOnce(&mut Self) -> R) -> R {
        let known = self.variables.len();
        self.variables.extend_from_slice(more);
        let made = make(self);
        self.variables.truncate(known);
        made
    }

    /// Expressions of these types.
    fn kids(&mut self, types: &[Ty], depth: usize) -> Vec<Expr> {
        types.iter().map(|ty| self.expr(*ty, depth)).collect()
    }

    /// Expressions of these types, each of which sees more variables.
    fn kids_with(&mut self, kids: &[(Ty, &[(Id, Ty)])], depth: usize) -> Vec<Expr> {
        kids.iter().map(|(ty, more)| self.with(more, |g| g.expr(*ty, depth))).collect()
    }

    fn integer_type(&mut self) -> Ty {
        const OFTEN: [Ty; 4] = [Ty::U32, Ty::I32, Ty::U64, Ty::I64];
        match self.random.below(100) {
            0..68 => *self.random.of(&OFTEN),
            68..98 => *self.random.of(&Ty::INTEGERS),
            98 => Ty::U128,
            _ => Ty::I128,
        }
    }

    fn any_type(&mut self) -> Ty {
        match self.random.below(100) {
            0..74 => self.integer_type(),
            74..84 => Ty::F32,
            84..92 => Ty::F64,
            _ => Ty::Bool,
        }
    }

    /// An expression whose text binds variables.
    fn binding(ty: Ty, text: impl Into<String>, binds: Vec<Id>, kids: Vec<Expr>) -> Expr {
        Expr { ty, form: Form { binds, ..Form::new(text) }, kids }
    }
}
