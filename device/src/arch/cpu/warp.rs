//! What the threads of a warp compute of each other's values, over the values in memory. A warp is 32 neighbours of the
//! group, or fewer in a tile; the last one may have fewer.

use core::mem::MaybeUninit;

use super::collective::{self, segments_exclusive, segments_inclusive};
use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::isa::{by_instruction_set, by_isa};
use super::private_values::{PrivateValues, Results};
use super::warps::OfWarp;
use crate::warp::{Reduction, WarpInteger};

by_instruction_set! {
    /// Each result becomes the value of a lane of its warp; of a lane that isn't there, its own. There are as many of both. The
    /// closure gets a thread's number in the group and in its warp.
    Shuffle [S: GroupShape, T: Copy] [S, T] where F: [Fn(usize, usize) -> usize],
    fn(lane, results: &mut [MaybeUninit<T>], values: &[T], _shape: S) {
        let warps = results.chunks_mut(S::LANES).zip(values.chunks(S::LANES));
        for (warp, (results, values)) in warps.enumerate() {
            for (own, to) in results.iter_mut().enumerate() {
                let from = lane(warp * S::LANES + own, own);
                // The choice is one of places, not of loads: no branch.
                to.write(values[if from < values.len() { from } else { own }]);
            }
        }
    }
}

/// Each thread gets the value of a lane of its warp; of a lane that isn't there, its own.
#[inline(always)]
pub(crate) fn shuffle<'g, S, T>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    lane: impl Fn(usize, usize) -> usize,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
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
    T: Copy + 'static,
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
    T: Copy + 'static,
{
    shifted(context, values, |results, values| {
        let kept = delta.min(values.len());
        results[..kept].write_copy_of_slice(&values[..kept]);
        results[kept..].write_copy_of_slice(&values[..values.len() - kept]);
    })
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
    T: Copy + 'static,
{
    shifted(context, values, |results, values| {
        let kept = values.len() - delta.min(values.len());
        results[..kept].write_copy_of_slice(&values[values.len() - kept..]);
        results[kept..].write_copy_of_slice(&values[kept..]);
    })
}

/// Copies the values of each warp to another place among its own.
#[inline(always)]
fn shifted<'g, S, T>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    copy: impl Fn(&mut [MaybeUninit<T>], &[T]),
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
{
    let mut shifted = Results::new(context);
    let values = values.of_threads(context.threads());
    for (results, values) in shifted.room().chunks_mut(S::LANES).zip(values.chunks(S::LANES)) {
        copy(results, values);
    }
    // SAFETY: there is a value for each of the results, and `copy` writes as many as it gets.
    unsafe { shifted.written() }
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
    T: Copy + 'static,
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
pub(crate) fn of_warp<'g, S, T, R>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    value: impl Fn(&[T]) -> R,
) -> PrivateValues<'g, R>
where
    S: GroupShape,
    T: Copy + 'static,
    R: Copy + 'static,
{
    let values = values.values();
    let mut results = PrivateValues::filled(context, value(&values[..values.len().min(S::LANES)]));
    for (results, values) in results.values_mut().chunks_mut(S::LANES).zip(values.chunks(S::LANES)) {
        results.fill(value(values));
    }
    results
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
    _: &GroupContext<'_, OfWarp<S>>,
    values: &PrivateValues<'_, bool>,
) -> u64 {
    bits(values.values())
}

#[inline(always)]
fn bits(values: &[bool]) -> u64 {
    values.iter().enumerate().fold(0, |mask, (lane, &value)| mask | u64::from(value) << lane)
}

/// A bit for each lane of the thread's warp that has the same value as its own.
#[inline(always)]
pub(crate) fn match_any<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, u64>,
) -> PrivateValues<'g, u64> {
    let values = values.values();
    let mut masks = PrivateValues::filled(context, 0);
    for (masks, values) in masks.values_mut().chunks_mut(S::LANES).zip(values.chunks(S::LANES)) {
        for (mask, value) in masks.iter_mut().zip(values) {
            *mask = values
                .iter()
                .enumerate()
                .fold(0, |mask, (lane, other)| mask | u64::from(other == value) << lane);
        }
    }
    masks
}

/// A bit for each lane of the thread's warp whose value has the same lowest bits as its own.
#[inline(always)]
pub(crate) fn match_bits<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, u32>,
    bits: u32,
) -> PrivateValues<'g, u64> {
    let mask = 1_u32.checked_shl(bits).unwrap_or(0).wrapping_sub(1);
    let values = values.values();
    let mut masks = PrivateValues::filled(context, 0);
    for (masks, values) in masks.values_mut().chunks_mut(S::LANES).zip(values.chunks(S::LANES)) {
        for (same, value) in masks.iter_mut().zip(values) {
            *same = values
                .iter()
                .enumerate()
                .fold(0, |same, (lane, other)| same | u64::from((other ^ value) & mask == 0) << lane);
        }
    }
    masks
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
    of_warp(context, values, |values| values[1..].iter().fold(values[0], |sum, &value| combine(sum, value)))
}

#[inline(always)]
pub(crate) fn any<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, bool>,
) -> PrivateValues<'g, bool> {
    of_warp(context, values, |values| values.contains(&true))
}

#[inline(always)]
pub(crate) fn all<'g, S: GroupShape>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, bool>,
) -> PrivateValues<'g, bool> {
    of_warp(context, values, |values| !values.contains(&false))
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
