//! What the threads of a warp compute of each other's values. Everything here is called at group or at warp level: all
//! threads of the warp take part.

use gridwright_core::KernelArg;

use super::collective;
use super::group_context::{GroupContext, GroupShape};
use super::private_values::PrivateValues;
use super::warps::OfWarp;
use super::words::by_word;
use crate::arch::hardware;
use crate::warp::{Reduction, WarpInteger};

/// This thread's warp, or its tile of one.
#[derive(Clone, Copy, Debug)]
pub struct Warp {
    /// The hardware's lane that is the warp's first: zero, but for tiles.
    first: u32,
    /// The number of lanes of a full warp.
    pub(super) size: u32,
    /// This thread's place in the warp.
    pub(super) lane: u32,
    /// The number of the warp's threads: all, but in the last warp of a group.
    pub(super) threads: u32,
    /// The warp's number in the group, or in what it is a tile of.
    pub(super) number: u32,
}

impl Warp {
    #[inline(always)]
    pub(super) fn of<S: GroupShape>(context: &GroupContext<'_, S>) -> Self {
        let [x, y, z] = context.sizes().map(|size| size as u32);
        S::warp(context.number_in_group(), x * y * z)
    }

    /// The warp of the hardware, of the thread of a number in a group of so many.
    #[inline(always)]
    pub(super) fn whole(number: u32, threads: u32) -> Self {
        let size = hardware::warp_size();
        let (lane, threads) = (number % size, present(number, threads, size));
        Self { first: 0, size, lane, threads, number: number / size }
    }

    /// The tile of so many lanes, a power of two, of the thread of a number, in a group of so many that is of whole warps
    /// but for the last.
    #[inline(always)]
    pub(super) fn tile_of_group(number: u32, threads: u32, size: u32) -> Self {
        let (lane, threads) = (number % size, present(number, threads, size));
        let first = number % hardware::warp_size() / size * size;
        Self { first, size, lane, threads, number: number / size }
    }

    /// The tile of `size` lanes of this warp that has the thread.
    #[inline(always)]
    pub(super) fn tile(self, size: u32) -> Self {
        let (lane, threads) = (self.lane % size, present(self.lane, self.threads, size));
        Self { first: self.first + self.lane / size * size, size, lane, threads, number: self.lane / size }
    }

    /// A bit for each of the warp's threads, the lowest for its first.
    #[inline(always)]
    pub(super) fn lanes(self) -> u64 {
        u64::MAX >> (64 - self.threads)
    }

    /// A bit for each of the warp's threads, the lowest for the first lane of the hardware.
    #[inline(always)]
    fn members(self) -> u64 {
        self.lanes() << self.first
    }

    /// The value of a lane; of one that isn't there, the thread's own.
    #[inline(always)]
    pub(super) fn value_of<T: KernelArg>(self, value: T, lane: u32) -> T {
        let lane = if lane < self.threads { lane } else { self.lane };
        // SAFETY: called at group or warp level; the lane is there.
        by_word(value, |word| unsafe { hardware::shuffle(self.members(), word, self.first + lane) })
    }

    /// The value of a lane, for all: what code at the level of the warp, or of the group, goes by. It is the same in each
    /// thread also where that lane has panicked: then it is the value of another, since a shuffle from a lane that has ended
    /// gives each thread something of its own.
    ///
    /// All that leaves the lanes comes by here, but for votes and the hardware's reductions, which are one value for all.
    #[inline(always)]
    pub(super) fn value_for_all<T: KernelArg>(self, value: T, lane: u32) -> T {
        // SAFETY: called at group or warp level; callers name a lane that is there.
        let lane = unsafe { hardware::living_lane(self.members(), self.first + lane) };
        // SAFETY: called at group or warp level; the lane was just found to be there.
        by_word(value, |word| unsafe { hardware::shuffle(self.members(), word, lane) })
    }

    /// Waits until all of the warp's threads are here; what they wrote to memory that they share is seen by
    /// all.
    #[inline(always)]
    pub(super) fn barrier(self) {
        hardware::barrier_of_warp(self.members());
    }

    #[inline(always)]
    pub(super) fn ballot(self, value: bool) -> u64 {
        // SAFETY: called at group or warp level.
        let votes = unsafe { hardware::ballot(self.members(), value) };
        votes >> self.first & self.lanes()
    }

    /// The values of all lanes, combined in lane 0. Each other lane has combined some of them, too.
    #[inline(always)]
    pub(super) fn combined<T: KernelArg>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        let mut sum = value;
        let mut half = self.size / 2;
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
        while distance < self.size {
            let theirs = self.value_of(sum, self.lane.wrapping_sub(distance));
            if self.lane >= distance {
                sum = combine(theirs, sum);
            }
            distance *= 2;
        }
        sum
    }
}

/// The number of threads, of so many, in the run of `size` that has a number.
#[inline(always)]
fn present(number: u32, threads: u32, size: u32) -> u32 {
    if threads.is_multiple_of(size) { size } else { size.min(threads - number / size * size) }
}

#[inline(always)]
pub(crate) fn shuffle<'g, S: GroupShape, T: KernelArg>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    lane: impl Fn(usize, usize) -> usize,
) -> PrivateValues<'g, T> {
    let warp = Warp::of(context);
    let from = lane(context.number() as usize, warp.lane as usize);
    let from = if from < warp.threads as usize { from as u32 } else { warp.lane };
    PrivateValues::new(warp.value_of(values.value, from))
}

