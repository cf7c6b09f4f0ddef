//! A kernel as a tree: what the generator makes, the reducer makes smaller, and a program is written from.
//!
//! A node's text has holes: `$0` to `$9` for its children, `$a` to `$d` for variables that it binds, `$A` to `$D` for variables
//! of the code around it. Variables have numbers of their own, so that a part can be moved without being renamed.

use std::collections::BTreeSet;
use std::fmt;

macro_rules! types {
    ($($ty:ident $name:literal $bits:literal),+) => {
        /// A type of a value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(super) enum Ty {
            $($ty),+
        }

        impl Ty {
            pub(super) fn name(self) -> &'static str {
                match self { $(Self::$ty => $name),+ }
            }

            pub(super) fn bits(self) -> u32 {
                match self { $(Self::$ty => $bits),+ }
            }
        }
    };
}

types! {
    Bool "bool" 1, U8 "u8" 8, U16 "u16" 16, U32 "u32" 32, U64 "u64" 64, U128 "u128" 128, Usize "usize" 64,
    I8 "i8" 8, I16 "i16" 16, I32 "i32" 32, I64 "i64" 64, I128 "i128" 128, F32 "f32" 32, F64 "f64" 64
}

impl Ty {
    pub(super) const INTEGERS: [Self; 9] =
        [Self::U8, Self::U16, Self::U32, Self::U64, Self::Usize, Self::I8, Self::I16, Self::I32, Self::I64];

    pub(super) fn is_signed(self) -> bool {
        self.name().starts_with('i')
    }

    pub(super) fn is_float(self) -> bool {
        self.name().starts_with('f')
    }

    pub(super) fn is_integer(self) -> bool {
        !self.is_float() && self != Self::Bool
    }

    /// The unsigned type as wide.
    pub(super) fn unsigned(self) -> Self {
        let mut unsigned = [Self::U8, Self::U16, Self::U32, Self::U64, Self::U128].into_iter();
        unsigned.find(|ty| self.is_signed() && ty.bits() == self.bits()).unwrap_or(self)
    }

    /// The smallest constants: what a reducer puts in a value's place.
    pub(super) fn small(self) -> [Expr; 2] {
        let texts = match self {
            Self::Bool => ["false", "true"].map(str::to_owned),
            _ if self.is_float() => ["0.0", "1.0"].map(|number| format!("{number}_{}", self.name())),
            _ => ["0", "1"].map(|number| format!("{number}_{}", self.name())),
        };
        texts.map(|text| Expr::constant(self, text))
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

    /// A text that uses variables of the code around it.
    pub(super) fn using(text: impl Into<String>, uses: Vec<Id>) -> Self {
        Self { uses, ..Self::new(text) }
    }

    /// The text with these children in its holes.
    fn filled(&self, kids: &[Expr]) -> String {
        let mut parts = self.text.split('$');
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let mut rest = part.chars();
            let hole = rest.next().unwrap_or('$');
            let at = |first: char| hole as usize - first as usize;
            out += &match hole {
                '0'..='9' => kids[at('0')].to_string(),
                'a'..='d' => variable(self.binds[at('a')]),
                'A'..='D' => variable(self.uses[at('A')]),
                other => other.to_string(),
            };
            out += rest.as_str();
        }
        out
    }
}

