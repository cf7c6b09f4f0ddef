//! Reduction: each group reduces a share of the elements, and one group what they found.

use gridwright::prelude::*;

use crate::source::Fused;

/// Threads of a group.
pub const BLOCK: usize = 256;
/// Elements that a thread reads in a turn.
pub const ITEMS: usize = 16;
/// Elements that a group reads in a turn.
pub const TILE: usize = BLOCK * ITEMS;

/// Reduces the `turns` tiles of each group, of `len` elements in all.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`.
#[gpu_kernel(block = BLOCK)]
pub unsafe fn reduce_groups<S, O>(
    g: &Group,
    source: S,
    operator: O,
    neutral: <S as crate::source::Source>::Item,
    len: usize,
    turns: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    mut totals: PerGroup<[<S as crate::source::Source>::Item]>,
) where
    S: Fused<Item: KernelArg>,
    O: Operator<(S::Item, S::Item), Output = S::Item>,
{
    let mut total = g.private(neutral);
    let mut first = g.index() * turns * TILE;
    for _ in 0..turns {
        if first + TILE <= len {
            g.each(&mut total, |t, total| {
                for item in 0..ITEMS {
                    // SAFETY: the whole tile is below the length.
                    let x = unsafe { source.at(first + item * BLOCK + t.local().x, a, b, c) };
                    *total = operator.call((*total, x));
                }
            });
        } else {
            g.each(&mut total, |t, total| {
                for item in 0..ITEMS {
                    let i = first + item * BLOCK + t.local().x;
                    if i < len {
                        // SAFETY: just seen.
                        let x = unsafe { source.at(i, a, b, c) };
                        *total = operator.call((*total, x));
                    }
                }
            });
        }
        first += TILE;
    }
    totals.set(g, g.reduce(&total, |a, b| operator.call((a, b))));
}

kernel_trait! {
    /// What [`reduce`](crate::Primitives::reduce) launches for a source and an operator.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Multiply;
    /// use gridwright_primitives::source::Slice;
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Reduce<Slice<f64>, Multiply> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait Reduce<S: Fused<Item: KernelArg>, O: Operator<(S::Item, S::Item), Output = S::Item>> {
        /// Reduces the elements of each group.
        type OfGroups = crate::kernels::reduce::reduce_groups<S, O>;
        /// Reduces what groups found.
        type OfTotals = crate::kernels::reduce::reduce_groups<crate::source::Slice<<S as crate::source::Source>::Item>, O>;
    }
}
