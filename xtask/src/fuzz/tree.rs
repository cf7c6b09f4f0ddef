//! A kernel as a tree: what the generator makes, the reducer makes smaller, and a program is written from.
//!
//! A node's text has holes: `$0` to `$9` for its children, `$a` to `$d` for variables that it binds, `$A` to `$D` for variables
//! of the code around it. Variables have numbers of their own, so that a part can be moved without being renamed.

use std::collections::BTreeSet;
use std::fmt::Write;

/// A type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Ty {
    Bool,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
    I8,
    I16,
    I32,
    I64,
    I128,
    F32,
    F64,
}

impl Ty {
    pub(super) const INTEGERS: [Self; 9] =
        [Self::U8, Self::U16, Self::U32, Self::U64, Self::Usize, Self::I8, Self::I16, Self::I32, Self::I64];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::U128 => "u128",
            Self::Usize => "usize",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::I128 => "i128",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    pub(super) fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::U8 | Self::I8 => 8,
            Self::U16 | Self::I16 => 16,
            Self::U32 | Self::I32 | Self::F32 => 32,
            Self::U64 | Self::I64 | Self::F64 | Self::Usize => 64,
            Self::U128 | Self::I128 => 128,
        }
    }

    pub(super) fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::I128)
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    pub(super) fn is_integer(self) -> bool {
        !self.is_float() && self != Self::Bool
    }

    /// The unsigned type as wide.
    pub(super) fn unsigned(self) -> Self {
        match self {
            Self::I8 => Self::U8,
            Self::I16 => Self::U16,
            Self::I32 => Self::U32,
            Self::I64 => Self::U64,
            Self::I128 => Self::U128,
            other => other,
        }
    }

    /// The smallest constants: what a reducer puts in a value's place.
    pub(super) fn small(self) -> [Expr; 2] {
        let [zero, one] = match self {
            Self::Bool => ["false".to_owned(), "true".to_owned()],
            Self::F32 | Self::F64 => [format!("0.0_{}", self.name()), format!("1.0_{}", self.name())],
            _ => [format!("0_{}", self.name()), format!("1_{}", self.name())],
        };
        [Expr::constant(self, zero), Expr::constant(self, one)]
    }
}

/// A variable's number.
pub(super) type Id = u32;

/// Variables that a function begins with: the thread's number, the four numbers of its own, and of a group's pieces what the
/// thread has, what another has, and what all have.
pub(super) const THREAD: Id = 0;
pub(super) const ROW: [Id; 4] = [1, 2, 3, 4];
pub(super) const OWN: Id = 5;
pub(super) const OTHER: Id = 6;
pub(super) const COMMON: Id = 7;
/// Number of the generator's first variable.
pub(super) const FIRST: Id = 10;

/// A text with holes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    pub(super) text: String,
    pub(super) binds: Vec<Id>,
    pub(super) uses: Vec<Id>,
}

impl Form {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), binds: Vec::new(), uses: Vec::new() }
    }

    fn write(&self, kids: &[Expr], out: &mut String) {
        let mut rest = self.text.as_str();
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            let hole = rest.as_bytes().get(at + 1).copied().unwrap_or(b'$');
            rest = rest.get(at + 2..).unwrap_or("");
            match hole {
                b'0'..=b'9' => kids[usize::from(hole - b'0')].write(out),
                b'a'..=b'd' => variable(self.binds[usize::from(hole - b'a')], out),
                b'A'..=b'D' => variable(self.uses[usize::from(hole - b'A')], out),
                other => out.push(char::from(other)),
            }
        }
        out.push_str(rest);
    }
}

