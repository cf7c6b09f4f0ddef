//! Reductions of segments: each warp reduces one.

use gridwright::prelude::*;

use super::tile::BLOCK;
use crate::source::{Fused, Index};

/// Writes the combined elements of each segment: segment `i` is from offset `i` to the next one. Offsets beyond `len` are taken for it.
///
/// # Safety
/// The source has `len` elements, in `a`, `b` and `c`.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn reduce_segments<S, I, O>(
    g: &Group,
    source: S,
    operator: O,
    neutral: <S as crate::source::Source>::Item,
    len: usize,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    offsets: &[I],
    mut out: PerThread<[<S as crate::source::Source>::Item]>,
) where
    S: Fused<Item: KernelArg>,
    I: Index,
    O: Operator<(S::Item, S::Item), Output = S::Item>,
{
    let segments = offsets.len() - 1;
    // SAFETY: each segment's result is one warp's.
    let out = unsafe { out.anywhere() };
    let group = g.index();
    let warps = g.warps();
    g.each_warp((), |w, ()| {
        let segment = group * warps + w.index();
        if segment >= segments {
            return;
        }
        let bound = |i: usize| offsets[i].index().min(len as u64) as usize;
        let (start, end) = (bound(segment), bound(segment + 1));
        let mut total = w.private(neutral);
        let size = w.size();
        w.each(&mut total, |t, total| {
            let mut i = start + t.lane();
            while i < end {
                // SAFETY: below the length.
                *total = operator.call((*total, unsafe { source.at(i, a, b, c) }));
                i += size;
            }
        });
        let total = w.reduce(&total, |a, b| operator.call((a, b)));
        w.each((), |t, ()| {
            if t.lane() == 0 {
                out.set(t, segment, total);
            }
        });
    });
}

kernel_trait! {
    /// What [`reduce_segments`](crate::Primitives::reduce_segments) launches for a source, offsets and an operator.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Add;
    /// use gridwright_primitives::source::Slice;
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::ReduceSegments<Slice<f64>, u64, Add> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait ReduceSegments<
        S: Fused<Item: KernelArg>,
        I: Index,
        O: Operator<(S::Item, S::Item), Output = S::Item>,
    > {
        /// Reduces a segment by each warp.
        type OfWarps = crate::kernels::segments::reduce_segments<S, I, O>;
    }
}
