//! What is recorded of a piece of work.

use std::any::TypeId;
use std::sync::Arc;
use std::time::Duration;

use gridwright_core::Signature;

use super::Activity;

/// Work that is about to be submitted.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(super) activity: Activity,
    pub(super) name: Name,
    /// Bytes that the work moves, if known.
    pub(super) bytes: Option<u64>,
}

/// A name by which rows of one activity are told apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// The name of the activity.
    Activity,
    /// A kernel, by its type and its name: kernels of two crates may have one name.
    Kernel(TypeId, &'static str),
    /// A graph, by its number.
    Graph {
        number: u64,
        operations: usize,
    },
    /// The call that waited.
    Call(&'static str),
    Range(Arc<str>),
}

/// A line of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Track {
    Stream(u32),
    /// A thread of the host, by the order in which threads were first seen.
    Thread(u32),
}

/// A piece of work that is done, with its time since the profile began.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) piece: Piece,
    pub(super) track: Track,
    pub(super) start: Duration,
    pub(super) duration: Duration,
}

impl Piece {
    pub(crate) fn kernel<K: Signature>() -> Self {
        Self { activity: Activity::Kernel, name: Name::kernel::<K>(), bytes: None }
    }

    pub(crate) fn graph(number: u64, operations: usize) -> Self {
        Self { activity: Activity::Graph, name: Name::Graph { number, operations }, bytes: None }
    }

    /// Work on memory, of so many bytes.
    pub(crate) fn moves(activity: Activity, bytes: usize) -> Self {
        Self { activity, name: Name::Activity, bytes: Some(bytes as u64) }
    }

    pub(crate) fn host_function() -> Self {
        Self { activity: Activity::HostFunction, name: Name::Activity, bytes: None }
    }

    pub(super) fn wait(call: &'static str) -> Self {
        Self { activity: Activity::Wait, name: Name::Call(call), bytes: None }
    }

    pub(super) fn range(name: &str) -> Self {
        Self { activity: Activity::Range, name: Name::Range(name.into()), bytes: None }
    }
}

impl Name {
    pub(super) fn kernel<K: Signature>() -> Self {
        Self::Kernel(TypeId::of::<K>(), K::NAME)
    }
}
