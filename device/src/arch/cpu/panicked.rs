use std::cell::Cell;

use super::team::Seat;
use super::{Identity, Launch};
use crate::Local;

/// The thread that panicked: its workgroup and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The workgroup along x, y and z.
    pub group: [u32; 3],
    /// The thread in the workgroup along x, y and z.
    pub thread: [u32; 3],
}

thread_local! {
    static PANICKED: Cell<Option<Position>> = const { Cell::new(None) };
}

/// The position of the kernel thread whose panic just unwound on this OS thread, once.
pub fn take_panicked() -> Option<Position> {
    PANICKED.take()
}

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
        note_thread(launch, col, row, plane);
    }
}

#[cold]
#[inline(never)]
fn note_thread(launch: &Launch, col: usize, row: usize, plane: usize) {
    let (at, block) = ([col, row, plane], launch.geometry.block);
    PANICKED.set(Some(Position {
        group: core::array::from_fn(|axis| (at[axis] / block[axis]) as u32),
        thread: core::array::from_fn(|axis| (at[axis] % block[axis]) as u32),
    }));
}

/// Notes which group runs when a panic unwinds through it that no thread of it made: one at group level.
pub(super) struct GroupWitness<'k>(Seat<'k>, Local, u32);

impl<'k> GroupWitness<'k> {
    #[inline(always)]
    pub(super) fn new(seat: Seat<'k>) -> Self {
        Self::of_thread(seat, Local { x: 0, y: 0, z: 0 })
    }

    /// A witness at the level of the warp that begins with a thread.
    #[inline(always)]
    pub(super) fn of_thread(seat: Seat<'k>, first: Local) -> Self {
        Self(seat, first, 1)
    }

    /// A witness at the level of so many groups side by side, of which this is the first.
    #[inline(always)]
    pub(super) fn of_groups(seat: Seat<'k>, groups: usize) -> Self {
        Self(seat, Local { x: 0, y: 0, z: 0 }, groups as u32)
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
        let Self(Seat { launch, col, row, plane, .. }, Local { x, y, z }, groups) = *self;
        let (at, block) = ([col, row, plane], launch.geometry.block);
        let group: [u32; 3] = core::array::from_fn(|axis| (at[axis] / block[axis]) as u32);
        let is_here = |[x, y, z]: [u32; 3]| {
            x.checked_sub(group[0]).is_some_and(|x| x < groups) && [y, z] == [group[1], group[2]]
        };
        // One that a kernel caught may still be noted.
        let of_a_thread = PANICKED.get().filter(|position| is_here(position.group));
        PANICKED.set(of_a_thread.or(Some(Position { group, thread: [x, y, z].map(|at| at as u32) })));
    }
}
