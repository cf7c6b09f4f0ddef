//! What a group, or one warp of it, computes of all its threads' values: in each warp by shuffles, and of the warps' results
//! through the memory in front of the kernel's own. Each ends with the barrier that lets the next one use that memory.

use gridwright_core::KernelArg;

use super::cells::Cells;
use super::team::{GroupShape, Team};
use super::warp::Warp;
use super::words::MOST_BYTES;
use crate::arch::hardware;

/// A value for each warp of the group.
struct Board<T>(*mut T);

impl<T: KernelArg> Board<T> {
    #[inline(always)]
    fn new() -> Self {
        const {
            assert!(size_of::<T>() <= MOST_BYTES, "values that threads exchange have at most 32 bytes");
            assert!(align_of::<T>() <= 16, "values that threads exchange are aligned to at most 16 bytes");
        }
        Self(hardware::workgroup_memory().cast())
    }

    /// # Safety
    /// One thread writes the place, before a barrier.
    #[inline(always)]
    unsafe fn put(&self, at: u32, value: T) {
        // SAFETY: there is a place for each warp.
        unsafe { self.0.add(at as usize).write(value) };
    }

    /// # Safety
    /// The place was written before the last barrier.
    #[inline(always)]
    unsafe fn get(&self, at: u32) -> T {
        // SAFETY: there is a place for each warp.
        unsafe { self.0.add(at as usize).read() }
    }
}

/// The number of warps at hand.
#[inline(always)]
fn warps<S: GroupShape>(team: &Team<'_, S>) -> u32 {
    if S::IS_WARP {
        return 1;
    }
    (team.threads() as u32).div_ceil(hardware::warp_size())
}

#[inline(always)]
pub(crate) fn reduce<S, T, F>(team: &Team<'_, S>, cells: &Cells<'_, T>, combine: F) -> T
where
    S: GroupShape,
    T: KernelArg,
    F: Fn(T, T) -> T,
{
    let (warp, warps, board) = (Warp::of(team), warps(team), Board::new());
    let sum = warp.combined(cells.value, &combine);
    if warps == 1 {
        return warp.value_for_all(sum, 0);
    }
    if warp.lane == 0 {
        // SAFETY: lane 0 of this warp alone.
        unsafe { board.put(warp.number, sum) };
    }
    team.barrier();
    // Every thread combines the warps' values in the same order, so that all have the same.
    // SAFETY: each warp put its value there before the barrier.
    let sum = (1..warps).fold(unsafe { board.get(0) }, |sum, warp| combine(sum, unsafe { board.get(warp) }));
    team.barrier();
    sum
}

/// Of this thread's warp: the values up to this thread's, and those of the warps before.
#[inline(always)]
fn scan<S, T, F>(team: &Team<'_, S>, value: T, combine: F) -> (Warp, T, Option<T>)
where
    S: GroupShape,
    T: KernelArg,
    F: Fn(T, T) -> T,
{
    let (warp, warps, board) = (Warp::of(team), warps(team), Board::new());
    let so_far = warp.combined_so_far(value, &combine);
    if warps == 1 {
        return (warp, so_far, None);
    }
    if warp.lane == warp.threads - 1 {
        // SAFETY: the last lane of this warp alone.
        unsafe { board.put(warp.number, so_far) };
    }
    team.barrier();
    // SAFETY: each warp put its value there before the barrier. The last warp's own lanes may be few: every thread adds
    // up the warps before its own.
    let mut before = None;
    for other in 0..warps {
        // SAFETY: as above.
        let sum = unsafe { board.get(other) };
        if other < warp.number {
            before = Some(match before {
                Some(before) => combine(before, sum),
                None => sum,
            });
        }
    }
    team.barrier();
    (warp, so_far, before)
}

#[inline(always)]
pub(crate) fn scan_inclusive<'g, S, T, F>(
    team: &Team<'g, S>,
    cells: &Cells<'_, T>,
    combine: F,
) -> Cells<'g, T>
where
    S: GroupShape,
    T: KernelArg,
    F: Fn(T, T) -> T,
{
    let (_, so_far, before) = scan(team, cells.value, &combine);
    Cells::new(match before {
        Some(before) => combine(before, so_far),
        None => so_far,
    })
}

#[inline(always)]
pub(crate) fn scan_exclusive<'g, S, T, F>(
    team: &Team<'g, S>,
    cells: &Cells<'_, T>,
    start: T,
    combine: F,
) -> Cells<'g, T>
where
    S: GroupShape,
    T: KernelArg,
    F: Fn(T, T) -> T,
{
    let (warp, so_far, before) = scan(team, cells.value, &combine);
    let of_the_one_before = warp.value_of(so_far, warp.lane.wrapping_sub(1));
    let start = match before {
        Some(before) => combine(start, before),
        None => start,
    };
    Cells::new(if warp.lane > 0 { combine(start, of_the_one_before) } else { start })
}

#[inline(always)]
pub(crate) fn broadcast<S: GroupShape, T: KernelArg>(
    team: &Team<'_, S>,
    cells: &Cells<'_, T>,
    thread: usize,
) -> T {
    if S::IS_WARP {
        return Warp::of(team).value_for_all(cells.value, thread as u32);
    }
    let board = Board::new();
    if team.number() as usize == thread {
        // SAFETY: one thread has the number.
        unsafe { board.put(0, cells.value) };
    }
    team.barrier();
    // SAFETY: it was written before the barrier.
    let value = unsafe { board.get(0) };
    team.barrier();
    value
}

#[inline(always)]
pub(crate) fn count<S: GroupShape>(team: &Team<'_, S>, cells: &Cells<'_, bool>) -> usize {
    if S::IS_WARP {
        return Warp::of(team).ballot(cells.value).count_ones() as usize;
    }
    reduce(team, &Cells::new(u32::from(cells.value)), |a, b| a + b) as usize
}

#[inline(always)]
pub(crate) fn any<S: GroupShape>(team: &Team<'_, S>, cells: &Cells<'_, bool>) -> bool {
    if S::IS_WARP {
        return Warp::of(team).ballot(cells.value) != 0;
    }
    reduce(team, &Cells::new(u32::from(cells.value)), |a, b| a | b) != 0
}

#[inline(always)]
pub(crate) fn all<S: GroupShape>(team: &Team<'_, S>, cells: &Cells<'_, bool>) -> bool {
    if S::IS_WARP {
        return Warp::of(team).ballot(!cells.value) == 0;
    }
    reduce(team, &Cells::new(u32::from(cells.value)), |a, b| a & b) != 0
}
