//! Lanes that execute an operation together, and all that they reach.

use std::ops::{Deref, DerefMut};

use super::core::Core;
use super::group::GroupMemory;
use crate::machine::{Alternatives, Lanes, Local};

/// Which warp of its group one is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Identity {
    /// The thread of lane 0.
    pub(crate) first_thread: u32,
    /// The warp's number in the group.
    pub(crate) warp: usize,
}

/// What an operation works on: a warp's registers at a frame, and all around it.
#[derive(Debug)]
pub(crate) struct ActiveLanes<'a> {
    /// What handlers of instructions see.
    pub(crate) values: Lanes<'a>,
    pub(crate) core: &'a mut Core,
    pub(crate) group: &'a mut GroupMemory,
    pub(crate) alternatives: &'a mut Alternatives,
    pub(crate) local: &'a mut Local,
    pub(crate) identity: Identity,
    /// Lanes that execute together.
    pub(crate) active: u32,
    /// The number of the operation, over the module.
    pub(crate) position: u32,
    /// Instructions of this warp so far.
    pub(crate) clock: u64,
}

impl<'a> Deref for ActiveLanes<'a> {
    type Target = Lanes<'a>;

    #[inline(always)]
    fn deref(&self) -> &Lanes<'a> {
        &self.values
    }
}

impl DerefMut for ActiveLanes<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.values
    }
}
