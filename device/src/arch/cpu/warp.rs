//! What the threads of a warp compute of each other's values, over the values in memory. A warp is 32 neighbours of the
//! group, or fewer in a tile; the last one may have fewer.

use gridwright_core::KernelArg;

use super::collective::{self, segments_exclusive, segments_inclusive};
use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::identity::WARP;
use super::isa::by_isa;
use super::lane_loops::{Matches, OfWarps, Shuffle, bits};
use super::private_values::{PrivateValues, Results};
use super::warps::OfWarp;
use super::witness::Witness;
use crate::Thread;
use crate::warp::{Reduction, WarpInteger};

/// Each thread gets the value of a lane of its warp; of a lane that isn't there, its own.
#[inline(always)]
pub(crate) fn shuffle<'g, S, T>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    lane: impl Fn(usize, usize) -> usize,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: KernelArg,
{
    let mut shuffled = Results::new(context);
    let values = values.of_threads(context.threads());
    // SAFETY: the shape exists, so its instruction set does; there is a value for each of the results, so that all are written.
    unsafe {
        by_isa!(
            S::ISA,
            Shuffle::<S, T>::baseline(lane, shuffled.room(), values, context.shape),
            Shuffle::<S, T>::avx2(lane, shuffled.room(), values, context.shape),
            Shuffle::<S, T>::avx512(lane, shuffled.room(), values, context.shape)
        );
        shuffled.written()
    }
}

/// Each thread gets the value of the lane whose number is its own with the bits of `mask` flipped, or its own value if there is no such lane.
#[inline(always)]
pub(crate) fn shuffle_xor<'g, S, T>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    mask: usize,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: KernelArg,
{
    shuffle(context, values, move |_, own| own ^ mask)
}

/// Each thread gets the value of the lane so many before it; the first ones keep their own.
#[inline(always)]
pub(crate) fn shift_up<'g, S, T>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    delta: usize,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: KernelArg,
{
    shuffle(context, values, move |_, own| if own >= delta { own - delta } else { own })
}

/// Each thread gets the value of the lane so many behind it; the last ones keep their own.
#[inline(always)]
pub(crate) fn shift_down<'g, S, T>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    delta: usize,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: KernelArg,
{
    shuffle(context, values, move |_, own| own.saturating_add(delta))
}

/// Each thread gets the value of the lane that it names.
#[inline(always)]
pub(crate) fn shuffle_to<'g, S, T>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    lanes: &PrivateValues<'_, u32>,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: KernelArg,
{
    let lanes = lanes.values();
    shuffle(context, values, |number, _| lanes[number] as usize)
}

/// The lane that comes before the one that each lane names, as that one knows.
#[inline(always)]
pub(crate) fn before<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    lanes: &PrivateValues<'_, u32>,
) -> PrivateValues<'g, u32> {
    shuffle_to(context, lanes, lanes)
}

/// Each thread gets one value of its whole warp.
#[inline(always)]
fn of_warp<'g, S, T, R>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    value: impl Fn(&[T]) -> R,
) -> PrivateValues<'g, R>
where
    S: GroupShape,
    T: Copy + 'static,
    R: Copy + 'static,
{
    let mut results = Results::new(context);
    let values = values.of_threads(context.threads());
    // SAFETY: the shape exists, so its instruction set does; there is a value for each of the results, so that all are written.
    unsafe {
        by_isa!(
            S::ISA,
            OfWarps::<S, T, R>::baseline(value, results.room(), values, context.shape),
            OfWarps::<S, T, R>::avx2(value, results.room(), values, context.shape),
            OfWarps::<S, T, R>::avx512(value, results.room(), values, context.shape)
        );
        results.written()
    }
}

/// Calls the body for the thread of one lane alone, which the warp has, and gives what it returns to all threads.
#[inline(always)]
pub(crate) fn invoke<S, T, F>(context: &GroupContext<'_, OfWarp<S>>, lane: usize, body: F) -> T
where
    S: GroupShape,
    F: for<'t> Fn(Thread<'t>) -> T,
{
    let thread = context.thread(lane);
    let witness = Witness::new(thread);
    let result = body(Thread::new(thread));
    witness.dismiss();
    result
}

