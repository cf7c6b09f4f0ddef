//! What the parser makes of the text: names are still names.

use crate::texture::ReferenceKind;

/// A number as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// An integer in two's complement, with the sign applied.
    Integer(u64),
    Single(u32),
    Double(u64),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operand<'s> {
    /// A register, a variable, a label or a special register.
    Name(&'s str),
    Number(Number),
    /// `!%p1`.
    Not(&'s str),
    /// `-%r1`, a factor of `vmad`.
    Negated(&'s str),
    /// An element of a vector register.
    Member(&'s str, u8),
    /// `%p1|%p2`.
    Pair(&'s str, &'s str),
    /// `name+4` outside of brackets.
    Offset(&'s str, i64),
    /// `[base+offset]`.
    Address(Base<'s>, i64),
    /// `[texture, {%r1, %r2}]`.
    Texel(&'s str, Vec<Operand<'s>>),
    /// `[texture, sampler, {%r1, %r2}]`.
    Sampled(&'s str, &'s str, Vec<Operand<'s>>),
    /// `{%r1, %r2}`.
    Vector(Vec<Operand<'s>>),
    /// `{%r1, %r2}|%p1`.
    VectorPair(Vec<Operand<'s>>, &'s str),
    /// `(a, b)` of a call.
    List(Vec<Operand<'s>>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Base<'s> {
    Name(&'s str),
    Absolute,
}

#[derive(Debug, Clone)]
pub(crate) struct Instruction<'s> {
    /// The predicate's name, and true where it is negated.
    pub(crate) guard: Option<(&'s str, bool)>,
    pub(crate) opcode: &'s str,
    pub(crate) operands: Vec<Operand<'s>>,
    pub(crate) line: u32,
    pub(crate) location: u32,
    /// The block that the statement is in.
    pub(crate) scope: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Register,
    Global,
    Const,
    Shared,
    Local,
    Parameter,
}

/// The scalar types of PTX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Predicate,
    /// Untyped or integers, of this many bits.
    Bits(u8),
    Unsigned(u8),
    Signed(u8),
    /// A float of 16, 32 or 64 bits.
    Float(u8),
    BFloat,
    HalfPair,
    BFloatPair,
    /// Two integers of 16 bits.
    UnsignedPair,
    SignedPair,
    /// A reference to a texture, a sampler or a surface: a number of 64 bits.
    Reference(ReferenceKind),
}

impl Type {
    /// The type of a name without its dot.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "pred" => Self::Predicate,
            "f16" => Self::Float(16),
            "f32" => Self::Float(32),
            "f64" => Self::Float(64),
            "bf16" => Self::BFloat,
            "f16x2" => Self::HalfPair,
            "bf16x2" => Self::BFloatPair,
            "b8" => Self::Bits(8),
            "b16" => Self::Bits(16),
            "b32" => Self::Bits(32),
            "b64" => Self::Bits(64),
            "b128" => Self::Bits(128),
            "u16x2" => Self::UnsignedPair,
            "s16x2" => Self::SignedPair,
            "u8" => Self::Unsigned(8),
            "u16" => Self::Unsigned(16),
            "u32" => Self::Unsigned(32),
            "u64" => Self::Unsigned(64),
            "s8" => Self::Signed(8),
            "s16" => Self::Signed(16),
            "s32" => Self::Signed(32),
            "s64" => Self::Signed(64),
            _ => return None,
        })
    }

    /// Bits; 1 for predicates.
    pub(crate) fn bits(self) -> u8 {
        match self {
            Self::Predicate => 1,
            Self::Bits(bits) | Self::Unsigned(bits) | Self::Signed(bits) | Self::Float(bits) => bits,
            Self::BFloat => 16,
            Self::HalfPair | Self::BFloatPair | Self::UnsignedPair | Self::SignedPair => 32,
            Self::Reference(_) => 64,
        }
    }

    pub(crate) fn bytes(self) -> u32 {
        u32::from(self.bits()).div_ceil(8)
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::Signed(_))
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Self::Float(_) | Self::BFloat | Self::HalfPair | Self::BFloatPair)
    }
}

/// One value of an initialiser.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Initial<'s> {
    Number(Number),
    /// An address, plus bytes; the last is the number of a byte that a mask picks, or none.
    Address(&'s str, i64, Option<u64>),
}

/// Value of a member of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Member<'s> {
    Number(u64),
    Name(&'s str),
}

#[derive(Debug, Clone)]
pub(crate) struct Variable<'s> {
    pub(crate) name: &'s str,
    pub(crate) space: Space,
    pub(crate) element: Type,
    /// Number of variables in a family: `name<10>` are ten registers, `name0` to `name9`.
    pub(crate) family: Option<u32>,
    /// Elements of a vector: 1, 2 or 4.
    pub(crate) vector: u8,
    /// Lengths of an array, from the outermost, and of a vector.
    pub(crate) lengths: Vec<u64>,
    /// `.attribute(.managed)`: the host has it at the same address.
    pub(crate) is_managed: bool,
    pub(crate) bytes: u64,
    /// Whether the array is `[]`: as large as the launch says.
    pub(crate) unsized_array: bool,
    pub(crate) alignment: u32,
    pub(crate) is_extern: bool,
    pub(crate) initial: Vec<Initial<'s>>,
    /// What a reference is said to have, with the number or the name of each value.
    pub(crate) members: Vec<(&'s str, Member<'s>)>,
    pub(crate) line: u32,
    pub(crate) scope: u32,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Label<'s> {
    pub(crate) name: &'s str,
    pub(crate) scope: u32,
    /// The number of the instruction behind the label.
    pub(crate) at: u32,
    pub(crate) line: u32,
}

/// `name: .branchtargets a, b;` and `name: .callprototype …;`
#[derive(Debug, Clone)]
pub(crate) struct Targets<'s> {
    pub(crate) name: &'s str,
    pub(crate) labels: Vec<&'s str>,
}

#[derive(Debug, Clone)]
pub(crate) struct Prototype<'s> {
    pub(crate) name: &'s str,
    pub(crate) results: Vec<Variable<'s>>,
    pub(crate) parameters: Vec<Variable<'s>>,
}

/// What an entry says of the clusters that it is launched in.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cluster {
    /// `.reqnctapercluster`.
    pub(crate) required: Option<[u32; 3]>,
    /// `.maxclusterrank`.
    pub(crate) most_groups: Option<u32>,
    /// `.explicitcluster`: there has to be one.
    pub(crate) is_explicit: bool,
    /// `.blocksareclusters`: the grid that is launched counts clusters.
    pub(crate) grid_counts_clusters: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Function<'s> {
    pub(crate) name: &'s str,
    pub(crate) is_entry: bool,
    pub(crate) results: Vec<Variable<'s>>,
    pub(crate) parameters: Vec<Variable<'s>>,
    pub(crate) required_block: Option<[u32; 3]>,
    pub(crate) max_block: Option<[u32; 3]>,
    pub(crate) min_groups: Option<u32>,
    pub(crate) cluster: Cluster,
    /// The body; none for a declaration.
    pub(crate) body: Option<Body<'s>>,
    pub(crate) line: u32,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Body<'s> {
    pub(crate) variables: Vec<Variable<'s>>,
    pub(crate) instructions: Vec<Instruction<'s>>,
    pub(crate) labels: Vec<Label<'s>>,
    pub(crate) targets: Vec<Targets<'s>>,
    pub(crate) prototypes: Vec<Prototype<'s>>,
    /// `name: .calltargets a, b;`
    pub(crate) callees: Vec<Targets<'s>>,
    /// The block around each block.
    pub(crate) parents: Vec<u32>,
}

/// A place in the source that was compiled to PTX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Unit<'s> {
    pub(crate) version: (u32, u32),
    pub(crate) target: &'s str,
    pub(crate) variables: Vec<Variable<'s>>,
    pub(crate) functions: Vec<Function<'s>>,
    /// `.alias name, other;`: another name of a function, with its line.
    pub(crate) aliases: Vec<(&'s str, &'s str, u32)>,
    pub(crate) files: Vec<(u32, &'s str)>,
    /// Places in the source. Number 0 stands for none.
    pub(crate) locations: Vec<Location>,
}