/// Each thread gets the value of the lane so many before it; the first ones keep their own.
#[inline(always)]
pub(crate) fn shift_up<'g, S: GroupShape, T: KernelArg>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    delta: usize,
) -> PrivateValues<'g, T> {
    shuffle(context, values, |_, lane| lane.checked_sub(delta).unwrap_or(usize::MAX))
}

/// Each thread gets the value of the lane so many behind it; the last ones keep their own.
#[inline(always)]
pub(crate) fn shift_down<'g, S: GroupShape, T: KernelArg>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    delta: usize,
) -> PrivateValues<'g, T> {
    shuffle(context, values, |_, lane| lane.saturating_add(delta))
}

#[inline(always)]
pub(crate) fn shuffle_to<'g, S: GroupShape, T: KernelArg>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    lanes: &PrivateValues<'_, u32>,
) -> PrivateValues<'g, T> {
    PrivateValues::new(Warp::of(context).value_of(values.value, lanes.value))
}

/// The lane that comes before the one that each lane names, as that one knows: a lower one, or none.
#[inline(always)]
pub(crate) fn before<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    lanes: &PrivateValues<'_, u32>,
) -> PrivateValues<'g, u32> {
    let before = Warp::of(context).value_of(lanes.value, lanes.value);
    PrivateValues::new(hardware::lower_lane(before, lanes.value))
}

#[inline(always)]
pub(crate) fn ballot<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, bool>,
) -> PrivateValues<'g, u64> {
    PrivateValues::new(Warp::of(context).ballot(values.value))
}

/// A bit for each lane whose value is true, of the one warp whose context is given.
#[inline(always)]
pub(crate) fn ballot_of<S: GroupShape>(
    context: &GroupContext<'_, OfWarp<S>>,
    values: &PrivateValues<'_, bool>,
) -> u64 {
    Warp::of(context).ballot(values.value)
}

#[inline(always)]
pub(crate) fn any<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, bool>,
) -> PrivateValues<'g, bool> {
    PrivateValues::new(Warp::of(context).ballot(values.value) != 0)
}

#[inline(always)]
pub(crate) fn all<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, bool>,
) -> PrivateValues<'g, bool> {
    PrivateValues::new(Warp::of(context).ballot(!values.value) == 0)
}

#[inline(always)]
pub(crate) fn match_any<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, u64>,
) -> PrivateValues<'g, u64> {
    let warp = Warp::of(context);
    // SAFETY: called at group or warp level.
    let same = unsafe { hardware::match_any(warp.members(), values.value) };
    PrivateValues::new(same >> warp.first & warp.lanes())
}

#[inline(always)]
pub(crate) fn reduce<'g, S, T, F>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    combine: F,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: KernelArg,
    F: Fn(T, T) -> T,
{
    let warp = Warp::of(context);
    // The result of lane 0, so that all have the same even where the order of two values matters.
    PrivateValues::new(warp.value_of(warp.combined(values.value, combine), 0))
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
    PrivateValues::new(Warp::of(context).combined_so_far(values.value, combine))
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
    let warp = Warp::of(context);
    let so_far = warp.combined_so_far(values.value, &combine);
    let before = warp.value_of(so_far, warp.lane.wrapping_sub(1));
    PrivateValues::new(if warp.lane > 0 { combine(start, before) } else { start })
}

/// The values of the thread's warp, combined.
#[inline(always)]
pub(crate) fn reduce_integers<'g, S: GroupShape, T: WarpInteger>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    reduction: Reduction,
) -> PrivateValues<'g, T> {
    match reduce_integers_at_once(context, values, reduction) {
        Some(reduced) => reduced,
        None => reduce(context, values, |a, b| a.combined(b, reduction)),
    }
}

/// The values of the thread's warp, combined by one instruction, if there is one.
#[inline(always)]
fn reduce_integers_at_once<'g, S: GroupShape, T: WarpInteger>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    reduction: Reduction,
) -> Option<PrivateValues<'g, T>> {
    let all = PrivateValues::new(Warp::of(context).lanes());
    reduce_integers_of(context, &all, values, reduction)
}

/// The values of the one warp whose context is given, combined.
#[inline(always)]
pub(crate) fn reduce_integers_to_one<S: GroupShape, T: WarpInteger>(
    context: &GroupContext<'_, OfWarp<S>>,
    values: &PrivateValues<'_, T>,
    reduction: Reduction,
) -> T {
    match reduce_integers_at_once(context, values, reduction) {
        Some(reduced) => reduced.value,
        None => collective::reduce(context, values, |a, b| a.combined(b, reduction)),
    }
}

/// The values of the lanes that each lane names, combined: by an instruction, if there is one. Those that a lane names, of
/// which it is one, name the same.
#[inline(always)]
pub(crate) fn reduce_integers_of<'g, S: GroupShape, T: WarpInteger>(
    context: &GroupContext<'g, S>,
    lanes: &PrivateValues<'_, u64>,
    values: &PrivateValues<'_, T>,
    reduction: Reduction,
) -> Option<PrivateValues<'g, T>> {
    let members = lanes.value << Warp::of(context).first;
    let signed = T::WORD?.is_signed;
    // SAFETY: called at group or warp level, and so by all that are named.
    let word = unsafe { hardware::reduce(members, values.value.to_word(), reduction, signed) };
    word.map(|word| PrivateValues::new(T::from_word(word)))
}
