//! Decoded bulk copies.

use crate::instruction::access::{Access, AtomicKind};
use crate::machine::Slot;
use crate::parse::syntax::Type;

/// Where a copy is from or to, at its other end.
#[derive(Debug, Clone)]
pub(crate) enum BulkPlace {
    /// Bytes of device memory, as many as the row says, or of the thread's own group's.
    Plain(Access, Slot),
    /// A tile of a tensor: the address of its map, and its first element.
    Tile(Access, Vec<Slot>),
}

/// How what is copied is combined with what was there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reduction {
    pub(crate) kind: AtomicKind,
    /// Unless the tensor says it.
    pub(crate) element: Option<Type>,
}

/// A bulk copy.
#[derive(Debug, Clone)]
pub(crate) struct BulkCopy {
    /// Where it is in workgroup memory.
    pub(crate) group: Access,
    pub(crate) other: BulkPlace,
    /// Counts what comes to workgroup memory; none where it is copied out of it.
    pub(crate) barrier: Option<Access>,
    /// Groups of the cluster that all get it.
    pub(crate) multicast: Option<Slot>,
    pub(crate) reduction: Option<Reduction>,
}

/// A part of a tensor map that a kernel writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapField {
    Address,
    Rank,
    Tile(usize),
    Dimension(usize),
    Stride(usize),
    Step(usize),
    Element,
    Interleave,
    Swizzle,
    Fill,
}

#[derive(Debug, Clone)]
pub(crate) enum Bulk {
    Copy(BulkCopy),
    /// Writes a part of the map at an address. The row is of 64 bits for addresses and strides.
    Replace(Access, MapField, Slot),
    /// Copies a map from workgroup to device memory.
    CopyMap {
        target: Access,
        source: Access,
    },
}

impl Bulk {
    /// Where it accesses memory, as far as its operands say.
    pub(crate) fn accesses(&self) -> Vec<&Access> {
        match self {
            Self::Copy(copy) => {
                let (BulkPlace::Plain(other, _) | BulkPlace::Tile(other, _)) = &copy.other;
                [Some(&copy.group), Some(other), copy.barrier.as_ref()].into_iter().flatten().collect()
            }
            Self::Replace(access, ..) => vec![access],
            Self::CopyMap { target, source } => vec![target, source],
        }
    }

    /// Rows that it takes, of 32 bits, and those of 64.
    pub(crate) fn sources(&self) -> (Vec<Slot>, Vec<Slot>) {
        match self {
            Self::Copy(copy) => {
                let mut rows: Vec<Slot> = copy.multicast.into_iter().collect();
                match &copy.other {
                    BulkPlace::Plain(_, bytes) => rows.push(*bytes),
                    BulkPlace::Tile(_, at) => rows.extend(at),
                }
                (rows, Vec::new())
            }
            Self::Replace(_, MapField::Address | MapField::Stride(_), value) => (Vec::new(), vec![*value]),
            Self::Replace(_, _, value) => (vec![*value], Vec::new()),
            Self::CopyMap { .. } => (Vec::new(), Vec::new()),
        }
    }
}
