//! The warp of a group that this thread is of: as far as phases know, a group of its own.

use core::marker::PhantomData;

use gridwright_core::KernelArg;

use super::group_context::{GroupContext, GroupShape, Together};
use super::so_far::SoFar;
use super::warp_lanes::Warp;
use crate::arch::hardware;
use crate::warp::{PrivateMut, WarpItems, WarpPlace};
use crate::{Access, Private};

/// How the threads of a warp are laid out: as in their group.
#[derive(Clone, Copy, Debug)]
pub struct OfWarp<S>(PhantomData<S>);

// SAFETY: the block is the group's.
unsafe impl<S: GroupShape> GroupShape for OfWarp<S> {
    type Block = S::Block;
    type Width = S::Width;
    type Together = AsLanes;
    const RANK: usize = S::RANK;
    const ARE_A_BLOCK: bool = false;
    const LANES: usize = S::LANES;

    #[inline(always)]
    fn warp(number: u32, threads: u32) -> Warp {
        S::warp(number, threads)
    }

    #[inline(always)]
    fn tile(number: u32, threads: u32, lanes: u32) -> Warp {
        S::warp(number, threads).tile(lanes)
    }

    #[inline(always)]
    fn threads_around<R: GroupShape>(part: &GroupContext<'_, R>) -> usize {
        S::warp(part.number_in_group(), part.threads_of_group() as u32).threads as usize
    }

    #[inline(always)]
    fn threads(context: &GroupContext<'_, Self>) -> usize {
        context.warp().threads as usize
    }

    #[inline(always)]
    fn number(context: &GroupContext<'_, Self>) -> u32 {
        context.warp().lane
    }

    #[inline(always)]
    fn lane(context: &GroupContext<'_, Self>) -> u32 {
        context.warp().lane % hardware::warp_size()
    }

    #[inline(always)]
    fn begin(context: &GroupContext<'_, Self>, access: Access) {
        match access {
            Access::WriteGlobal => context.warp().barrier(),
            Access::None | Access::Read | Access::Write => {}
        }
    }

    #[inline(always)]
    fn end(context: &GroupContext<'_, Self>, access: Access) {
        match access {
            Access::None => {}
            Access::Read | Access::Write | Access::WriteGlobal => context.warp().barrier(),
        }
    }
}

/// Lanes exchange values by shuffles, and vote.
#[derive(Clone, Copy, Debug)]
pub struct AsLanes;

impl<S: GroupShape> Together<OfWarp<S>> for AsLanes {
    #[inline(always)]
    fn reduce<T: KernelArg, F: Fn(T, T) -> T>(
        context: &GroupContext<'_, OfWarp<S>>,
        value: T,
        combine: F,
    ) -> T {
        context.warp().reduced(value, combine)
    }

    #[inline(always)]
    fn scan<T: KernelArg, F: Fn(T, T) -> T>(
        context: &GroupContext<'_, OfWarp<S>>,
        value: T,
        combine: F,
    ) -> SoFar<T> {
        SoFar::of_warp(context.warp(), value, combine)
    }

    #[inline(always)]
    fn broadcast<T: KernelArg>(context: &GroupContext<'_, OfWarp<S>>, value: T, thread: usize) -> T {
        context.warp().value_for_all(value, thread as u32)
    }

    #[inline(always)]
    fn count(context: &GroupContext<'_, OfWarp<S>>, value: bool) -> usize {
        context.warp().ballot(value).count_ones() as usize
    }

    #[inline(always)]
    fn any(context: &GroupContext<'_, OfWarp<S>>, value: bool) -> bool {
        context.warp().ballot(value) != 0
    }

    #[inline(always)]
    fn all(context: &GroupContext<'_, OfWarp<S>>, value: bool) -> bool {
        context.warp().ballot(!value) == 0
    }
}

/// Threads in a full warp, of which no tiles are made.
#[inline(always)]
pub(crate) fn warp_size() -> usize {
    hardware::warp_size() as usize
}

impl<'k, S: GroupShape> GroupContext<'k, S> {
    /// Calls the body for this thread's warp.
    #[inline(always)]
    pub(crate) fn each_warp(&self, body: impl FnOnce(GroupContext<'k, OfWarp<S>>)) {
        body(self.seen_as());
    }
}

impl<S: GroupShape> GroupContext<'_, S> {
    /// Threads in one of the context's full warps.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> usize {
        self.warp().size as usize
    }
}

impl<S: GroupShape> GroupContext<'_, OfWarp<S>> {
    /// Which warp the context is.
    #[inline(always)]
    pub(crate) fn warp_place(&self) -> WarpPlace {
        let warp = self.warp();
        let (index, threads) = (warp.number as usize, warp.threads as usize);
        let size = warp.size as usize;
        // Of the group, or of the warp whose tile it is.
        let warps = S::threads_around(self).div_ceil(size);
        WarpPlace { index, first: index * size, threads, warps }
    }
}

/// A [`Private`] of the group that a warp changes: this thread's value is its part.
pub(crate) type Lent<'i, T> = &'i mut Private<'i, T>;

// SAFETY: a thread has its own value only.
unsafe impl<'a, T: Copy + 'static> WarpItems for &'a mut Private<'_, T> {
    type Item<'i> = PrivateMut<'i, T>;
    type Part = *mut Private<'a, T>;

    #[inline(always)]
    fn check(&self, _: usize, _: usize) {}

    #[inline(always)]
    unsafe fn part(&mut self, _: WarpPlace) -> Self::Part {
        // The cast shortens the group's lifetime.
        (&raw mut **self).cast()
    }

    #[inline(always)]
    unsafe fn lend<'i>(values: &'i mut Self::Part) -> PrivateMut<'i, T> {
        // SAFETY: the value is borrowed exclusively, and `PrivateMut` lets nobody put another `Private` there, so that its
        // lifetime may be shortened.
        PrivateMut::new(unsafe { &mut *values.cast() })
    }
}

// SAFETY: the value is only read.
unsafe impl<'a, T: Copy + 'static> WarpItems for &'a Private<'_, T> {
    type Item<'i> = &'i Private<'i, T>;
    type Part = *const Private<'a, T>;

    #[inline(always)]
    fn check(&self, _: usize, _: usize) {}

    #[inline(always)]
    unsafe fn part(&mut self, _: WarpPlace) -> Self::Part {
        &raw const **self
    }

    #[inline(always)]
    unsafe fn lend<'i>(values: &'i mut Self::Part) -> &'i Private<'i, T> {
        // SAFETY: the value outlives 'i; the cast shortens lifetimes, in which a `Private` is covariant.
        unsafe { &*values.cast() }
    }
}
