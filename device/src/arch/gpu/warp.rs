//! What the threads of a warp compute of each other's values. Everything here is called at group or at warp level: all
//! threads of the warp take part.

use gridwright_core::KernelArg;

use super::cells::Cells;
use super::team::{GroupShape, Team};
use super::warps::OfWarp;
use super::words::by_word;
use crate::arch::hardware;

/// This thread's warp.
#[derive(Clone, Copy)]
pub(super) struct Warp {
    /// This thread's place in it.
    pub(super) lane: u32,
    /// How many threads it has: all, but in the last warp of a group.
    pub(super) threads: u32,
    /// Its number in the group.
    pub(super) number: u32,
}

impl Warp {
    #[inline(always)]
    pub(super) fn of<S: GroupShape>(team: &Team<'_, S>) -> Self {
        let [x, y, z] = team.sizes().map(|size| size as u32);
        let (size, number, threads) = (hardware::warp_size(), team.number_in_group(), x * y * z);
        let first = number / size * size;
        let whole = threads.is_multiple_of(size);
        let threads = if whole { size } else { size.min(threads - first) };
        Self { lane: number % size, threads, number: number / size }
    }

    /// A bit for each of its threads.
    #[inline(always)]
    fn lanes(self) -> u64 {
        u64::MAX >> (64 - self.threads)
    }

    /// The value of a lane; of one that isn't there, the thread's own.
    #[inline(always)]
    pub(super) fn value_of<T: KernelArg>(self, value: T, lane: u32) -> T {
        let lane = if lane < self.threads { lane } else { self.lane };
        // SAFETY: called at group or warp level; the lane is there.
        by_word(value, |word| unsafe { hardware::shuffle(self.lanes(), word, lane) })
    }

    /// Waits until all its threads are here; what they wrote to memory that they share is seen by all.
    #[inline(always)]
    pub(super) fn barrier(self) {
        hardware::barrier_of_warp(self.lanes());
    }

    #[inline(always)]
    pub(super) fn ballot(self, value: bool) -> u64 {
        // SAFETY: called at group or warp level.
        unsafe { hardware::ballot(self.lanes(), value) }
    }

    /// The values of all lanes, combined in lane 0. Each other lane has combined some of them, too.
    #[inline(always)]
    pub(super) fn combined<T: KernelArg>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        let mut sum = value;
        let mut half = hardware::warp_size() / 2;
        while half > 0 {
            let other = self.lane ^ half;
            let theirs = self.value_of(sum, other);
            if other < self.threads {
                sum = combine(sum, theirs);
            }
            half /= 2;
        }
        sum
    }

    /// The values of the lanes up to this one, combined in order.
    #[inline(always)]
    pub(super) fn combined_so_far<T: KernelArg>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        let mut sum = value;
        let mut distance = 1;
        while distance < hardware::warp_size() {
            let theirs = self.value_of(sum, self.lane.wrapping_sub(distance));
            if self.lane >= distance {
                sum = combine(theirs, sum);
            }
            distance *= 2;
        }
        sum
    }
}

#[inline(always)]
pub(crate) fn shuffle<'g, S: GroupShape, T: KernelArg>(
    team: &Team<'g, S>,
    cells: &Cells<'_, T>,
    lane: impl Fn(usize, usize) -> usize,
) -> Cells<'g, T> {
    let warp = Warp::of(team);
    let from = lane(team.number() as usize, warp.lane as usize);
    let from = if from < warp.threads as usize { from as u32 } else { warp.lane };
    Cells::new(warp.value_of(cells.value, from))
}

#[inline(always)]
pub(crate) fn shuffle_to<'g, S: GroupShape, T: KernelArg>(
    team: &Team<'g, S>,
    cells: &Cells<'_, T>,
    lanes: &Cells<'_, u32>,
) -> Cells<'g, T> {
    Cells::new(Warp::of(team).value_of(cells.value, lanes.value))
}

#[inline(always)]
pub(crate) fn ballot<'g, S: GroupShape>(team: &Team<'g, S>, cells: &Cells<'_, bool>) -> Cells<'g, u64> {
    Cells::new(Warp::of(team).ballot(cells.value))
}

/// The same for one warp, whose team it is.
#[inline(always)]
pub(crate) fn ballot_of<S: GroupShape>(team: &Team<'_, OfWarp<S>>, cells: &Cells<'_, bool>) -> u64 {
    Warp::of(team).ballot(cells.value)
}

#[inline(always)]
pub(crate) fn any<'g, S: GroupShape>(team: &Team<'g, S>, cells: &Cells<'_, bool>) -> Cells<'g, bool> {
    Cells::new(Warp::of(team).ballot(cells.value) != 0)
}

#[inline(always)]
pub(crate) fn all<'g, S: GroupShape>(team: &Team<'g, S>, cells: &Cells<'_, bool>) -> Cells<'g, bool> {
    Cells::new(Warp::of(team).ballot(!cells.value) == 0)
}

#[inline(always)]
pub(crate) fn match_any<'g, S: GroupShape>(team: &Team<'g, S>, cells: &Cells<'_, u64>) -> Cells<'g, u64> {
    // SAFETY: called at group or warp level.
    Cells::new(unsafe { hardware::match_any(Warp::of(team).lanes(), cells.value) })
}

#[inline(always)]
pub(crate) fn reduce<'g, S, T, F>(team: &Team<'g, S>, cells: &Cells<'_, T>, combine: F) -> Cells<'g, T>
where
    S: GroupShape,
    T: KernelArg,
    F: Fn(T, T) -> T,
{
    let warp = Warp::of(team);
    // The result of lane 0, so that all have the same even where the order of two values matters.
    Cells::new(warp.value_of(warp.combined(cells.value, combine), 0))
}
