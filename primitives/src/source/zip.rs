use gridwright::prelude::*;

use super::{Leaves, Source};

/// Pairs of elements of two sources.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::Input;
/// use gridwright_primitives::source::{Slice, Zip};
///
/// fn takes<'b>(_: impl Input<'b, Source = Zip<Slice<f32>, Slice<f32>>>) {}
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// takes(x.zip(&x));
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct Zip<A, B> {
    pub(crate) a: A,
    pub(crate) b: B,
}

argument!([A: KernelArg, B: KernelArg] Zip<A, B> { a: A, b: B });

// SAFETY: as both sources say; the slices of the first are in front.
unsafe impl<A: Source, B: Source> Source for Zip<A, B> {
    type Item = (A::Item, B::Item);
    type Leaves<Rest: Leaves> = A::Leaves<B::Leaves<Rest>>;

    #[inline(always)]
    unsafe fn get<'k, Rest: Leaves>(
        self,
        i: usize,
        slices: <Self::Leaves<Rest> as Leaves>::Slices<'k>,
    ) -> (Self::Item, Rest::Slices<'k>) {
        let Self { a, b } = self;
        // SAFETY: both have as many elements.
        unsafe {
            let (a, slices) = a.get::<B::Leaves<Rest>>(i, slices);
            let (b, rest) = b.get::<Rest>(i, slices);
            ((a, b), rest)
        }
    }
}
