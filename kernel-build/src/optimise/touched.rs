//! What code does to memory between barriers.

use std::collections::BTreeSet;
use std::ops::BitOr;

/// What statements do to memory that several threads see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touched(u8);

impl Touched {
    pub(super) const NOTHING: Self = Self(0);
    pub(super) const SHARED_READ: Self = Self(1);
    pub(super) const SHARED_WRITE: Self = Self(2);
    pub(super) const GLOBAL_READ: Self = Self(4);
    pub(super) const GLOBAL_WRITE: Self = Self(8);
    /// Atomics, fences, calls and what isn't known: ordered against everything.
    pub(super) const ANYTHING: Self = Self(31);

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether it matters which comes first.
    pub(super) fn meets(self, other: Self) -> bool {
        let meets = |read, write| {
            self.has(write) && (other.has(read) || other.has(write)) || self.has(read) && other.has(write)
        };
        (self == Self::ANYTHING && other != Self::NOTHING)
            || (other == Self::ANYTHING && self != Self::NOTHING)
            || meets(Self::SHARED_READ, Self::SHARED_WRITE)
            || meets(Self::GLOBAL_READ, Self::GLOBAL_WRITE)
    }
}

impl BitOr for Touched {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What is touched from a barrier on, along `edges`, up to other barriers. `touch` tells it of each place.
pub(super) fn touched(
    barrier: usize,
    edges: &[Vec<usize>],
    barriers: &BTreeSet<usize>,
    touch: impl Fn(usize) -> Touched,
) -> Touched {
    let mut seen = BTreeSet::new();
    let mut to_visit = edges[barrier].clone();
    let mut touched = Touched::NOTHING;
    while let Some(at) = to_visit.pop() {
        if barriers.contains(&at) || !seen.insert(at) {
            continue;
        }
        touched = touched | touch(at);
        to_visit.extend(&edges[at]);
    }
    touched
}
