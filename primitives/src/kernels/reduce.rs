//! Reduction: each group reduces a share of the elements, and one group what they found.

use gridwright::InPhase;
use gridwright::prelude::*;

use crate::source::Fused;

/// Threads of a group.
pub const BLOCK: usize = 256;
/// Elements that a thread reads in a turn.
pub const ITEMS: usize = 32;
/// Elements that a group reads in a turn.
pub const TILE: usize = BLOCK * ITEMS;
/// The most tiles of a group, whose elements are counted in 32 bits.
pub const MOST_TURNS: usize = 1 << 18;

/// Reduces the `turns` tiles of each group, at most [`MOST_TURNS`], and the `last` elements of the last group, at most as many.
///
/// # Safety
/// The source has as many elements, in `a`, `b` and `c`, as these are of all groups.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn reduce_groups<S, O>(
    g: &Group,
    source: S,
    operator: O,
    neutral: <S as crate::source::Source>::Item,
    turns: u32,
    last: u32,
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
    let first = g.index() * share as usize;
    let len = if g.index() as u32 + 1 == g.groups() as u32 { last } else { share };
    let combine = |a, b| operator.call((a, b));
    // SAFETY: only asked for below the share's end.
    let at = |i: usize| unsafe { source.at(i, a, b, c) };
    if (a.as_ptr().addr() | b.as_ptr().addr() | c.as_ptr().addr()).is_multiple_of(16) {
        // SAFETY: only asked for multiples of four, and if all four are below the share's end; slices begin where they must.
        let four_at = |i: usize| unsafe { source.four_at(i, a, b, c) };
        reduce_share(g, &mut total, first, len, at, four_at, combine);
    } else {
        reduce_share(g, &mut total, first, len, at, |i| core::array::from_fn(|item| at(i + item)), combine);
    }
    totals.set(g, g.reduce(&total, |a, b| operator.call((a, b))));
}

/// Reduces `left` elements from `first` on. A thread reads four neighbours, wherever the input begins: the order of elements depends on their number
/// alone.
#[inline(always)]
fn reduce_share<T: Copy + 'static, S: GroupShape>(
    g: &Group<'_, S>,
    total: &mut Private<'_, T>,
    mut first: usize,
    mut left: u32,
    at: impl Fn(usize) -> T + InPhase,
    four_at: impl Fn(usize) -> [T; 4] + InPhase,
    combine: impl Fn(T, T) -> T + InPhase,
) {
    while left >= TILE as u32 {
        g.each(&mut *total, |t, total| {
            for turn in 0..ITEMS / 4 {
                let items = four_at(first + 4 * (turn * BLOCK + t.local().x));
                *total = items.into_iter().fold(*total, &combine);
            }
        });
        first += TILE;
        left -= TILE as u32;
    }
    if left > 0 {
        g.each(&mut *total, |t, total| {
            let (fours, thread) = (left / 4, t.local().x as u32);
            for turn in 0..ITEMS / 4 {
                let four = (turn * BLOCK) as u32 + thread;
                if four < fours {
                    let items = four_at(first + 4 * four as usize);
                    *total = items.into_iter().fold(*total, &combine);
                }
            }
            let last = 4 * fours + thread;
            if last < left {
                *total = combine(*total, at(first + last as usize));
            }
        });
    }
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
