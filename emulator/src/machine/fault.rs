//! What ends a launch.

use crate::report::FindingKind;

/// What ends a launch.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) lane: usize,
    pub(crate) kind: FindingKind,
}

impl Fault {
    pub(crate) fn new(lane: usize, kind: FindingKind) -> Box<Self> {
        Box::new(Self { lane, kind })
    }
}

/// What an operation gives, unless it ends the launch.
pub(crate) type Done<T = ()> = Result<T, Box<Fault>>;

/// Says that the launch is over.
#[derive(Debug)]
pub(crate) struct Stopped;
