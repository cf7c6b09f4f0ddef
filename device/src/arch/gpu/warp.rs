//! What the threads of a warp compute of each other's values. Everything here is called at group or at warp level: all
//! threads of the warp take part.

use gridwright_core::KernelArg;

use super::collective;
use super::group_context::{GroupContext, GroupShape};
use super::private_values::PrivateValues;
use super::warp_lanes::Warp;
use super::warps::OfWarp;
use crate::arch::hardware;
use crate::warp::{Reduction, WarpInteger};
use crate::{Items, Thread};

#[inline(always)]
pub(crate) fn shuffle<'g, S: GroupShape, T: KernelArg>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    lane: impl Fn(usize, usize) -> usize,
) -> PrivateValues<'g, T> {
    let warp = context.warp();
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
    let warp = context.warp();
    PrivateValues::new(warp.value_before(values.value, less_than_size(warp, delta)).0)
}

/// Each thread gets the value of the lane so many behind it; the last ones keep their own.
#[inline(always)]
pub(crate) fn shift_down<'g, S: GroupShape, T: KernelArg>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    delta: usize,
) -> PrivateValues<'g, T> {
    let warp = context.warp();
    PrivateValues::new(warp.value_behind(values.value, less_than_size(warp, delta)))
}

/// Each thread gets the value of the lane whose number is its own with the bits of `mask` flipped, or its own value if there is no such lane.
#[inline(always)]
pub(crate) fn shuffle_xor<'g, S: GroupShape, T: KernelArg>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    mask: usize,
) -> PrivateValues<'g, T> {
    let warp = context.warp();
    PrivateValues::new(warp.value_across(values.value, less_than_size(warp, mask)))
}

/// A distance between lanes of a warp, or the bits in which their numbers differ. Where no two lanes are so far apart it is zero, so that
/// each thread gets its own value.
#[inline(always)]
fn less_than_size(warp: Warp, distance: usize) -> u32 {
    if distance < warp.size as usize { distance as u32 } else { 0 }
}

#[inline(always)]
pub(crate) fn shuffle_to<'g, S: GroupShape, T: KernelArg>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    lanes: &PrivateValues<'_, u32>,
) -> PrivateValues<'g, T> {
    PrivateValues::new(context.warp().value_of(values.value, lanes.value))
}

/// The lane that comes before the one that each lane names, as that one knows: a lower one, or none.
#[inline(always)]
pub(crate) fn before<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    lanes: &PrivateValues<'_, u32>,
) -> PrivateValues<'g, u32> {
    let before = context.warp().value_of(lanes.value, lanes.value);
    PrivateValues::new(hardware::lower_lane(before, lanes.value))
}

/// Calls the body for the thread of one lane alone, which the warp has, and gives what it returns to all threads.
#[inline(always)]
#[track_caller]
pub(crate) fn invoke<S, T, F>(context: &GroupContext<'_, OfWarp<S>>, lane: usize, body: F) -> T
where
    S: GroupShape,
    T: KernelArg,
    F: for<'t> Fn(Thread<'t>) -> T,
{
    let results = ().map(context, |t, ()| if t.lane() == lane { body(t) } else { T::zeroed() });
    collective::broadcast(context, &results, lane)
}

#[inline(always)]
pub(crate) fn ballot<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, bool>,
) -> PrivateValues<'g, u64> {
    PrivateValues::new(context.warp().ballot(values.value))
}

/// A bit for each lane whose value is true, of the one warp whose context is given.
#[inline(always)]
pub(crate) fn ballot_of<S: GroupShape>(
    context: &GroupContext<'_, OfWarp<S>>,
    values: &PrivateValues<'_, bool>,
) -> u64 {
    context.warp().ballot(values.value)
}

#[inline(always)]
pub(crate) fn any<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, bool>,
) -> PrivateValues<'g, bool> {
    PrivateValues::new(context.warp().ballot(values.value) != 0)
}

#[inline(always)]
pub(crate) fn all<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, bool>,
) -> PrivateValues<'g, bool> {
    PrivateValues::new(context.warp().ballot(!values.value) == 0)
}

#[inline(always)]
pub(crate) fn match_any<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, u64>,
) -> PrivateValues<'g, u64> {
    let warp = context.warp();
    // SAFETY: called at group or warp level.
    let same = unsafe { hardware::match_any(warp.members(), values.value) };
    PrivateValues::new(same >> warp.first & warp.lanes())
}

#[inline(always)]
pub(crate) fn match_bits<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, u32>,
    bits: u32,
) -> PrivateValues<'g, u64> {
    let warp = context.warp();
    // SAFETY: called at group or warp level.
    let same = unsafe { hardware::match_bits(warp.members(), values.value, bits) };
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
    let warp = context.warp();
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
    PrivateValues::new(context.warp().combined_so_far(values.value, combine))
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
    let warp = context.warp();
    let so_far = warp.combined_so_far(values.value, &combine);
    let (before, is_there) = warp.value_before(so_far, 1);
    PrivateValues::new(if is_there { combine(start, before) } else { start })
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
    let all = PrivateValues::new(context.warp().lanes());
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
    let members = lanes.value << context.warp().first;
    let signed = T::WORD?.is_signed;
    // SAFETY: called at group or warp level, and so by all that are named.
    let word = unsafe { hardware::reduce(members, values.value.to_word(), reduction, signed) };
    word.map(|word| PrivateValues::new(T::from_word(word)))
}
