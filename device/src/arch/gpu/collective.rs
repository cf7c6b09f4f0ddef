//! What a group, or one warp of it, computes of all its threads' values: in each warp by shuffles, and of the warps' results
//! through the memory in front of the kernel's own. Each ends with the barrier that lets the next one use that memory.

use core::marker::PhantomData;

use gridwright_core::{COLLECTIVE_BYTES, KernelArg};

use super::group_context::{GroupContext, GroupShape, Together};
use super::private_values::PrivateValues;
use super::so_far::SoFar;
use super::warp_lanes::Warp;
use super::words::{MOST_BYTES, MOST_WARPS};
use crate::arch::hardware;
use crate::block::Block;

/// A value for each warp of the group, or for some of them at a time where it is large.
struct Board<T>(*mut T);

impl<T: KernelArg> Board<T> {
    /// The warps that have a place at a time.
    const PLACES: u32 = match size_of::<T>() {
        0..=MOST_BYTES => MOST_WARPS,
        bytes => (COLLECTIVE_BYTES / bytes) as u32,
    };

    #[inline(always)]
    fn new() -> Self {
        Self(hardware::workgroup_memory().cast())
    }

    /// # Safety
    /// One thread writes the place, before a barrier. There are as many as [`PLACES`](Self::PLACES).
    #[inline(always)]
    unsafe fn put(&self, at: u32, value: T) {
        let place = self.0.wrapping_add(at as usize);
        // SAFETY: there is a place for each of so many warps; the memory itself is aligned to 16 bytes.
        unsafe {
            if const { align_of::<T>() <= 16 } {
                place.write(value);
            } else {
                place.write_unaligned(value);
            }
        }
    }

    /// # Safety
    /// The place was written before the last barrier.
    #[inline(always)]
    unsafe fn get(&self, at: u32) -> T {
        let place = self.0.wrapping_add(at as usize);
        // SAFETY: the place is one of as many as `PLACES`, and was written before the last barrier, as this function asks.
        unsafe { if const { align_of::<T>() <= 16 } { place.read() } else { place.read_unaligned() } }
    }

    /// Puts the values of a group's warps on the board, each by the thread that `is_sender`, as many at a time as there is room for,
    /// and takes all in their order. Every thread takes the same.
    #[inline(always)]
    fn exchange<S: GroupShape>(
        &self,
        context: &GroupContext<'_, S>,
        warp: &Warp,
        warps: u32,
        is_sender: bool,
        value: T,
        mut take: impl FnMut(u32, T),
    ) {
        if const { Self::PLACES == MOST_WARPS } {
            if is_sender {
                // SAFETY: the one thread of this warp that is the sender.
                unsafe { self.put(warp.number, value) };
            }
            context.barrier();
            for other in 0..warps {
                // SAFETY: each warp put its value there before the barrier.
                take(other, unsafe { self.get(other) });
            }
            context.barrier();
            return;
        }
        let mut first = 0;
        while first < warps {
            let end = warps.min(first + Self::PLACES);
            if is_sender && (first..end).contains(&warp.number) {
                // SAFETY: the one thread of this warp that is the sender, and the warp is one of the `PLACES` from `first` on.
                unsafe { self.put(warp.number - first, value) };
            }
            context.barrier();
            for other in first..end {
                // SAFETY: each warp that has a place now put its value there before the barrier. Where its sender panicked, any
                // bits are a value.
                take(other, unsafe { self.get(other - first) });
            }
            context.barrier();
            first = end;
        }
    }
}

/// The number of the group's warps.
#[inline(always)]
fn warps<S: GroupShape>(context: &GroupContext<'_, S>) -> u32 {
    (context.threads_of_group() as u32).div_ceil(hardware::warp_size())
}

/// Whether the group is declared to be of full warps, as many as a power of two.
#[inline(always)]
fn are_full_and_known<S: GroupShape>() -> bool {
    let size = hardware::warp_size() as usize;
    S::Block::THREADS.is_some_and(|threads| (threads / size).is_power_of_two() && threads % size == 0)
}

/// A group computes in each warp by shuffles, and of the warps' results through the memory in front of the kernel's own.
#[derive(Clone, Copy, Debug)]
pub struct AsGroup;