fn variable(id: Id, out: &mut String) {
    let name = match id {
        THREAD => "i",
        OWN => "own",
        OTHER => "other",
        COMMON => "common",
        _ => {
            _ = write!(out, "v{id}");
            return;
        }
    };
    out.push_str(name);
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Expr {
    pub(super) ty: Ty,
    pub(super) form: Form,
    pub(super) kids: Vec<Expr>,
}

impl Expr {
    pub(super) fn constant(ty: Ty, text: impl Into<String>) -> Self {
        Self { ty, form: Form::new(text), kids: Vec::new() }
    }

    pub(super) fn variable(ty: Ty, id: Id) -> Self {
        Self { ty, form: Form { text: "$A".into(), binds: Vec::new(), uses: vec![id] }, kids: Vec::new() }
    }

    pub(super) fn new(ty: Ty, text: impl Into<String>, kids: Vec<Self>) -> Self {
        Self { ty, form: Form::new(text), kids }
    }

    pub(super) fn cast(self, to: Ty) -> Option<Self> {
        if to == self.ty {
            return Some(self);
        }
        let text = match (self.ty, to) {
            (_, Ty::Bool) => return None,
            // Devices' compilers have no conversion between floats and 128 bits.
            _ if self.ty.is_float() && to.bits() == 128 || self.ty.bits() == 128 && to.is_float() => {
                return None;
            }
            (Ty::Bool, Ty::F32 | Ty::F64) => format!("($0 as u8 as {})", to.name()),
            _ => format!("($0 as {})", to.name()),
        };
        Some(Self::new(to, text, vec![self]))
    }

    pub(super) fn write(&self, out: &mut String) {
        let is_block = self.form.text.starts_with('{');
        out.push_str(if is_block { "(" } else { "" });
        self.form.write(&self.kids, out);
        out.push_str(if is_block { ")" } else { "" });
    }

    /// Size of the expression: nodes, and a little for long texts.
    pub(super) fn size(&self) -> usize {
        4 + self.form.text.len() / 8 + self.kids.iter().map(Self::size).sum::<usize>()
    }

    fn is_closed(&self, scope: &BTreeSet<Id>) -> bool {
        if !self.form.uses.iter().all(|id| scope.contains(id)) {
            return false;
        }
        if self.form.binds.is_empty() {
            return self.kids.iter().all(|kid| kid.is_closed(scope));
        }
        // Children before the first that sees the bound variables don't matter here: numbers are never used twice.
        let scope: BTreeSet<Id> = scope.iter().chain(&self.form.binds).copied().collect();
        self.kids.iter().all(|kid| kid.is_closed(&scope))
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stmt {
    /// `let mut v = value;`
    Let {
        id: Id,
        value: Expr,
    },
    /// `let mut v = [ … ];`; the value's type is that of an element.
    Array {
        id: Id,
        len: usize,
        value: Expr,
    },
    /// An assignment, or a call that changes something.
    Change {
        form: Form,
        kids: Vec<Expr>,
    },
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// `for v in range { … }`, of `usize`.
    For {
        id: Id,
        range: String,
        body: Vec<Stmt>,
    },
    /// `if condition { break }`, or `continue`.
    Exit {
        condition: Expr,
        word: &'static str,
    },
}

impl Stmt {
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Let { value, .. } | Self::Array { value, .. } => 4 + value.size(),
            Self::Change { kids, .. } => 6 + kids.iter().map(Expr::size).sum::<usize>(),
            Self::If { condition, then, otherwise } => 6 + condition.size() + sum(then) + sum(otherwise),
            Self::For { body, .. } => 8 + sum(body),
            Self::Exit { condition, .. } => 4 + condition.size(),
        }
    }

    fn write(&self, depth: usize, out: &mut String) {
        let margin = "    ".repeat(depth);
        out.push_str(&margin);
        match self {
            Self::Let { id, value } => {
                out.push_str("let mut ");
                variable(*id, out);
                _ = write!(out, ": {} = ", value.ty.name());
                value.write(out);
                out.push_str(";\n");
            }
            Self::Array { id, len, value } => {
                out.push_str("let mut ");
                variable(*id, out);
                _ = write!(out, ": [{}; {len}] = ", value.ty.name());
                value.write(out);
                out.push_str(";\n");
            }
            Self::Change { form, kids } => {
                form.write(kids, out);
                out.push('\n');
            }
            Self::If { condition, then, otherwise } => {
                out.push_str("if ");
                condition.write(out);
                out.push_str(" {\n");
                then.iter().for_each(|stmt| stmt.write(depth + 1, out));
                if !otherwise.is_empty() {
                    _ = writeln!(out, "{margin}}} else {{");
                    otherwise.iter().for_each(|stmt| stmt.write(depth + 1, out));
                }
                _ = writeln!(out, "{margin}}}");
            }
            Self::For { id, range, body } => {
                out.push_str("for ");
                variable(*id, out);
                _ = writeln!(out, " in {range} {{");
                body.iter().for_each(|stmt| stmt.write(depth + 1, out));
                _ = writeln!(out, "{margin}}}");
            }
            Self::Exit { condition, word } => {
                out.push_str("if ");
                condition.write(out);
                _ = writeln!(out, " {{ {word}; }}");
            }
        }
    }
}

fn sum(body: &[Stmt]) -> usize {
    body.iter().map(Stmt::size).sum()
}

/// What a function does: statements, then results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Body {
    pub(super) stmts: Vec<Stmt>,
    pub(super) results: Vec<Expr>,
}

