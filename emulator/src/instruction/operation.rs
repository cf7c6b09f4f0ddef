//! Decoded operations.

use super::access::{Access, AtomicKind, Level};
use super::bulk_copy::Bulk;
use super::handler::Handler;
use super::matrix::Matrix;
use super::special::Question;
use super::texture::TextureOperation;
use crate::machine::{Operands, Predicate, Slot};
use crate::parse::syntax::Type;

pub(crate) type Guard = Option<Predicate>;

#[derive(Debug)]
pub(crate) struct Op {
    pub(crate) action: Action,
    pub(crate) guard: Guard,
    pub(crate) line: u32,
    pub(crate) location: u32,
}

/// What is known of an operation's results, of sources of 64 bits or less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Predicates that compare `a` and `b`. All ones: it says so when the predicate `r` is true, or false.
    Predicate { wide: bool, when_true: u32, when_false: u32 },
    /// A value that is one of `a` and `b`.
    Value { wide: bool },
    /// A sum or a product: no copy of a source, whatever the others are.
    Sum { wide: bool },
}

#[derive(Debug)]
pub(crate) enum Action {
    Compute(Handler, Operands),
    /// Computes, where nothing is known of what a divisor of zero gives; with the bits of the divisor.
    Divide(Handler, Operands, u8),
    /// Computes what depends on its sources even where two of them give the same.
    Choose(Handler, Operands, Choice),
    /// Asks what the registers don't say.
    Ask(Question),
    Load(Box<Access>),
    Store(Box<Access>),
    Atomic(Box<Atomic>),
    Texture(Box<TextureOperation>),
    AsyncCopy(Box<AsyncCopy>),
    Bulk(Box<Bulk>),
    Mbarrier(Box<Mbarrier>),
    CommitCopies,
    /// Waits for all copies but those of so many of the last groups; or for all copies.
    WaitForCopies(Option<u32>),
    Fence(Level),
    Branch(u32),
    BranchIndexed(Box<[u32]>, Slot),
    Call(Box<CallSite>),
    Return,
    Exit,
    Trap,
    Breakpoint,
    Barrier(Box<Barrier>),
    ClusterBarrier(ClusterBarrier),
    Warp(Box<Warp>),
    /// Does nothing: prefetches and hints.
    Nothing,
}

#[derive(Debug, Clone)]
pub(crate) struct Atomic {
    pub(crate) access: Access,
    pub(crate) kind: AtomicKind,
    pub(crate) element: Type,
    pub(crate) result: Option<Slot>,
    pub(crate) b: Slot,
    pub(crate) c: Slot,
}

#[derive(Debug, Clone)]
pub(crate) enum Callee {
    Function(u32),
    Indirect(Slot),
    Vprintf,
    AssertFail,
    Malloc,
    Free,
}

/// A copy from global to workgroup memory.
#[derive(Debug, Clone)]
pub(crate) struct AsyncCopy {
    pub(crate) target: Access,
    pub(crate) source: Access,
    /// Size in bytes: 4, 8 or 16.
    pub(crate) size: u32,
    pub(crate) bytes: Bytes,
}

/// What is done with a barrier that is an object in workgroup memory.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MbarrierKind {
    /// Begins the barrier, for so many arrivals a phase.
    Initialise(Slot),
    Invalidate,
    /// Arrives once or so often; `bytes` are expected first. `state` gets the phase.
    Arrive {
        state: Slot,
        count: Option<Slot>,
        bytes: Option<Slot>,
        /// Whether later phases count so many arrivals less.
        drops: bool,
        /// Whether the phase may be complete with it.
        completes: bool,
    },
    /// Expects so many bytes in the phase.
    Expect(Slot),
    /// Counts bytes that have come.
    Complete(Slot),
    /// Tests whether the phase of an arrival is complete.
    Test {
        done: Predicate,
        state: Slot,
    },
    /// Tests whether the last phase of a parity is complete.
    TestParity {
        done: Predicate,
        parity: Slot,
    },
}

impl MbarrierKind {
    /// The bits of an arrival's state that hold how many were missing before it; the phase is above them.
    pub(crate) const PENDING: u32 = (1 << 20) - 1;
}

#[derive(Debug, Clone)]
pub(crate) struct Mbarrier {
    pub(crate) access: Access,
    pub(crate) kind: MbarrierKind,
}

/// The bytes of the source that are read; zeros take the place of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bytes {
    All,
    AsMany(Slot),
    NoneIf(Predicate),
}

/// Place of a call. Offsets are in the caller's frame.
#[derive(Debug, Clone)]
pub(crate) struct CallSite {
    pub(crate) callee: Callee,
    pub(crate) arguments: Vec<(u32, u32)>,
    pub(crate) results: Vec<(u32, u32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BarrierKind {
    Sync,
    Arrive,
    Count,
    All,
    Any,
}

/// What a thread does at the barrier of its cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClusterBarrier {
    /// Relaxed: what is before it isn't ordered, but for what was fenced.
    Arrive {
        is_relaxed: bool,
    },
    Wait,
}

#[derive(Debug, Clone)]
pub(crate) struct Barrier {
    pub(crate) kind: BarrierKind,
    /// Whether all threads of a warp have to reach the barrier together.
    pub(crate) aligned: bool,
    pub(crate) number: Slot,
    pub(crate) threads: Option<Slot>,
    pub(crate) source: Predicate,
    pub(crate) result: Slot,
    pub(crate) result_predicate: Predicate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WarpKind {
    Barrier,
    ShuffleUp,
    ShuffleDown,
    ShuffleXor,
    ShuffleIndex,
    Vote(Vote),
    MatchAny {
        wide: bool,
    },
    MatchAll {
        wide: bool,
    },
    Reduce(AtomicKind, Type),
    Elect,
    ActiveMask,
    /// Operation on matrices that `matrix` says.
    Matrix,
}

/// An operation between the lanes of a warp.
#[derive(Debug, Clone)]
pub(crate) struct Warp {
    pub(crate) kind: WarpKind,
    /// Lanes that take part; none where those do that execute the operation together.
    pub(crate) members: Option<Slot>,
    pub(crate) d: Slot,
    pub(crate) p: Option<Predicate>,
    pub(crate) a: Slot,
    pub(crate) b: Slot,
    pub(crate) c: Slot,
    pub(crate) source: Predicate,
    pub(crate) matrix: Option<Matrix>,
}