impl<S: GroupShape> Together<S> for AsGroup {
    #[inline(always)]
    fn reduce<T: KernelArg, F: Fn(T, T) -> T>(context: &GroupContext<'_, S>, value: T, combine: F) -> T {
        let (warp, warps, board) = (context.warp(), warps(context), Board::new());
        let sum = warp.combined(value, &combine);
        if warps == 1 {
            return warp.value_for_all(sum, 0);
        }
        if const { Board::<T>::PLACES < MOST_WARPS } {
            let mut all = sum;
            board.exchange(context, &warp, warps, warp.lane == 0, sum, |other, sum| {
                all = if other == 0 { sum } else { combine(all, sum) };
            });
            return all;
        }
        if warp.lane == 0 {
            // SAFETY: lane 0 of this warp alone.
            unsafe { board.put(warp.number, sum) };
        }
        context.barrier();
        // Every thread combines the warps' values in the same order, so that all have the same.
        // SAFETY: each warp put its value there before the barrier.
        let sum =
            (1..warps).fold(unsafe { board.get(0) }, |sum, warp| combine(sum, unsafe { board.get(warp) }));
        context.barrier();
        sum
    }

    #[inline(always)]
    fn scan<T: KernelArg, F: Fn(T, T) -> T>(context: &GroupContext<'_, S>, value: T, combine: F) -> SoFar<T> {
        let (warps, board) = (warps(context), Board::new());
        let mut so_far = SoFar::of_warp(context.warp(), value, &combine);
        if warps == 1 {
            return so_far;
        }
        let (warp, in_warp) = (so_far.warp, so_far.in_warp);
        let is_last = warp.lane == warp.threads - 1;
        if are_full_and_known::<S>() && const { Board::<T>::PLACES == MOST_WARPS } {
            if is_last {
                // SAFETY: the last lane of this warp alone.
                unsafe { board.put(warp.number, in_warp) };
            }
            context.barrier();
            // SAFETY: each warp put its value there before the barrier.
            so_far.before = warp.combined_before(warps, |other| unsafe { board.get(other) }, combine);
            context.barrier();
            return so_far;
        }
        // The last warp's own lanes may be few: every thread adds up the warps before its own.
        board.exchange(context, &warp, warps, is_last, in_warp, |other, sum| {
            if other < warp.number {
                so_far.before = Some(match so_far.before {
                    Some(before) => combine(before, sum),
                    None => sum,
                });
            }
        });
        so_far
    }

    #[inline(always)]
    fn broadcast<T: KernelArg>(context: &GroupContext<'_, S>, value: T, thread: usize) -> T {
        let board = Board::new();
        if context.number_in_group() as usize == thread {
            // SAFETY: one thread has the number.
            unsafe { board.put(0, value) };
        }
        context.barrier();
        // SAFETY: it was written before the barrier.
        let value = unsafe { board.get(0) };
        context.barrier();
        value
    }
}

/// The shape of several groups: of a grid, or of a cluster. Each group has a place for a value that all of them read.
pub(super) trait OfGroups: GroupShape {
    type Group: GroupShape<Block = Self::Block, Width = Self::Width>;