impl Body {
    pub(super) fn size(&self) -> usize {
        sum(&self.stmts) + self.results.iter().map(Expr::size).sum::<usize>()
    }

    pub(super) fn write(&self, out: &mut String) {
        self.stmts.iter().for_each(|stmt| stmt.write(1, out));
    }

    /// Whether all variables are there where they are used, and jumps are in loops.
    pub(super) fn is_closed(&self, parameters: &[Id]) -> bool {
        let mut scope: BTreeSet<Id> = parameters.iter().copied().collect();
        are_closed(&self.stmts, &mut scope, false)
            && self.results.iter().all(|result| result.is_closed(&scope))
    }

    /// Whether any text has a variable in it.
    pub(super) fn mentions(&self, ids: &[Id]) -> bool {
        fn expr(e: &Expr, ids: &[Id]) -> bool {
            e.form.uses.iter().any(|id| ids.contains(id)) || e.kids.iter().any(|kid| expr(kid, ids))
        }
        fn stmt(s: &Stmt, ids: &[Id]) -> bool {
            match s {
                Stmt::Let { value, .. } | Stmt::Array { value, .. } => expr(value, ids),
                Stmt::Change { form, kids } => {
                    form.uses.iter().any(|id| ids.contains(id)) || kids.iter().any(|kid| expr(kid, ids))
                }
                Stmt::If { condition, then, otherwise } => {
                    expr(condition, ids) || then.iter().chain(otherwise).any(|s| stmt(s, ids))
                }
                Stmt::For { body, .. } => body.iter().any(|s| stmt(s, ids)),
                Stmt::Exit { condition, .. } => expr(condition, ids),
            }
        }
        self.stmts.iter().any(|s| stmt(s, ids)) || self.results.iter().any(|e| expr(e, ids))
    }
}

fn are_closed(stmts: &[Stmt], scope: &mut BTreeSet<Id>, in_loop: bool) -> bool {
    stmts.iter().all(|stmt| match stmt {
        Stmt::Let { id, value } | Stmt::Array { id, value, .. } => {
            let closed = value.is_closed(scope);
            scope.insert(*id);
            closed
        }
        Stmt::Change { form, kids } => {
            form.uses.iter().all(|id| scope.contains(id)) && kids.iter().all(|kid| kid.is_closed(scope))
        }
        Stmt::If { condition, then, otherwise } => {
            condition.is_closed(scope)
                && are_closed(then, &mut scope.clone(), in_loop)
                && are_closed(otherwise, &mut scope.clone(), in_loop)
        }
        Stmt::For { id, body, .. } => {
            let mut inner = scope.clone();
            inner.insert(*id);
            are_closed(body, &mut inner, true)
        }
        Stmt::Exit { condition, .. } => in_loop && condition.is_closed(scope),
    })
}

