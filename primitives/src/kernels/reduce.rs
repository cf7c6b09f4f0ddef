//! Reduction: each group reduces a share of the elements, and one group what they found.

use gridwright::prelude::*;

use crate::source::Fused;

/// Threads of a group.
pub const BLOCK: usize = 256;
/// Elements that a thread reads in a turn.
pub const ITEMS: usize = 16;
/// Elements that a group reads in a turn.
pub const TILE: usize = BLOCK * ITEMS;
/// The most tiles of a group, whose elements are counted in 32 bits.
pub const MOST_TURNS: usize = 1 << 19;

/// Reduces the `turns` tiles of each group, at most [`MOST_TURNS`], of `len` elements in all.
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
    turns: u32,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    mut totals: PerGroup<[<S as crate::source::Source>::Item]>,
) where
    S: Fused<Item: KernelArg>,
    O: Operator<(S::Item, S::Item), Output = S::Item>,
{
    let mut total = g.private(neutral);
    let share = turns * TILE as u32;
    let start = g.index() * share as usize;
    let count = (len - start).min(share as usize) as u32;
    let are_aligned = (a.as_ptr().addr() | b.as_ptr().addr() | c.as_ptr().addr()).is_multiple_of(16);
    let mut whole = 0;
    while count - whole >= TILE as u32 {
        let first = start + whole as usize;
        // A thread reads four neighbours wherever the input begins: the order of elements depends on their number alone.
        if are_aligned {
            g.each(&mut total, |t, total| {
                for turn in 0..ITEMS / 4 {
                    // SAFETY: the whole tile is below the length; slices begin where they must, as was just seen.
                    let items = unsafe { source.four_at(first + place(t, turn), a, b, c) };
                    *total = items.into_iter().fold(*total, |total, x| operator.call((total, x)));
                }
            });
        } else {
            g.each(&mut total, |t, total| {
                for item in 0..ITEMS {
                    // SAFETY: the whole tile is below the length.
                    let x = unsafe { source.at(first + place(t, item / 4) + item % 4, a, b, c) };
                    *total = operator.call((*total, x));
                }
            });
        }
        whole += TILE as u32;
    }
    if whole < count {
        g.each(&mut total, |t, total| {
            let mut i = whole + t.local().x as u32;
            while i < count {
                // SAFETY: just seen.
                let x = unsafe { source.at(start + i as usize, a, b, c) };
                *total = operator.call((*total, x));
                i += BLOCK as u32;
            }
        });
    }
    totals.set(g, g.reduce(&total, |a, b| operator.call((a, b))));
}

/// The place in a whole tile of the first of a thread's four elements of a turn.
#[inline(always)]
fn place(t: Thread<'_>, turn: usize) -> usize {
    (turn * BLOCK + t.local().x) * 4
}

kernel_trait! {
    /// What [`reduce`](crate::Primitives::reduce) launches for a source and an operator.
    pub trait Reduce<S: Fused<Item: KernelArg>, O: Operator<(S::Item, S::Item), Output = S::Item>> {
        /// Reduces the elements of each group.
        type OfGroups = crate::kernels::reduce::reduce_groups<S, O>;
        /// Reduces what groups found.
        type OfTotals = crate::kernels::reduce::reduce_groups<crate::source::Slice<<S as crate::source::Source>::Item>, O>;
    }
}
