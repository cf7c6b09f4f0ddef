//! Reduction and scan of several items a thread.

use gridwright::InPhase;
use gridwright::prelude::*;

/// The items of all threads combined, for each thread. The operator is associative and commutative.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// fn largest<'k, S: GroupShape>(g: &Group<'k, S>, items: &Private<'k, [u32; 4]>) -> u32 {
///     group::reduce(g, items, |a, b| a.max(b))
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockReduce::Reduce` of several items.
#[inline(always)]
pub fn reduce<'k, const N: usize, T: KernelArg, S: GroupShape>(
    g: &Group<'k, S>,
    items: &Private<'k, [T; N]>,
    combine: impl Fn(T, T) -> T + InPhase + Copy,
) -> T {
    const { assert!(N > 0, "a thread has at least one item") };
    let totals = g.map(items, |_, items| total(items, combine));
    g.reduce(&totals, combine)
}

/// Of each blocked item, the items before it combined, from `start` on. The operator is associative.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// /// Where each thread's elements go, of as many as it says.
/// fn places<'k, S: GroupShape>(g: &Group<'k, S>, counts: &Private<'k, [u32; 2]>) -> Private<'k, [u32; 2]> {
///     group::scan_exclusive(g, counts, 0, |a, b| a + b)
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockScan::ExclusiveScan` of several items.
#[inline(always)]
pub fn scan_exclusive<'k, const N: usize, T: KernelArg, S: GroupShape>(
    g: &Group<'k, S>,
    items: &Private<'k, [T; N]>,
    start: T,
    combine: impl Fn(T, T) -> T + InPhase + Copy,
) -> Private<'k, [T; N]> {
    const { assert!(N > 0, "a thread has at least one item") };
    let totals = g.map(items, |_, items| total(items, combine));
    let before = g.scan_exclusive(&totals, start, combine);
    g.map((items, &before), |_, (items, before)| {
        let mut so_far = *before;
        items.map(|item| {
            let before = so_far;
            so_far = combine(before, item);
            before
        })
    })
}

/// Of each blocked item, the items up to it combined. The operator is associative.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// fn sums<'k, S: GroupShape>(g: &Group<'k, S>, items: &Private<'k, [f32; 4]>) -> Private<'k, [f32; 4]> {
///     group::scan_inclusive(g, items, 0.0, |a, b| a + b)
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockScan::InclusiveScan` of several items, with an initial value.
#[inline(always)]
pub fn scan_inclusive<'k, const N: usize, T: KernelArg, S: GroupShape>(
    g: &Group<'k, S>,
    items: &Private<'k, [T; N]>,
    start: T,
    combine: impl Fn(T, T) -> T + InPhase + Copy,
) -> Private<'k, [T; N]> {
    let before = scan_exclusive(g, items, start, combine);
    g.map((items, &before), |_, (items, before)| {
        core::array::from_fn(|item| combine(before[item], items[item]))
    })
}

/// One thread's items combined.
#[inline(always)]
fn total<const N: usize, T: Copy>(items: &[T; N], combine: impl Fn(T, T) -> T) -> T {
    let (first, others) = (items[0], &items[1..]);
    others.iter().fold(first, |total, item| combine(total, *item))
}
