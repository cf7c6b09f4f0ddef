//! Decoded operations on matrices that the lanes of a warp hold together, and which lane holds what.
//!
//! Which lane has which element of a product: PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type" and its
//! neighbours. That of `wmma`, which the ISA leaves open, is what compilers make of it for NVIDIA's GPUs.

use crate::instruction::access::Access;
use crate::instruction::directed::Rounding;
use crate::machine::{Predicate, Slot};

/// What matrices of a product are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ElementType {
    Half,
    Brain,
    Tf32,
    /// Floats of 8 bits, with three and with two bits behind the point.
    E4m3,
    E5m2,
    Signed8,
    Unsigned8,
    Signed4,
    Unsigned4,
    Bit,
    Double,
}

impl ElementType {
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "f16" => Self::Half,
            "bf16" => Self::Brain,
            "tf32" => Self::Tf32,
            "e4m3" => Self::E4m3,
            "e5m2" => Self::E5m2,
            "s8" => Self::Signed8,
            "u8" => Self::Unsigned8,
            "s4" => Self::Signed4,
            "u4" => Self::Unsigned4,
            "b1" => Self::Bit,
            "f64" => Self::Double,
            _ => return None,
        })
    }

    pub(crate) fn bits(self) -> usize {
        match self {
            Self::Double => 64,
            Self::Tf32 => 32,
            Self::Half | Self::Brain => 16,
            Self::E4m3 | Self::E5m2 | Self::Signed8 | Self::Unsigned8 => 8,
            Self::Signed4 | Self::Unsigned4 => 4,
            Self::Bit => 1,
        }
    }

    pub(super) fn is_integer(self) -> bool {
        matches!(self, Self::Signed8 | Self::Unsigned8 | Self::Signed4 | Self::Unsigned4 | Self::Bit)
    }

    /// Whether a product may have the other type as its other factor.
    pub(super) fn multiplies(self, other: Self) -> bool {
        let is_float8 = |ty| matches!(ty, Self::E4m3 | Self::E5m2);
        self == other
            || is_float8(self) && is_float8(other)
            || self.is_integer() && other.is_integer() && self.bits() == other.bits()
    }
}

/// Type in which products are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SumType {
    Half,
    Single,
    Integer,
    Double,
}

impl SumType {
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "f16" => Self::Half,
            "f32" => Self::Single,
            "s32" => Self::Integer,
            "f64" => Self::Double,
            _ => return None,
        })
    }

    pub(crate) fn bits(self) -> usize {
        match self {
            Self::Half => 16,
            Self::Single | Self::Integer => 32,
            Self::Double => 64,
        }
    }
}

/// How a factor's elements are shared out. A line is a row of A or a column of B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FactorLayout {
    /// Parts of 8 lines follow each other.
    Flat,
    /// Parts of 16 lines, whose halves take turns.
    Tall,
    /// Four matrices of eight lines, one for each eight lanes, which have elements along K, or along the lines.
    Quads { along_k: bool },
}

/// The lanes' part of a factor: of each line so many elements.
#[derive(Debug, Clone)]
pub(crate) struct Factor {
    pub(crate) element: ElementType,
    pub(crate) lines: usize,
    pub(crate) k: usize,
    pub(crate) layout: FactorLayout,
    /// Registers. They hold the elements more than once if they are more than needed.
    pub(crate) slots: Vec<Slot>,
}

impl Factor {
    /// Elements of a register.
    pub(crate) fn in_register(&self) -> usize {
        (32 / self.element.bits()).max(1)
    }

    /// Registers that hold all elements once.
    pub(crate) fn registers(&self) -> usize {
        (self.lines * self.k / 32 / self.in_register()).max(1)
    }

    /// The line, and the place along K, of an element of a lane's register.
    pub(crate) fn place(&self, register: usize, lane: usize, i: usize) -> (usize, usize) {
        let register = register % self.registers();
        let in_register = self.in_register();
        let parts = (self.k / (4 * in_register)).max(1);
        let across = |part: usize| (4 * part + lane % 4) * in_register + i;
        match self.layout {
            FactorLayout::Flat => (8 * (register / parts) + lane / 4, across(register % parts)),
            FactorLayout::Tall => {
                let pair = register / 2;
                (16 * (pair / parts) + 8 * (register % 2) + lane / 4, across(pair % parts))
            }
            FactorLayout::Quads { along_k } => {
                let first = lane % 16 / 4 * 8 + lane / 16 * 4;
                let (own, element) = (lane % 4, 2 * register + i);
                if along_k { (first + own, element) } else { (first + element, own) }
            }
        }
    }
}

