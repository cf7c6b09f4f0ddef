//! Elements of a source into memory.

use gridwright::InPhase;
use gridwright::prelude::*;

use crate::source::{Fused, Index, Source};

/// Threads of a group.
pub const BLOCK: usize = 256;
/// Elements that a thread writes.
pub const ITEMS: usize = 4;
/// Elements that a group writes.
pub const TILE: usize = BLOCK * ITEMS;

/// Calls `each` with the number of each element that a thread of a group has, all below `len`.
#[inline(always)]
fn each_of_tile<S: GroupShape>(g: &Group<'_, S>, len: usize, each: impl Fn(Thread<'_>, usize) + InPhase) {
    let first = g.index() * TILE;
    if first + TILE <= len {
        g.each((), |t, ()| {
            for item in 0..ITEMS {
                each(t, first + item * BLOCK + t.local().x);
            }
        });
    } else {
        g.each((), |t, ()| {
            for item in 0..ITEMS {
                let i = first + item * BLOCK + t.local().x;
                if i < len {
                    each(t, i);
                }
            }
        });
    }
}

/// Writes the elements of a source.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`, and `output` as many.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn collect<S>(
    g: &Group,
    source: S,
    len: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    mut output: PerThread<[<S as Source>::Item]>,
) where
    S: Fused<Item: KernelArg>,
{
    // SAFETY: each thread writes elements of its own number, which nobody reads.
    let output = unsafe { output.anywhere() };
    each_of_tile(g, len, |t, i| {
        // SAFETY: `i` is below the length, which the output has too.
        unsafe { output.set_unchecked(t, i, source.at(i, a, b, c)) };
    });
}

/// Writes the elements of a source at places; what isn't below the output's length is left out.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`. The places differ.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn scatter<S, I>(
    g: &Group,
    source: S,
    len: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    places: &[I],
    mut output: PerThread<[<S as Source>::Item]>,
) where
    S: Fused<Item: KernelArg>,
    I: Index,
{
    // SAFETY: the places differ, as the host saw or was promised, and nobody reads what is there.
    let output = unsafe { output.anywhere() };
    each_of_tile(g, len, |t, i| {
        // SAFETY: there are as many elements as places; `set` looks at the place.
        unsafe { output.set(t, places[i].index() as usize, source.at(i, a, b, c)) };
    });
}

/// Looks whether places are below `end` and differ. `taken` has a bit for each place, none set. `wrong` is all ones where nothing was found; else the
/// number of a place that isn't below, or `len` and the place that is there twice.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub fn check_places<I: Index>(
    g: &Group,
    len: usize,
    end: u64,
    places: &[I],
    taken: Atomic<[u32]>,
    wrong: Atomic<[u64]>,
) {
    each_of_tile(g, len, |t, i| {
        let place = places[i].index();
        if place >= end {
            wrong.fetch_min(t, 0, i as u64);
        } else {
            let bit = 1 << (place % 32);
            if taken.fetch_or(t, (place / 32) as usize, bit) & bit != 0 {
                wrong.fetch_min(t, 1, place);
            }
        }
    });
}

kernel_trait! {
    /// What [`collect_into`](crate::Primitives::collect_into) launches for a source.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Negate;
    /// use gridwright_primitives::source::{Map, Slice};
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Collect<Map<Slice<f64>, Negate>> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait Collect<S: Fused<Item: KernelArg>> {
        /// Writes the elements.
        type All = crate::kernels::collect::collect<S>;
    }
}

kernel_trait! {
    /// What [`scatter`](crate::Primitives::scatter) launches for a source and indices of a type.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::source::Slice;
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Scatter<Slice<f64>, u64> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait Scatter<S: Fused<Item: KernelArg>, I: Index> {
        /// Writes the elements at their places.
        type All = crate::kernels::collect::scatter<S, I>;
        /// Looks at the places.
        type Check = crate::kernels::collect::check_places<I>;
    }
}
