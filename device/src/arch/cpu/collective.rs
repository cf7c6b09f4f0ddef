//! What a group computes of all its threads' values, over the values in memory.

use core::mem::MaybeUninit;

use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::isa::{by_instruction_set, by_isa};
use super::private_values::{PrivateValues, Results};

by_instruction_set! {
    /// Combines all values, of which there is at least one.
    inline Reduce [T: Copy] [T] where F: [Fn(T, T) -> T],
    fn(combine, values: &[T]) -> T {
        combined(values, combine)
    }
}

/// All values combined, of which there is at least one: as many side by side as a group or a warp has, then halves by halves.
#[inline(always)]
pub(super) fn combined<T: Copy>(values: &[T], combine: impl Fn(T, T) -> T) -> T {
    if let Some((first, rest)) = values.split_first_chunk::<64>() {
        let mut lanes = side_by_side(*first, rest, &combine);
        fold_half::<32, T>(&mut lanes, &combine);
        return combined_warp(&lanes, &combine);
    }
    match values.split_first_chunk::<32>() {
        Some((first, rest)) => combined_warp(&side_by_side(*first, rest, &combine), &combine),
        None => values[1..].iter().fold(values[0], |sum, &value| combine(sum, value)),
    }
}

/// Each of the first values, combined with those that are `N`, twice `N` and so on behind it.
#[inline(always)]
fn side_by_side<T: Copy, const N: usize>(
    mut lanes: [T; N],
    rest: &[T],
    combine: &impl Fn(T, T) -> T,
) -> [T; N] {
    let (chunks, tail) = rest.as_chunks::<N>();
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = combine(*lane, value);
        }
    }
    for (lane, &value) in lanes.iter_mut().zip(tail) {
        *lane = combine(*lane, value);
    }
    lanes
}

/// The first 32 values combined, in five steps.
#[inline(always)]
fn combined_warp<T: Copy, const N: usize>(values: &[T; N], combine: &impl Fn(T, T) -> T) -> T {
    let mut lanes = *values;
    fold_half::<16, T>(&mut lanes, combine);
    fold_half::<8, T>(&mut lanes, combine);
    fold_half::<4, T>(&mut lanes, combine);
    fold_half::<2, T>(&mut lanes, combine);
    combine(lanes[0], lanes[1])
}

/// Combines each of the first `HALF` values with the one that is so many behind it.
#[inline(always)]
fn fold_half<const HALF: usize, T: Copy>(lanes: &mut [T], combine: &impl Fn(T, T) -> T) {
    for lane in 0..HALF {
        lanes[lane] = combine(lanes[lane], lanes[lane + HALF]);
    }
}

#[inline(always)]
pub(crate) fn reduce<S, T, F>(_: &GroupContext<'_, S>, values: &PrivateValues<'_, T>, combine: F) -> T
where
    S: GroupShape,
    T: Copy + 'static,
    F: Fn(T, T) -> T,
{
    let values = values.values();
    // SAFETY: the shape exists, so its instruction set does.
    unsafe {
        by_isa!(
            S::ISA,
            <F as Reduce<T>>::baseline(combine, values),
            <F as Reduce<T>>::avx2(combine, values),
            <F as Reduce<T>>::avx512(combine, values)
        )
    }
}

by_instruction_set! {
    /// Each sum becomes the values of its segment up to its own, combined in order. There are as many of both, and segments have
    /// that many, but for the last one.
    inline ScanInclusive [T: Copy] [T] where F: [Fn(T, T) -> T],
    fn(combine, sums: &mut [MaybeUninit<T>], values: &[T], segment: usize) {
        for (sums, values) in sums.chunks_mut(segment).zip(values.chunks(segment)) {
            let ([first, sums @ ..], [value, values @ ..]) = (sums, values) else { return };
            let mut sum = *value;
            first.write(sum);
            for (to, &value) in sums.iter_mut().zip(values) {
                sum = combine(sum, value);
                to.write(sum);
            }
        }
    }
}

by_instruction_set! {
    /// Each sum becomes the values of its segment before its own, combined in order after `start`. There are as many of both.
    inline ScanExclusive [T: Copy] [T] where F: [Fn(T, T) -> T],
    fn(combine, start: T, sums: &mut [MaybeUninit<T>], values: &[T], segment: usize) {
        for (sums, values) in sums.chunks_mut(segment).zip(values.chunks(segment)) {
            let mut sum = start;
            for (to, &value) in sums.iter_mut().zip(values) {
                to.write(sum);
                sum = combine(sum, value);
            }
        }
    }
}

/// Each thread's value becomes that of the threads before it and its own, combined in order.
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
    segments_inclusive(context, values, usize::MAX, combine)
}

/// The inclusive scan of each segment of `segment` neighbours on its own.
#[inline(always)]
pub(super) fn segments_inclusive<'g, S, T, F>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    segment: usize,
    combine: F,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
    F: Fn(T, T) -> T,
{
    let mut sums = Results::new(context);
    let values = values.of_threads(context.threads());
    // SAFETY: the shape exists, so its instruction set does; there is a value for each of the sums, so that all are written.
    unsafe {
        by_isa!(
            S::ISA,
            <F as ScanInclusive<T>>::baseline(combine, sums.room(), values, segment),
            <F as ScanInclusive<T>>::avx2(combine, sums.room(), values, segment),
            <F as ScanInclusive<T>>::avx512(combine, sums.room(), values, segment)
        );
        sums.written()
    }
}

/// Each thread's value becomes that of the threads before it, combined in order after `start`.
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
    segments_exclusive(context, values, usize::MAX, start, combine)
}

/// The exclusive scan of each segment of `segment` neighbours on its own.
#[inline(always)]
pub(super) fn segments_exclusive<'g, S, T, F>(
    context: &GroupContext<'g, S>,
    values: &PrivateValues<'_, T>,
    segment: usize,
    start: T,
    combine: F,
) -> PrivateValues<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
    F: Fn(T, T) -> T,
{
    let mut sums = Results::new(context);
    let values = values.of_threads(context.threads());
    // SAFETY: the shape exists, so its instruction set does; there is a value for each of the sums, so that all are written.
    unsafe {
        by_isa!(
            S::ISA,
            <F as ScanExclusive<T>>::baseline(combine, start, sums.room(), values, segment),
            <F as ScanExclusive<T>>::avx2(combine, start, sums.room(), values, segment),
            <F as ScanExclusive<T>>::avx512(combine, start, sums.room(), values, segment)
        );
        sums.written()
    }
}

/// The value of the thread of a number, which is below the number of threads.
#[inline(always)]
pub(crate) fn broadcast<S: GroupShape, T: Copy + 'static>(
    _: &GroupContext<'_, S>,
    values: &PrivateValues<'_, T>,
    thread: usize,
) -> T {
    values.values()[thread]
}

/// How many threads' values are true.
#[inline(always)]
pub(crate) fn count<S: GroupShape>(_: &GroupContext<'_, S>, values: &PrivateValues<'_, bool>) -> usize {
    // So few at a time that a byte can count them: many bytes are one vector.
    let few = |values: &[bool]| values.iter().map(|&value| u8::from(value)).sum::<u8>();
    values.values().chunks(128).map(|values| usize::from(few(values))).sum()
}

#[inline(always)]
pub(crate) fn any<S: GroupShape>(context: &GroupContext<'_, S>, values: &PrivateValues<'_, bool>) -> bool {
    count(context, values) > 0
}

#[inline(always)]
pub(crate) fn all<S: GroupShape>(context: &GroupContext<'_, S>, values: &PrivateValues<'_, bool>) -> bool {
    count(context, values) == values.values().len()
}
