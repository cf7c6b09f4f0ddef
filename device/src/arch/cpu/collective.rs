//! What a group computes of all its threads' values, over the values in memory.

use super::cells::Cells;
use super::isa::{by_instruction_set, by_isa};
use super::team::{GroupShape, Team};

/// Values that are combined side by side.
const LANES: usize = 64;

by_instruction_set! {
    /// Combines all values, of which there is at least one.
    Reduce [T: Copy] [T] where F: [Fn(T, T) -> T],
    fn(combine, values: &[T]) -> T {
        let Some((head, rest)) = values.split_first_chunk::<LANES>() else {
            return values[1..].iter().fold(values[0], |sum, &value| combine(sum, value));
        };
        let mut lanes = *head;
        let (chunks, tail) = rest.as_chunks::<LANES>();
        for chunk in chunks {
            for lane in 0..LANES {
                lanes[lane] = combine(lanes[lane], chunk[lane]);
            }
        }
        for (lane, &value) in tail.iter().enumerate() {
            lanes[lane] = combine(lanes[lane], value);
        }
        let mut half = LANES / 2;
        while half > 0 {
            for lane in 0..half {
                lanes[lane] = combine(lanes[lane], lanes[lane + half]);
            }
            half /= 2;
        }
        lanes[0]
    }
}

#[inline(always)]
pub(crate) fn reduce<S, T, F>(_: &Team<'_, S>, cells: &Cells<'_, T>, combine: F) -> T
where
    S: GroupShape,
    T: Copy + 'static,
    F: Fn(T, T) -> T,
{
    let values = cells.values();
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

/// Each thread's value becomes that of the threads before it and its own, combined in order.
#[inline(always)]
pub(crate) fn scan_inclusive<'g, S, T, F>(
    team: &Team<'g, S>,
    cells: &Cells<'_, T>,
    combine: F,
) -> Cells<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
    F: Fn(T, T) -> T,
{
    let values = cells.values();
    let mut sums = Cells::filled(team, values[0]);
    sum_inclusive(sums.values_mut(), values, combine);
    sums
}

/// Each sum becomes the values up to its own, combined in order. There are as many of both, and at least one.
#[inline(always)]
pub(super) fn sum_inclusive<T: Copy>(sums: &mut [T], values: &[T], combine: impl Fn(T, T) -> T) {
    let mut sum = values[0];
    sums[0] = sum;
    for (to, &value) in sums[1..].iter_mut().zip(&values[1..]) {
        sum = combine(sum, value);
        *to = sum;
    }
}

/// Each thread's value becomes that of the threads before it, combined in order after `start`.
#[inline(always)]
pub(crate) fn scan_exclusive<'g, S, T, F>(
    team: &Team<'g, S>,
    cells: &Cells<'_, T>,
    start: T,
    combine: F,
) -> Cells<'g, T>
where
    S: GroupShape,
    T: Copy + 'static,
    F: Fn(T, T) -> T,
{
    let mut sums = Cells::filled(team, start);
    sum_exclusive(sums.values_mut(), cells.values(), start, combine);
    sums
}

/// Each sum becomes the values before its own, combined in order after `start`. There are as many of both.
#[inline(always)]
pub(super) fn sum_exclusive<T: Copy>(sums: &mut [T], values: &[T], start: T, combine: impl Fn(T, T) -> T) {
    let mut sum = start;
    for (to, &value) in sums.iter_mut().zip(values) {
        *to = sum;
        sum = combine(sum, value);
    }
}

/// The value of the thread of a number, which is below the number of threads.
#[inline(always)]
pub(crate) fn broadcast<S: GroupShape, T: Copy + 'static>(
    _: &Team<'_, S>,
    cells: &Cells<'_, T>,
    thread: usize,
) -> T {
    cells.values()[thread]
}

/// How many threads' values are true.
#[inline(always)]
pub(crate) fn count<S: GroupShape>(_: &Team<'_, S>, cells: &Cells<'_, bool>) -> usize {
    cells.values().iter().map(|&value| usize::from(value)).sum()
}

#[inline(always)]
pub(crate) fn any<S: GroupShape>(team: &Team<'_, S>, cells: &Cells<'_, bool>) -> bool {
    count(team, cells) > 0
}

#[inline(always)]
pub(crate) fn all<S: GroupShape>(team: &Team<'_, S>, cells: &Cells<'_, bool>) -> bool {
    count(team, cells) == cells.values().len()
}
