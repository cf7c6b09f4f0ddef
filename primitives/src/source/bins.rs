//! Which bin of a histogram each element is in, as a source.

use gridwright::prelude::*;

use super::{Leaves, Slice, Source};

/// No bin: no histogram has so many.
pub(crate) const NO_BIN: u32 = u32::MAX;

/// Which of the ranges between neighbouring boundaries each element is in: the first boundary is the first range's least element. Elements
/// in none get the largest number.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives as primitives;
/// use gridwright_primitives::source::{InRanges, Slice};
///
/// /// Stands for this crate's instances.
/// pub struct Mine;
///
/// instance! { impl primitives::Histogram<InRanges<Slice<f64>, f64>> for Mine; }
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct InRanges<S, T> {
    pub(crate) source: S,
    pub(crate) boundaries: Slice<T>,
}

argument!([S: KernelArg, T: KernelArg] InRanges<S, T> { source: S, boundaries: Slice<T> });

// SAFETY: as the source says; boundaries are looked at within their slice.
unsafe impl<S: Source<Item = T>, T: KernelArg + PartialOrd> Source for InRanges<S, T> {
    type Item = u32;
    type Leaves<Rest: Leaves> = S::Leaves<(T, Rest)>;

    #[inline(always)]
    unsafe fn get<'k, Rest: Leaves>(
        self,
        i: usize,
        slices: <Self::Leaves<Rest> as Leaves>::Slices<'k>,
    ) -> (u32, Rest::Slices<'k>) {
        // SAFETY: the source has as many elements.
        let (item, (boundaries, rest)) = unsafe { self.source.get::<(T, Rest)>(i, slices) };
        let (mut low, mut high) = (0, boundaries.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if boundaries[middle] <= item {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // Not above the last, either.
        let bin = if low == boundaries.len() { NO_BIN } else { (low as u32).wrapping_sub(1) };
        (bin, rest)
    }
}