/// How sums are shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SumLayout {
    /// Two neighbours of a row, below them those 8 rows further down, and then the next 8 columns.
    Rows,
    /// Two neighbours of a column, and then those 8 columns further on.
    Columns,
    /// Four matrices of 8 by 8, one for each eight lanes.
    Quads,
}

#[derive(Debug, Clone)]
pub(crate) struct Sums {
    pub(crate) ty: SumType,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) layout: SumLayout,
    pub(crate) slots: Vec<Slot>,
}

impl Sums {
    /// Elements of a lane.
    pub(crate) fn elements(&self) -> usize {
        self.rows * self.cols / 32
    }

    /// The sums of registers, row by row.
    pub(crate) fn of_rows(
        &self,
        registers: &[[u64; 32]],
        element: impl Fn(SumType, u64, usize) -> f64,
    ) -> Vec<f64> {
        let mut elements = vec![0.0; self.rows * self.cols];
        let in_register = if self.ty == SumType::Half { 2 } else { 1 };
        for (register, row) in registers.iter().enumerate() {
            for (lane, bits) in row.iter().enumerate() {
                for i in 0..in_register {
                    let (line, across) = self.place(lane, register * in_register + i);
                    if let Some(to) = elements.get_mut(line * self.cols + across) {
                        *to = element(self.ty, *bits, i);
                    }
                }
            }
        }
        elements
    }

    /// Row and column of a lane's element.
    pub(crate) fn place(&self, lane: usize, i: usize) -> (usize, usize) {
        let pair = i / 2;
        let (line, across) = (lane / 4, lane % 4 * 2 + i % 2);
        match self.layout {
            SumLayout::Rows => {
                let parts = self.rows / 8;
                (line + 8 * (pair % parts), across + 8 * (pair / parts))
            }
            SumLayout::Columns => (across, line + 8 * pair),
            SumLayout::Quads => {
                let first = lane % 16 / 4 * 8 + lane / 16 * 4;
                if self.ty == SumType::Half {
                    (first + lane % 4, i)
                } else {
                    (first + lane % 2 + (i & 2), (i & 4) + (lane & 2) + (i & 1))
                }
            }
        }
    }
}

/// What becomes of two elements before the sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Combine {
    Multiply,
    And,
    Xor,
}

/// Where A has its elements, of which half are zeros that aren't there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sparsity {
    pub(crate) metadata: Slot,
    /// Which lanes of four have the metadata.
    pub(crate) selector: u32,
}

/// Bits that say where elements of a row of `k` columns are: of each two 32-bit ones, of four of 16 and 8 bits, and of
/// eight of 4 bits, where pairs stand together, there are half, and 4 bits say which.
pub(crate) fn metadata_bits(element: ElementType, k: usize) -> usize {
    match element.bits() {
        32 => 2 * k,
        4 => k / 2,
        _ => k,
    }
}

/// D = A·B + C.
#[derive(Debug, Clone)]
pub(crate) struct MultiplyMatrices {
    pub(crate) a: Factor,
    pub(crate) b: Factor,
    pub(crate) c: Sums,
    pub(crate) d: Sums,
    pub(crate) combine: Combine,
    /// Sums of integers stop at the ends of their range.
    pub(crate) saturates: bool,
    /// How sums of doubles are rounded.
    pub(crate) rounding: Rounding,
    pub(crate) sparsity: Option<Sparsity>,
}

/// Matrices of 8 by 8 elements of 16 bits, whose rows' addresses lanes give.
#[derive(Debug, Clone)]
pub(crate) struct MoveMatrices {
    pub(crate) access: Access,
    pub(crate) transposed: bool,
    /// The lanes' part of each matrix.
    pub(crate) values: Vec<Slot>,
}

/// A matrix that the lanes hold.
#[derive(Debug, Clone)]
pub(crate) enum Fragment {
    Factor(Factor),
    Sums(Sums),
}

impl Fragment {
    pub(crate) fn slots(&self) -> (&[Slot], bool) {
        match self {
            Self::Factor(factor) => (&factor.slots, factor.element == ElementType::Double),
            Self::Sums(sums) => (&sums.slots, sums.ty == SumType::Double),
        }
    }
}

/// A load or a store of a matrix from or to an address, from which lines follow each other at a stride.
#[derive(Debug, Clone)]
pub(crate) struct MoveFragment {
    pub(crate) fragment: Fragment,
    pub(crate) access: Access,
    pub(crate) stride: Slot,
    /// Whether neighbours in memory are neighbours in a line: in rows of A and of sums, and in columns of B.
    pub(crate) along_lines: bool,
}