    /// The number of groups.
    fn groups(context: &GroupContext<'_, Self>) -> usize;
    /// The number of this thread's group among them.
    fn rank(context: &GroupContext<'_, Self>) -> usize;
    /// The place of a group's value, which is aligned to 16 bytes.
    fn place<T>(context: &GroupContext<'_, Self>, rank: usize) -> *mut T;
    /// Waits until all threads of the groups are here; what they wrote is seen by all.
    fn wait(context: &GroupContext<'_, Self>);
}

/// The places of groups, between two barriers.
struct Places<'a, 'k, G: OfGroups, T> {
    context: &'a GroupContext<'k, G>,
    _values: PhantomData<T>,
}

impl<G: OfGroups, T: KernelArg> Places<'_, '_, G, T> {
    /// The value at a group's place.
    #[inline(always)]
    fn get(&self, rank: usize) -> T {
        // SAFETY: `exchange` makes this between its barriers, and asks that the places that are read were written before.
        unsafe { G::place::<T>(self.context, rank).read() }
    }
}

/// Puts the value of the thread that `is_sender` at its group's place. `take` reads places, between two barriers.
///
/// # Safety
/// At most one thread of each group is the sender; `take` reads places that were written.
#[inline(always)]
unsafe fn exchange<G: OfGroups, T: KernelArg, R>(
    context: &GroupContext<'_, G>,
    is_sender: bool,
    value: T,
    take: impl FnOnce(&Places<'_, '_, G, T>) -> R,
) -> R {
    if is_sender {
        // SAFETY: the place is this group's, and one thread writes it, as this function asks.
        unsafe { G::place::<T>(context, G::rank(context)).write(value) };
    }
    G::wait(context);
    let result = take(&Places { context, _values: PhantomData });
    G::wait(context);
    result
}

/// Groups compute each on its own, and of the groups' results through their places.
#[derive(Clone, Copy, Debug)]
pub struct ByGroups;

impl<G: OfGroups> Together<G> for ByGroups {
    #[inline(always)]
    fn reduce<T: KernelArg, F: Fn(T, T) -> T>(context: &GroupContext<'_, G>, value: T, combine: F) -> T {
        let group = context.seen_as::<G::Group>();
        let sum = <G::Group as GroupShape>::Together::reduce(&group, value, &combine);
        // Every thread combines the groups' values in the same order, so that all have the same.
        let all = |places: &Places<'_, '_, G, T>| {
            (1..G::groups(context)).fold(places.get(0), |all, rank| combine(all, places.get(rank)))
        };
        // SAFETY: the leading thread of each group is the sender, so that all places are written.
        unsafe { exchange(context, group.leads(), sum, all) }
    }

    #[inline(always)]
    fn scan<T: KernelArg, F: Fn(T, T) -> T>(context: &GroupContext<'_, G>, value: T, combine: F) -> SoFar<T> {
        let group = context.seen_as::<G::Group>();
        let so_far = <G::Group as GroupShape>::Together::scan(&group, value, &combine);
        let (is_last, sum) = (group.number() as usize == group.threads() - 1, so_far.inclusive(&combine));
        let before = |places: &Places<'_, '_, G, T>| match G::rank(context) {
            0 => None,
            rank => Some((1..rank).fold(places.get(0), |before, rank| combine(before, places.get(rank)))),
        };
        // SAFETY: the last thread of each group is the sender, so that all places are written.
        let earlier = unsafe { exchange(context, is_last, sum, before) };
        so_far.after(earlier, combine)
    }

    #[inline(always)]
    fn broadcast<T: KernelArg>(context: &GroupContext<'_, G>, value: T, thread: usize) -> T {
        let rank = thread / context.threads_of_group();
        let is_sender = G::number(context) as usize == thread;
        // SAFETY: one thread has the number, and it is of that group.
        unsafe { exchange(context, is_sender, value, |places| places.get(rank)) }
    }
}

#[inline(always)]
pub(crate) fn reduce<S, T, F>(context: &GroupContext<'_, S>, values: &PrivateValues<'_, T>, combine: F) -> T
where
    S: GroupShape,
    T: KernelArg,
    F: Fn(T, T) -> T,
{
    S::Together::reduce(context, values.value, combine)
}

#[inline(always)]
pub(crate) fn scan_inclusive<'g, S, T, F>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    combine: F,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: KernelArg,
    F: Fn(T, T) -> T,
{
    PrivateValues::new(S::Together::scan(context, values.value, &combine).inclusive(&combine))
}

#[inline(always)]
pub(crate) fn scan_exclusive<'g, S, T, F>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    start: T,
    combine: F,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: KernelArg,
    F: Fn(T, T) -> T,
{
    PrivateValues::new(S::Together::scan(context, values.value, &combine).exclusive(start, &combine))
}

/// The value of the thread of a number, which is below the number of threads.
#[inline(always)]
pub(crate) fn broadcast<S: GroupShape, T: KernelArg>(
    context: &GroupContext<'_, S>,
    values: &PrivateValues<'_, T>,
    thread: usize,
) -> T {
    S::Together::broadcast(context, values.value, thread)
}

#[inline(always)]
pub(crate) fn count<S: GroupShape>(context: &GroupContext<'_, S>, values: &PrivateValues<'_, bool>) -> usize {
    S::Together::count(context, values.value)
}

#[inline(always)]
pub(crate) fn any<S: GroupShape>(context: &GroupContext<'_, S>, values: &PrivateValues<'_, bool>) -> bool {
    S::Together::any(context, values.value)
}

#[inline(always)]
pub(crate) fn all<S: GroupShape>(context: &GroupContext<'_, S>, values: &PrivateValues<'_, bool>) -> bool {
    S::Together::all(context, values.value)
}
