//! What a group, or one warp of it, computes of all its threads' values: in each warp by shuffles, and of the warps' results
//! through the memory in front of the kernel's own. Each ends with the barrier that lets the next one use that memory.

use gridwright_core::{COLLECTIVE_BYTES, KernelArg};

use super::cells::Cells;
use super::team::{GroupShape, Team};
use super::warp::Warp;
use super::words::{MOST_BYTES, MOST_WARPS};
use crate::arch::hardware;

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
        team: &Team<'_, S>,
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
            team.barrier();
            for other in 0..warps {
                // SAFETY: each warp put its value there before the barrier.
                take(other, unsafe { self.get(other) });
            }
            team.barrier();
            return;
        }
        let mut first = 0;
        while first < warps {
            let end = warps.min(first + Self::PLACES);
            if is_sender && (first..end).contains(&warp.number) {
                // SAFETY: the one thread of this warp that is the sender, and the warp is one of the `PLACES` from `first` on.
                unsafe { self.put(warp.number - first, value) };
            }
            team.barrier();
            for other in first..end {
                // SAFETY: each warp that has a place now put its value there before the barrier. Where its sender panicked, any
                // bits are a value.
                take(other, unsafe { self.get(other - first) });
            }
            team.barrier();
            first = end;
        }
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
    if const { Board::<T>::PLACES < MOST_WARPS } {
        let mut all = sum;
        board.exchange(team, &warp, warps, warp.lane == 0, sum, |other, sum| {
            all = if other == 0 { sum } else { combine(all, sum) };
        });
        return all;
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

/// This thread's warp, the values up to this thread's in it, and those of the warps before.
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
    // The last warp's own lanes may be few: every thread adds up the warps before its own.
    let mut before = None;
    board.exchange(team, &warp, warps, warp.lane == warp.threads - 1, so_far, |other, sum| {
        if other < warp.number {
            before = Some(match before {
                Some(before) => combine(before, sum),
                None => sum,
            });
        }
    });
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