/// A bit for each lane of the thread's warp whose value is true.
#[inline(always)]
pub(crate) fn ballot<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, bool>,
) -> PrivateValues<'g, u64> {
    of_warp(context, values, bits)
}

/// A bit for each lane whose value is true, of the one warp whose context is given.
#[inline(always)]
pub(crate) fn ballot_of<S: GroupShape>(
    context: &GroupContext<'_, OfWarp<S>>,
    values: &PrivateValues<'_, bool>,
) -> u64 {
    bits(values.of_threads(context.threads()))
}

/// A bit for each lane of the thread's warp that has the same value as its own.
#[inline(always)]
pub(crate) fn match_any<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, u64>,
) -> PrivateValues<'g, u64> {
    matches(context, values, |a, b| a == b)
}

/// A bit for each lane of the thread's warp whose value has the same lowest bits as its own.
#[inline(always)]
pub(crate) fn match_bits<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, u32>,
    bits: u32,
) -> PrivateValues<'g, u64> {
    let mask = 1_u32.checked_shl(bits).unwrap_or(0).wrapping_sub(1);
    matches(context, values, move |a, b| (a ^ b) & mask == 0)
}

/// A bit for each lane of the thread's warp whose value is as good as its own.
#[inline(always)]
fn matches<'g, S, T>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    is_same: impl Fn(T, T) -> bool,
) -> PrivateValues<'g, u64>
where
    S: GroupShape,
    T: Copy + 'static,
{
    let mut masks = Results::new(context);
    let values = values.of_threads(context.threads());
    // SAFETY: the shape exists, so its instruction set does; there is a value for each of the masks, so that all are written.
    unsafe {
        by_isa!(
            S::ISA,
            Matches::<S, T>::baseline(is_same, masks.room(), values, context.shape),
            Matches::<S, T>::avx2(is_same, masks.room(), values, context.shape),
            Matches::<S, T>::avx512(is_same, masks.room(), values, context.shape)
        );
        masks.written()
    }
}

#[inline(always)]
pub(crate) fn reduce<'g, S, T, F>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    combine: F,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
    F: Fn(T, T) -> T,
{
    of_warp(context, values, |values| collective::combined::<WARP, T>(values, &combine))
}

#[inline(always)]
pub(crate) fn any<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, bool>,
) -> PrivateValues<'g, bool> {
    of_warp(context, values, |values| bits(values) != 0)
}

#[inline(always)]
pub(crate) fn all<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, bool>,
) -> PrivateValues<'g, bool> {
    of_warp(context, values, |values| bits(values).count_ones() as usize == values.len())
}

/// Each thread's value becomes that of the lanes before it and its own, combined in order.
#[inline(always)]
pub(crate) fn scan_inclusive<'g, S, T, F>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    combine: F,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
    F: Fn(T, T) -> T,
{
    segments_inclusive(context, values, S::LANES, combine)
}

/// Each thread's value becomes that of the lanes before it, combined in order after `start`.
#[inline(always)]
pub(crate) fn scan_exclusive<'g, S, T, F>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    start: T,
    combine: F,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
    F: Fn(T, T) -> T,
{
    segments_exclusive(context, values, S::LANES, start, combine)
}

/// The values of the thread's warp, combined.
#[inline(always)]
pub(crate) fn reduce_integers<'g, S: GroupShape, T: WarpInteger>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    reduction: Reduction,
) -> PrivateValues<'g, T> {
    reduce(context, values, |a, b| a.combined(b, reduction))
}

/// The values of the one warp whose context is given, combined.
#[inline(always)]
pub(crate) fn reduce_integers_to_one<S: GroupShape, T: WarpInteger>(
    context: &GroupContext<'_, OfWarp<S>>,
    values: &PrivateValues<'_, T>,
    reduction: Reduction,
) -> T {
    collective::reduce(context, values, |a, b| a.combined(b, reduction))
}

/// `None`: no instruction combines values of lanes.
#[inline(always)]
pub(crate) fn reduce_integers_of<'g, S: GroupShape, T: WarpInteger>(
    _: &GroupContext<'g, S>,
    _: &PrivateValues<'_, u64>,
    _: &PrivateValues<'_, T>,
    _: Reduction,
) -> Option<PrivateValues<'g, T>> {
    None
}
