//! Binary search of many needles.

use gridwright::prelude::*;

use crate::source::{Fused, Source};

/// Threads of a group.
pub const BLOCK: usize = 256;

/// The place of each needle in sorted elements: before the elements that are equal, or behind them where `behind` isn't zero.
///
/// # Safety
/// The source has an element for each of `found`, in `a`, `b` and `c`.
#[gpu_kernel(block = BLOCK, cpu = off)]
pub unsafe fn search<S, L>(
    g: &Group,
    source: S,
    less: L,
    behind: u32,
    a: &[<S as Fused>::A],
    b: &[<S as Fused>::B],
    c: &[<S as Fused>::C],
    sorted: &[<S as Source>::Item],
    mut found: PerThread<[u64]>,
) where
    S: Fused<Item: KernelArg>,
    L: Operator<(S::Item, S::Item), Output = bool>,
{
    g.each(found.elements_mut(), |t, found| {
        let Some(found) = found else { return };
        // SAFETY: there are as many needles as places.
        let needle = unsafe { source.at(t.index(), a, b, c) };
        let (mut low, mut high) = (0, sorted.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let element = sorted[middle];
            let is_before =
                if behind == 0 { less.call((element, needle)) } else { !less.call((needle, element)) };
            if is_before {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        *found = low as u64;
    });
}

kernel_trait! {
    /// What [`lower_bound`](crate::Primitives::lower_bound) and [`upper_bound`](crate::Primitives::upper_bound) launch for needles and a
    /// comparison.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives as primitives;
    /// use gridwright_primitives::operators::Less;
    /// use gridwright_primitives::source::Slice;
    ///
    /// /// Stands for this crate's instances.
    /// pub struct Mine;
    ///
    /// instance! { impl primitives::Search<Slice<f64>, Less> for Mine; }
    /// # fn main() {}
    /// ```
    pub trait Search<S: Fused<Item: KernelArg>, L: Operator<(S::Item, S::Item), Output = bool>> {
        /// Searches.
        type All = crate::kernels::search::search<S, L>;
    }
}
