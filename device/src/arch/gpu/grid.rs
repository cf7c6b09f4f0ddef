//! A whole grid as far as this thread knows: it is one of many that run the same, and waits for those of other groups.
//!
//! The barrier is a word that the launch gives. Each group adds to it when its threads are there, the first one as much more
//! as makes the sum of all half of what the word holds: the highest bit flips when the last group has come. Nobody has to
//! set it back.

use core::marker::PhantomData;
use core::ptr::NonNull;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU32, fence};

use gridwright_core::{GRID_BOARD, KernelArg};

use super::collective::{ByGroups, OfGroups};
use super::group_context::{GroupContext, GroupShape};
use super::groups::{Hardware, group};
use super::meeting::Meeting;
use super::record::record;
use super::warp_lanes::Warp;
use super::{Last, LaunchId};
use crate::arch::hardware;
use crate::block::Block;
use crate::{Access, Grid, GridMemory};

/// How the threads of a grid are laid out, whose groups are of the shape `S`: in a row.
#[derive(Clone, Copy, Debug)]
pub struct OfGrid<S>(PhantomData<S>);

// SAFETY: the block is the launch's.
unsafe impl<S: GroupShape> GroupShape for OfGrid<S> {
    type Block = S::Block;
    type Width = S::Width;
    type Together = ByGroups;
    const RANK: usize = S::RANK;
    const ARE_A_BLOCK: bool = false;
    const LANES: usize = S::LANES;

    #[inline(always)]
    fn warp(number: u32, threads: u32) -> Warp {
        S::warp(number, threads)
    }

    #[inline(always)]
    fn threads(context: &GroupContext<'_, Self>) -> usize {
        context.threads_of_grid()
    }

    #[inline(always)]
    fn number(context: &GroupContext<'_, Self>) -> u32 {
        // In one dimension, of at most 2³² threads.
        context.col()
    }

    #[inline(always)]
    fn begin(_: &GroupContext<'_, Self>, _: Access) {}

    #[inline(always)]
    fn end(context: &GroupContext<'_, Self>, access: Access) {
        match access {
            Access::None => {}
            Access::Read | Access::Write | Access::WriteGlobal => context.wait_for_grid(),
        }
    }
}

impl<S: GroupShape> OfGroups for OfGrid<S> {
    type Group = S;

    #[inline(always)]
    fn groups(context: &GroupContext<'_, Self>) -> usize {
        context.grid()[0]
    }

    #[inline(always)]
    fn rank(context: &GroupContext<'_, Self>) -> usize {
        context.index()
    }

    #[inline(always)]
    fn place<T>(context: &GroupContext<'_, Self>, rank: usize) -> *mut T {
        // The board lies behind the barrier, and has a place for each group, as large as `Grid`'s collectives see to.
        context.meeting.memory.wrapping_add(GRID_BOARD).cast::<T>().wrapping_add(rank)
    }

    #[inline(always)]
    fn wait(context: &GroupContext<'_, Self>) {
        context.wait_for_grid();
    }
}

/// The bit that flips when all groups have come.
const FLAG: u32 = 1 << 31;

/// This thread's grid.
///
/// # Safety
/// In a kernel's entry, once; the block is the launch's, which is cooperative. `memory` is the launch's own, as much as
/// [`gridwright_core::grid_bytes`] says, in which the first word was zero before it.
#[inline(always)]
pub unsafe fn grid<'k, B: Block, L: Last + 'static>(memory: NonNull<u8>) -> Grid<'k, Hardware<B, L, 1>> {
    // SAFETY: a kernel's entry calls it once, and the block is the launch's, as this function asks.
    let group = unsafe { group::<B, L, 1>() };
    let meeting = Meeting { memory: memory.as_ptr(), panics: 0 };
    let context = group.context.meeting_by(meeting);
    // SAFETY: the second word of the launch's memory, which is accessed atomically.
    let before = unsafe { AtomicU32::from_ptr(meeting.memory.cast::<u32>().add(1)) };
    if context.index() == 0 && context.leads() {
        before.store(panics(), Relaxed);
    }
    // Before anybody can panic, all know how many had before: one number, by which they agree on when to give up.
    context.wait(|| false);
    let meeting = Meeting { panics: before.load(Relaxed), ..meeting };
    Grid::new(context.meeting_by(meeting).seen_as())
}

/// Global memory that the threads of a grid share.
///
/// # Safety
/// `pointer` is the first of `len` elements that only this launch accesses, whose number of threads is given.
#[inline(always)]
pub unsafe fn grid_memory<'k, T: KernelArg>(
    pointer: NonNull<T>,
    len: usize,
    threads: usize,
) -> GridMemory<'k, [T]> {
    // SAFETY: only this launch, which has so many threads, accesses the `len` elements, as this function asks.
    unsafe { GridMemory::from_raw(pointer.as_ptr(), len, threads, LaunchId) }
}

/// How many threads of the device have panicked so far.
#[inline(always)]
fn panics() -> u32 {
    record().map_or(0, |record| record.panics.load(Relaxed))
}

impl<'k, S: GroupShape> GroupContext<'k, S> {
    /// The number of threads of the launch.
    #[inline(always)]
    pub(super) fn threads_of_grid(&self) -> usize {
        let [x, y, z] = self.sizes();
        let [groups_x, groups_y, groups_z] = self.grid();
        x * y * z * groups_x * groups_y * groups_z
    }

    /// Waits until all threads of the launch are here; what they wrote to global memory is seen by all.
    ///
    /// A thread that panicked doesn't come: then the others end, too, wherever they wait.
    #[inline(always)]
    pub(super) fn wait_for_grid(&self) {
        let has_panicked = || panics() != self.meeting.panics;
        self.wait(has_panicked);
        if has_panicked() {
            hardware::end_thread();
        }
    }

    #[inline(always)]
    fn wait(&self, gives_up: impl Fn() -> bool) {
        hardware::barrier_of_global();
        if self.number_in_group() == 0 {
            self.meet(gives_up);
        }
        hardware::barrier_of_global();
    }

    /// Comes to the barrier for this thread's group, and waits for the others.
    #[inline(always)]
    fn meet(&self, gives_up: impl Fn() -> bool) {
        let groups = self.grid().iter().product::<usize>() as u32;
        // SAFETY: the word is the first of the launch's own memory, as `grid` asks; all groups access it atomically.
        let word = unsafe { AtomicU32::from_ptr(self.meeting.memory.cast()) };
        let share = if self.index() == 0 { FLAG - (groups - 1) } else { 1 };
        fence(Release);
        let before = word.fetch_add(share, Relaxed);
        while (word.load(Acquire) ^ before) & FLAG == 0 {
            if gives_up() {
                break;
            }
        }
        fence(Acquire);
    }
}

impl<'k, S: GroupShape> GroupContext<'k, OfGrid<S>> {
    /// This thread's group.
    #[inline(always)]
    pub(crate) fn group_at_hand(&self) -> GroupContext<'k, S> {
        self.seen_as()
    }

    /// Calls the body for this thread's group, with its number and its number of threads.
    #[inline(always)]
    pub(crate) fn each_group(&self, body: impl FnOnce(GroupContext<'k, S>)) {
        body(self.group_at_hand());
    }
}

/// What a group finds in workgroup memory: what was there.
///
/// # Safety
/// None.
#[inline(always)]
pub(crate) unsafe fn unwritten<T: KernelArg>(_: *mut T, _: usize) {}
