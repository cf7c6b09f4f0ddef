//! Scans of segments: by keys that are bits, of which those of segments' first elements are set.

use gridwright::prelude::*;

use super::tile::BLOCK;
use crate::source::{Fused, Heads, Index, Source, Zip};

/// Whether an element continues the segment of the one before: its bit isn't set.
#[derive(Clone, Copy, Debug, KernelArg)]
#[repr(C)]
pub struct Continues;

impl Operator<(u32, u32)> for Continues {
    type Output = bool;

    #[inline(always)]
    fn call(&self, (_, head): (u32, u32)) -> bool {
        head == 0
    }
}

/// Sets the bit of each element that an offset names, of `len` elements.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub fn mark_heads<I: Index>(t: Thread, offsets: &[I], len: usize, heads: Atomic<[u32]>) {
    if let Some(offset) = offsets.get(t.index())
        && offset.index() < len as u64
    {
        let at = offset.index() as usize;
        heads.fetch_or(t, at / 32, 1 << (at % 32));
    }
}

kernel_trait! {
    /// What [`inclusive_scan_segments`](crate::Primitives::inclusive_scan_segments) and
    /// [`exclusive_scan_segments`](crate::Primitives::exclusive_scan_segments) launch for a source of two slices at most, offsets and an
    /// operator.
    pub trait ScanSegments<
        S: Source<Item: KernelArg>,
        I: Index,
        O: Operator<(S::Item, S::Item), Output = S::Item>,
    >
    where
        Zip<Heads, S>: Fused<Item = (u32, <S as Source>::Item)>,
    {
        /// Marks where segments begin.
        type Heads = crate::kernels::scan_segments::mark_heads<I>;
        /// Scans tiles, each element with those before it.
        type Inclusive = crate::kernels::by_key::scan_runs<crate::source::Zip<crate::source::Heads, S>, u32, <S as crate::source::Source>::Item, crate::kernels::scan_segments::Continues, O, false>;
        /// Scans tiles, each element's place with those before it.
        type Exclusive = crate::kernels::by_key::scan_runs<crate::source::Zip<crate::source::Heads, S>, u32, <S as crate::source::Source>::Item, crate::kernels::scan_segments::Continues, O, true>;
        /// Combines the segments of each tile, where groups don't look back.
        type Totals = crate::kernels::run_totals::reduce_tiles_of_runs<crate::source::Zip<crate::source::Heads, S>, u32, <S as crate::source::Source>::Item, crate::kernels::scan_segments::Continues, O>;
        /// Combines tiles with those before them.
        type Starts = crate::kernels::run_totals::scan_totals_of_runs<<S as crate::source::Source>::Item, O>;
    }
}
