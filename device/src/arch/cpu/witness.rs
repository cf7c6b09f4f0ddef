//! Values that tell the engine whose panic it is, by being dropped where it unwinds.

use gridwright_cpu::{panic_in_groups, panic_in_thread};

use super::Identity;
use super::group_origin::GroupOrigin;
use crate::Local;

/// Notes who runs when a panic unwinds through it. A loop makes one for each thread and forgets it after
/// the body; it holds values only, so the optimiser keeps nothing of it but the unwinding path.
pub(super) struct Witness<'t>(Identity<'t>);

impl<'t> Witness<'t> {
    #[inline(always)]
    pub(super) fn new(identity: Identity<'t>) -> Self {
        Self(identity)
    }

    /// Forgets the thread, whose body returned.
    #[inline(always)]
    pub(super) fn dismiss(self) {
        core::mem::forget(self);
    }
}

impl Drop for Witness<'_> {
    /// Inlined, and what it calls gets values: an address of the witness would have each thread write it to memory.
    #[inline(always)]
    fn drop(&mut self) {
        let Identity { launch, plane, row, col, .. } = self.0;
        panic_in_thread(launch, col, row, plane);
    }
}

/// Notes which group runs when a panic unwinds through it that no thread of it made: one at group level.
pub(super) struct GroupWitness<'k>(GroupOrigin<'k>, Local, u32);

impl<'k> GroupWitness<'k> {
    #[inline(always)]
    pub(super) fn new(origin: GroupOrigin<'k>) -> Self {
        Self::of_thread(origin, Local { x: 0, y: 0, z: 0 })
    }

    /// A witness at the level of the warp that begins with a thread.
    #[inline(always)]
    pub(super) fn of_thread(origin: GroupOrigin<'k>, first: Local) -> Self {
        Self(origin, first, 1)
    }

    /// A witness at the level of so many groups side by side, of which this is the first.
    #[inline(always)]
    pub(super) fn of_groups(origin: GroupOrigin<'k>, groups: usize) -> Self {
        Self(origin, Local { x: 0, y: 0, z: 0 }, groups as u32)
    }

    /// Forgets the group, or the warp, which ended.
    #[inline(always)]
    pub(super) fn dismiss(self) {
        core::mem::forget(self);
    }
}

impl Drop for GroupWitness<'_> {
    #[cold]
    #[inline(never)]
    fn drop(&mut self) {
        let Self(GroupOrigin { launch, col, row, plane, .. }, Local { x, y, z }, groups) = *self;
        panic_in_groups(launch, [col, row, plane], [x, y, z], groups);
    }
}