/// A factor in workgroup memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SharedFactor {
    pub(crate) element: ElementType,
    /// The row of the number that says where it is and how it lies.
    pub(crate) descriptor: Slot,
    /// Whether neighbours in memory are of neighbouring lines, not of one.
    pub(crate) turned: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum WarpgroupFactor {
    Registers(Factor),
    Shared(SharedFactor),
}

/// D = A·B + D, or A·B, by four warps.
#[derive(Debug, Clone)]
pub(crate) struct MultiplyByWarpgroup {
    pub(crate) a: WarpgroupFactor,
    pub(crate) b: SharedFactor,
    pub(crate) k: usize,
    /// A warp's part.
    pub(crate) sums: Sums,
    pub(crate) sparsity: Option<Sparsity>,
    /// Whether D is added.
    pub(crate) adds: Predicate,
    /// Whether products are subtracted.
    pub(crate) negative: bool,
    pub(crate) saturates: bool,
    pub(crate) combine: Combine,
}

#[derive(Debug, Clone)]
pub(crate) enum Matrix {
    Multiply(MultiplyMatrices),
    MultiplyByWarpgroup(Box<MultiplyByWarpgroup>),
    /// Closes a group of products.
    CommitProducts,
    /// Waits for all groups of products but so many of the last.
    AwaitProducts(u32),
    Load(MoveMatrices),
    Store(MoveMatrices),
    LoadFragment(MoveFragment),
    StoreFragment(MoveFragment),
    /// Writes to `d` the matrix of 8 by 8 elements of 16 bits of `a`, transposed.
    Transpose {
        d: Slot,
        a: Slot,
    },
}

/// Rows of registers, and whether they are of 64 bits.
pub(crate) type Rows<'m> = Vec<(&'m [Slot], bool)>;

impl Matrix {
    /// What it takes, but for addresses.
    pub(crate) fn sources(&self) -> Rows<'_> {
        match self {
            Self::Multiply(multiply) => {
                let wide = |is_wide: bool, slots| (slots, is_wide);
                let mut rows = vec![
                    wide(multiply.a.element == ElementType::Double, multiply.a.slots.as_slice()),
                    wide(multiply.b.element == ElementType::Double, multiply.b.slots.as_slice()),
                    wide(multiply.c.ty == SumType::Double, multiply.c.slots.as_slice()),
                ];
                if let Some(sparsity) = &multiply.sparsity {
                    rows.push((std::slice::from_ref(&sparsity.metadata), false));
                }
                rows
            }
            Self::MultiplyByWarpgroup(multiply) => {
                let mut rows = vec![
                    (std::slice::from_ref(&multiply.b.descriptor), true),
                    (multiply.sums.slots.as_slice(), false),
                ];
                if let Some(sparsity) = &multiply.sparsity {
                    rows.push((std::slice::from_ref(&sparsity.metadata), false));
                }
                rows.push(match &multiply.a {
                    WarpgroupFactor::Registers(factor) => (factor.slots.as_slice(), false),
                    WarpgroupFactor::Shared(shared) => (std::slice::from_ref(&shared.descriptor), true),
                });
                rows
            }
            Self::Load(_) | Self::CommitProducts | Self::AwaitProducts(_) => Vec::new(),
            Self::Store(store) => vec![(store.values.as_slice(), false)],
            Self::LoadFragment(load) => vec![(std::slice::from_ref(&load.stride), false)],
            Self::StoreFragment(store) => {
                vec![store.fragment.slots(), (std::slice::from_ref(&store.stride), false)]
            }
            Self::Transpose { a, .. } => vec![(std::slice::from_ref(a), false)],
        }
    }

    /// What it gives.
    pub(crate) fn results(&self) -> Rows<'_> {
        match self {
            Self::Multiply(multiply) => {
                vec![(multiply.d.slots.as_slice(), multiply.d.ty == SumType::Double)]
            }
            Self::Load(load) => vec![(load.values.as_slice(), false)],
            Self::LoadFragment(load) => vec![load.fragment.slots()],
            // The results come when they are waited for.
            Self::Store(_)
            | Self::StoreFragment(_)
            | Self::MultiplyByWarpgroup(_)
            | Self::CommitProducts
            | Self::AwaitProducts(_) => Vec::new(),
            Self::Transpose { d, .. } => vec![(std::slice::from_ref(d), false)],
        }
    }

    /// Where it accesses memory.
    pub(crate) fn access(&self) -> Option<&Access> {
        match self {
            Self::Load(rows) | Self::Store(rows) => Some(&rows.access),
            Self::LoadFragment(one) | Self::StoreFragment(one) => Some(&one.access),
            Self::Multiply(_)
            | Self::MultiplyByWarpgroup(_)
            | Self::CommitProducts
            | Self::AwaitProducts(_)
            | Self::Transpose { .. } => None,
        }
    }
}