/// An operator that may be applied in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Combine {
    Add,
    Mul,
    And,
    Or,
    Xor,
    Min,
    Max,
}

impl Combine {
    pub(super) const ALL: [Self; 7] =
        [Self::Add, Self::Mul, Self::And, Self::Or, Self::Xor, Self::Min, Self::Max];

    /// A closure of two.
    pub(super) fn closure(self) -> &'static str {
        match self {
            Self::Add => "|a, b| a.wrapping_add(b)",
            Self::Mul => "|a, b| a.wrapping_mul(b)",
            Self::And => "|a, b| a & b",
            Self::Or => "|a, b| a | b",
            Self::Xor => "|a, b| a ^ b",
            Self::Min => "|a, b| a.min(b)",
            Self::Max => "|a, b| a.max(b)",
        }
    }

    /// The value that changes nothing.
    pub(super) fn neutral(self, ty: Ty) -> String {
        let name = ty.name();
        match self {
            Self::Add | Self::Or | Self::Xor => format!("0_{name}"),
            Self::Mul => format!("1_{name}"),
            Self::And => format!("!0_{name}"),
            Self::Min => format!("{name}::MAX"),
            Self::Max => format!("{name}::MIN"),
        }
    }

    /// The atomic function, where there is one.
    pub(super) fn atomic(self) -> Option<&'static str> {
        match self {
            Self::Add => Some("fetch_add"),
            Self::And => Some("fetch_and"),
            Self::Or => Some("fetch_or"),
            Self::Xor => Some("fetch_xor"),
            Self::Min => Some("fetch_min"),
            Self::Max => Some("fetch_max"),
            Self::Mul => None,
        }
    }
}

/// A step of a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stage {
    /// Each thread makes a new value of its own.
    Map(Body),
    /// Values go through workgroup memory, a row or a square of it, and each thread takes that of another.
    Exchange {
        square: bool,
        place: Body,
    },
    /// All threads' values become one that all have.
    Reduce(Combine),
    Scan {
        combine: Combine,
        exclusive: bool,
    },
    /// Values of the lane whose number has other bits, or that is so many before or behind: `xor`, `up`, `down`.
    Shuffle {
        kind: Shuffle,
        by: usize,
    },
    /// Threads update eight numbers of the group, at places of their choosing, then each takes one.
    Atomics {
        combine: Combine,
        place: Body,
    },
    /// How many threads' values are odd, which all then have.
    Count,
}

/// A way of values from lane to lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shuffle {
    Xor,
    Up,
    Down,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kernel {
    /// A function of each thread.
    Threads(Body),
    /// Steps of a group of 64, on values of one type.
    Group { ty: Ty, stages: Vec<Stage> },
}

impl Kernel {
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Threads(body) => body.size(),
            Self::Group { stages, .. } => {
                let size = |stage: &Stage| match stage {
                    Stage::Map(body) | Stage::Exchange { place: body, .. } => 10 + body.size(),
                    Stage::Atomics { place, .. } => 20 + place.size(),
                    _ => 10,
                };
                10 + stages.iter().map(size).sum::<usize>()
            }
        }
    }

    /// Whether the kernel would compile, as far as variables go.
    pub(super) fn is_closed(&self) -> bool {
        let own = [&[THREAD][..], &ROW].concat();
        match self {
            Self::Threads(body) => body.is_closed(&own),
            Self::Group { stages, .. } => {
                let all = [&own[..], &[OWN, OTHER, COMMON]].concat();
                stages.iter().all(|stage| match stage {
                    Stage::Map(body) | Stage::Exchange { place: body, .. } => body.is_closed(&all),
                    Stage::Atomics { place, .. } => place.is_closed(&all),
                    _ => true,
                })
            }
        }
    }
}
