//! Histogram: each group counts in workgroup memory, and adds what it counted to the counts of all.

use gridwright::prelude::*;

use crate::source::{Fused, Index};

/// Threads of a group.
pub const BLOCK: usize = 256;
/// Elements that a thread counts in a turn.
pub const ITEMS: usize = 16;
/// Elements that a group counts in a turn.
pub const TILE: usize = BLOCK * ITEMS;
/// The most counts that a group has of its own.
pub const MOST_OWN: usize = 8192;
/// Copies of few counts, in which lanes take turns so that fewer of them wait for each other.
pub const COPIES: usize = 8;

/// The counts that a group has of its own: copies of the bins, as many as there is room for; one where there are too many bins.
pub const fn own_counts(bins: usize) -> usize {
    if bins == 0 || bins > MOST_OWN {
        1
    } else if bins * COPIES <= MOST_OWN / 2 {
        bins * COPIES
    } else {
        bins
    }
}

/// Counts `turns` tiles of each group. Elements that aren't below the number of counts aren't counted.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn count_bins<S>(
    g: &Group,
    source: S,
    len: usize,
    turns: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    counts: Atomic<[u32]>,
    mut own: Workgroup<[u32]>,
) where
    S: Fused<Item: Index>,
{
    let bins = counts.len();
    let copies = if own.len() < bins { 0 } else { own.len() / bins };
    let start = g.index() * turns * TILE;
    if copies == 0 {
        for turn in 0..turns {
            g.each((), |t, ()| {
                for item in 0..ITEMS {
                    let i = start + turn * TILE + item * BLOCK + t.local().x;
                    if i < len {
                        // SAFETY: just seen.
                        let bin = unsafe { source.at(i, a, b, c) }.index();
                        if bin < bins as u64 {
                            counts.fetch_add(t, bin as usize, 1);
                        }
                    }
                }
            });
        }
        return;
    }
    g.fill(&mut own, 0);
    // Narrow, so that numbers of 32 bits are compared as such.
    let end = u64::from(bins as u32);
    for turn in 0..turns {
        let first = start + turn * TILE;
        let is_whole = first + TILE <= len;
        g.each(own.atomic(), |t, own| {
            let copy = t.local().x % copies * bins;
            let count = |i: usize| {
                // SAFETY: the callers have seen that it is below the length.
                let bin = unsafe { source.at(i, a, b, c) }.index();
                if bin < end {
                    own.fetch_add(t, copy + bin as usize, 1);
                }
            };
            if is_whole {
                for item in 0..ITEMS {
                    count(first + item * BLOCK + t.local().x);
                }
            } else {
                for item in 0..ITEMS {
                    let i = first + item * BLOCK + t.local().x;
                    if i < len {
                        count(i);
                    }
                }
            }
        });
    }
    g.each(own.shared(), |t, own| {
        let mut bin = t.local().x;
        while bin < bins {
            let mut count = 0;
            for copy in 0..copies {
                count += own[copy * bins + bin];
            }
            if count > 0 {
                counts.fetch_add(t, bin, count);
            }
            bin += BLOCK;
        }
    });
}

kernel_trait! {
    /// What [`histogram`](crate::Primitives::histogram) launches for a source of bins.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::source::{Map, Slice};
    /// use gridwright_primitives::EvenBins;
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Histogram<Map<Slice<u16>, EvenBins<u16>>> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait Histogram<S: Fused<Item: Index>> {
        /// Counts.
        type Count = crate::kernels::histogram::count_bins<S>;
    }
}
