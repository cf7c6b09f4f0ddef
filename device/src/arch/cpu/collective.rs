//! What a group computes of all its threads' values, over the values in memory.

use core::mem::MaybeUninit;

use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::identity::WARP;
use super::isa::{by_instruction_set, by_isa};
use super::private_values::{PrivateValues, Results};
use crate::block::Block;

/// Values of a group that are combined side by side.
const LANES: usize = 64;

by_instruction_set! {
    /// Combines all values, of which there is at least one.
    inline Reduce [S: GroupShape, T: Copy] [S, T] where F: [Fn(T, T) -> T],
    fn(combine, values: &[T], _shape: S) -> T {
        match <S::Block as Block>::THREADS {
            Some(WARP) => combined::<WARP, T>(values, combine),
            _ => combined::<LANES, T>(values, combine),
        }
    }
}

/// All values combined, of which there is at least one: `N` side by side, then halves by halves.
#[inline(always)]
pub(super) fn combined<const N: usize, T: Copy>(values: &[T], combine: impl Fn(T, T) -> T) -> T {
    let Some((head, rest)) = values.split_first_chunk::<N>() else {
        return values[1..].iter().fold(values[0], |sum, &value| combine(sum, value));
    };
    let mut lanes = *head;
    let (chunks, tail) = rest.as_chunks::<N>();
    for chunk in chunks {
        for lane in 0..N {
            lanes[lane] = combine(lanes[lane], chunk[lane]);
        }
    }
    for (lane, &value) in tail.iter().enumerate() {
        lanes[lane] = combine(lanes[lane], value);
    }
    let mut half = N / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = combine(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    lanes[0]
}

#[inline(always)]
pub(crate) fn reduce<S, T, F>(context: &GroupContext<'_, S>, values: &PrivateValues<'_, T>, combine: F) -> T
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
            <F as Reduce<S, T>>::baseline(combine, values, context.shape),
            <F as Reduce<S, T>>::avx2(combine, values, context.shape),
            <F as Reduce<S, T>>::avx512(combine, values, context.shape)
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
