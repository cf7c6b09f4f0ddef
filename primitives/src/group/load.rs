//! Items from memory, and to it.

use gridwright::ownership::Anywhere;
use gridwright::prelude::*;

/// Each thread's `N` neighbours of a slice from `first` on; `default` beyond the slice's end.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// fn sums_of_four<S: GroupShape>(g: &Group<'_, S>, x: &[f32]) -> f32 {
///     let items = group::load_blocked::<4, _, _>(g, x, 4 * g.origin().x, 0.0);
///     group::reduce(g, &items, |a, b| a + b)
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockLoad` with `BLOCK_LOAD_DIRECT`.
#[inline(always)]
pub fn load_blocked<'k, const N: usize, T: KernelArg, S: GroupShape>(
    g: &Group<'k, S>,
    from: &[T],
    first: usize,
    default: T,
) -> Private<'k, [T; N]> {
    g.map((), |t, ()| {
        let first = first + N * t.local().x;
        core::array::from_fn(|item| from.get(first + item).copied().unwrap_or(default))
    })
}

/// Each thread's `N` elements of a slice from `first` on, as far apart as the group has threads; `default` beyond the slice's end. The group is
/// one row of threads.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// fn sums_of_four<S: GroupShape>(g: &Group<'_, S>, x: &[f32]) -> f32 {
///     let items = group::load_striped::<4, _, _>(g, x, 4 * g.origin().x, 0.0);
///     group::reduce(g, &items, |a, b| a + b)
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockLoad` with `BLOCK_LOAD_STRIPED`.
#[inline(always)]
pub fn load_striped<'k, const N: usize, T: KernelArg, S: GroupShape>(
    g: &Group<'k, S>,
    from: &[T],
    first: usize,
    default: T,
) -> Private<'k, [T; N]> {
    let threads = g.len();
    g.map((), |t, ()| {
        let first = first + t.local().x;
        core::array::from_fn(|item| from.get(first + item * threads).copied().unwrap_or(default))
    })
}

/// Writes blocked items from `first` on; beyond the memory's end none is written.
///
/// ```
/// use gridwright::ownership::Anywhere;
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// fn clear<'k, S: GroupShape>(g: &Group<'k, S>, to: Anywhere<'_, u32>) {
///     group::store_blocked(g, &g.private([0; 4]), to, 4 * g.origin().x);
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockStore` with `BLOCK_STORE_DIRECT`.
#[inline(always)]
pub fn store_blocked<const N: usize, T: KernelArg, S: GroupShape>(
    g: &Group<'_, S>,
    items: &Private<'_, [T; N]>,
    to: Anywhere<'_, T>,
    first: usize,
) {
    g.each(items, |t, items| {
        let first = first + N * t.local().x;
        for (item, value) in items.iter().enumerate() {
            if first + item < to.len() {
                to.set(t, first + item, *value);
            }
        }
    });
}

/// Writes striped items from `first` on; beyond the memory's end none is written. The group is one row of threads.
///
/// ```
/// use gridwright::ownership::Anywhere;
/// use gridwright::prelude::*;
/// use gridwright_primitives::group;
///
/// fn clear<'k, S: GroupShape>(g: &Group<'k, S>, to: Anywhere<'_, u32>) {
///     group::store_striped(g, &g.private([0; 4]), to, 4 * g.origin().x);
/// }
/// ```
///
/// # From CUDA
/// `cub::BlockStore` with `BLOCK_STORE_STRIPED`.
#[inline(always)]
pub fn store_striped<const N: usize, T: KernelArg, S: GroupShape>(
    g: &Group<'_, S>,
    items: &Private<'_, [T; N]>,
    to: Anywhere<'_, T>,
    first: usize,
) {
    let threads = g.len();
    g.each(items, |t, items| {
        let first = first + t.local().x;
        for (item, value) in items.iter().enumerate() {
            if first + item * threads < to.len() {
                to.set(t, first + item * threads, *value);
            }
        }
    });
}
