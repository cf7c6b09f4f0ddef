//! Lanes of a warp that execute together.

use super::lanes::Start;

/// A call that hasn't returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) function: u32,
    /// The next operation; of a frame that called, the one behind the call.
    pub(crate) pc: u32,
    pub(crate) start: Start,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    Ready,
    /// Waits for lanes of the warp.
    Members(u32),
    /// Waits for threads of the group, at the barrier of this number.
    Barrier(u32),
    /// Waits for the groups of the cluster.
    Cluster,
}

#[derive(Debug, Clone)]
pub(crate) struct Fragment {
    pub(crate) mask: u32,
    /// The frames, of which there is always one.
    pub(crate) stack: Vec<Frame>,
    pub(crate) wait: Wait,
    /// How often the fragment had to let others go first.
    pub(crate) delay: u16,
}

impl Fragment {
    pub(crate) fn frame(&self) -> Frame {
        let none = Frame { function: 0, pc: 0, start: Start::default() };
        self.stack.last().copied().unwrap_or(none)
    }

    pub(crate) fn set_pc(&mut self, pc: u32) {
        if let Some(frame) = self.stack.last_mut() {
            frame.pc = pc;
        }
    }

    /// Goes on behind the operation that the fragment is at.
    pub(crate) fn advance(&mut self) {
        self.set_pc(self.frame().pc + 1);
        self.wait = Wait::Ready;
    }

    /// Rank of the fragment: the least goes first. That is, of those that waited as often, the deepest, then
    /// the one that is behind. So lanes that left a loop early wait behind it for the others.
    pub(crate) fn rank(&self) -> (u16, usize, u32) {
        (self.delay, usize::MAX - self.stack.len(), self.frame().pc)
    }

    pub(crate) fn is_with(&self, other: &Self) -> bool {
        self.wait == other.wait && self.stack == other.stack
    }
}