fn variable(id: Id) -> String {
    match id {
        THREAD => "i".into(),
        OWN => "own".into(),
        OTHER => "other".into(),
        COMMON => "common".into(),
        _ => format!("v{id}"),
    }
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
        Self { ty, form: Form::using("$A", vec![id]), kids: Vec::new() }
    }

    pub(super) fn new(ty: Ty, text: impl Into<String>, kids: Vec<Self>) -> Self {
        Self { ty, form: Form::new(text), kids }
    }

    pub(super) fn cast(self, to: Ty) -> Option<Self> {
        if to == self.ty {
            return Some(self);
        }
        // Devices' compilers have no conversion between floats and 128 bits.
        let is_left_out = |from: Ty, to: Ty| from.is_float() && to.bits() == 128;
        if to == Ty::Bool || is_left_out(self.ty, to) || is_left_out(to, self.ty) {
            return None;
        }
        let by = if self.ty == Ty::Bool && to.is_float() { " as u8" } else { "" };
        Some(Self::new(to, format!("($0{by} as {})", to.name()), vec![self]))
    }

    /// The value as another type, or itself where there is no such cast.
    pub(super) fn cast_or_same(self, to: Ty) -> Self {
        self.clone().cast(to).unwrap_or(self)
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

    fn mentions(&self, ids: &[Id]) -> bool {
        self.form.uses.iter().any(|id| ids.contains(id)) || self.kids.iter().any(|kid| kid.mentions(ids))
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.form.filled(&self.kids);
        if self.form.text.starts_with('{') { write!(f, "({text})") } else { f.write_str(&text) }
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stmt {
    /// `let mut v = value;`
    Let { id: Id, value: Expr },
    /// `let mut v = [ … ];`; the value's type is that of an element.
    Array { id: Id, len: usize, value: Expr },
    /// An assignment, or a call that changes something.
    Change { form: Form, kids: Vec<Expr> },
    /// `if condition { then } else { otherwise }`
    If { condition: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt> },
    /// `for v in range { … }`, of `usize`.
    For { id: Id, range: String, body: Vec<Stmt> },
    /// `if condition { break }`, or `continue`.
    Exit { condition: Expr, word: &'static str },
}

impl Stmt {
    /// The expressions and the statements right in it.
    fn parts(&self) -> (&[Expr], Vec<&Stmt>) {
        use std::slice::from_ref;
        match self {
            Self::Let { value, .. } | Self::Array { value, .. } => (from_ref(value), Vec::new()),
            Self::Change { kids, .. } => (kids, Vec::new()),
            Self::If { condition, then, otherwise } => {
                (from_ref(condition), then.iter().chain(otherwise).collect())
            }
            Self::For { body, .. } => (&[], body.iter().collect()),
            Self::Exit { condition, .. } => (from_ref(condition), Vec::new()),
        }
    }

    pub(super) fn size(&self) -> usize {
        let own = match self {
            Self::Let { .. } | Self::Array { .. } | Self::Exit { .. } => 4,
            Self::Change { .. } | Self::If { .. } => 6,
            Self::For { .. } => 8,
        };
        let (exprs, stmts) = self.parts();
        own + exprs.iter().map(Expr::size).sum::<usize>() + stmts.into_iter().map(Self::size).sum::<usize>()
    }

    /// Whether one of these variables is changed.
    pub(super) fn changes(&self, ids: &[Id]) -> bool {
        matches!(self, Self::Change { form, .. } if form.uses.iter().any(|id| ids.contains(id)))
            || self.parts().1.iter().any(|stmt| stmt.changes(ids))
    }

    fn mentions(&self, ids: &[Id]) -> bool {
        let (exprs, stmts) = self.parts();
        self.changes(ids)
            || exprs.iter().any(|expr| expr.mentions(ids))
            || stmts.iter().any(|stmt| stmt.mentions(ids))
    }

    fn text(&self, depth: usize) -> String {
        let margin = "    ".repeat(depth);
        let block = |stmts: &[Self]| stmts.iter().map(|stmt| stmt.text(depth + 1)).collect::<String>();
        let text = match self {
            Self::Let { id, value } => {
                format!("let mut {}: {} = {value};", variable(*id), value.ty.name())
            }
            Self::Array { id, len, value } => {
                format!("let mut {}: [{}; {len}] = {value};", variable(*id), value.ty.name())
            }
            Self::Change { form, kids } => form.filled(kids),
            Self::If { condition, then, otherwise } if otherwise.is_empty() => {
                format!("if {condition} {{\n{}{margin}}}", block(then))
            }
            Self::If { condition, then, otherwise } => {
                let (then, otherwise) = (block(then), block(otherwise));
                format!("if {condition} {{\n{then}{margin}}} else {{\n{otherwise}{margin}}}")
            }
            Self::For { id, range, body } => {
                format!("for {} in {range} {{\n{}{margin}}}", variable(*id), block(body))
            }
            Self::Exit { condition, word } => format!("if {condition} {{ {word}; }}"),
        };
        format!("{margin}{text}\n")
    }
}

/// What a function does: statements, then results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Body {
    pub(super) stmts: Vec<Stmt>,
    pub(super) results: Vec<Expr>,
}

impl Body {
    pub(super) fn size(&self) -> usize {
        let stmts = self.stmts.iter().map(Stmt::size).sum::<usize>();
        stmts + self.results.iter().map(Expr::size).sum::<usize>()
    }

    /// The statements' text.
    pub(super) fn text(&self) -> String {
        self.stmts.iter().map(|stmt| stmt.text(1)).collect()
    }

    /// Whether all variables are there where they are used, and jumps are in loops.
    pub(super) fn is_closed(&self, parameters: &[Id]) -> bool {
        let mut scope: BTreeSet<Id> = parameters.iter().copied().collect();
        are_closed(&self.stmts, &mut scope, false)
            && self.results.iter().all(|result| result.is_closed(&scope))
    }

    /// Whether any text has a variable in it.
    pub(super) fn mentions(&self, ids: &[Id]) -> bool {
        self.stmts.iter().any(|stmt| stmt.mentions(ids)) || self.results.iter().any(|expr| expr.mentions(ids))
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

    /// A closure of two, the value of a type `T` that changes nothing, and the atomic function, where there is one.
    fn facts(self) -> (&'static str, &'static str, Option<&'static str>) {
        match self {
            Self::Add => ("|a, b| a.wrapping_add(b)", "0_T", Some("fetch_add")),
            Self::Mul => ("|a, b| a.wrapping_mul(b)", "1_T", None),
            Self::And => ("|a, b| a & b", "!0_T", Some("fetch_and")),
            Self::Or => ("|a, b| a | b", "0_T", Some("fetch_or")),
            Self::Xor => ("|a, b| a ^ b", "0_T", Some("fetch_xor")),
            Self::Min => ("|a, b| a.min(b)", "T::MAX", Some("fetch_min")),
            Self::Max => ("|a, b| a.max(b)", "T::MIN", Some("fetch_max")),
        }
    }

    pub(super) fn closure(self) -> &'static str {
        self.facts().0
    }

    pub(super) fn neutral(self, ty: Ty) -> String {
        self.facts().1.replace('T', ty.name())
    }

    pub(super) fn atomic(self) -> Option<&'static str> {
        self.facts().2
    }
}

/// A step of a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stage {
    /// Each thread makes a new value of its own.
    Map(Body),
    /// Values go through workgroup memory, a row or a square of it, and each thread takes that of another.
    Exchange { square: bool, place: Body },
    /// All threads' values become one that all have.
    Reduce(Combine),
    /// Each thread has the values of those before it as one, with its own or without.
    Scan { combine: Combine, exclusive: bool },
    /// Values of the lane whose number has other bits, or that is so many before or behind: `xor`, `up`, `down`.
    Shuffle { kind: Shuffle, by: usize },
    /// Threads update eight numbers of the group, at places of their choosing, then each takes one.
    Atomics { combine: Combine, place: Body },
    /// How many threads' values are odd, which all then have.
    Count,
}

impl Stage {
    /// The function that the stage has, if it has one.
    pub(super) fn body(&self) -> Option<&Body> {
        match self {
            Self::Map(body) | Self::Exchange { place: body, .. } | Self::Atomics { place: body, .. } => {
                Some(body)
            }
            _ => None,
        }
    }

    /// The stage with another function.
    pub(super) fn with_body(&self, new: Body) -> Self {
        let mut stage = self.clone();
        if let Self::Map(body) | Self::Exchange { place: body, .. } | Self::Atomics { place: body, .. } =
            &mut stage
        {
            *body = new;
        }
        stage
    }
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
                let size = |stage: &Stage| {
                    let own = if let Stage::Atomics { .. } = stage { 20 } else { 10 };
                    own + stage.body().map_or(0, Body::size)
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
                stages.iter().filter_map(Stage::body).all(|body| body.is_closed(&all))
            }
        }
    }
}
