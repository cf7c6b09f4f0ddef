use gridwright::prelude::*;

use super::{Leaves, Source};

/// What an operator makes of each element of a source.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::Input;
/// use gridwright_primitives::operators::Negate;
/// use gridwright_primitives::source::{Map, Slice};
///
/// fn takes<'b>(_: impl Input<'b, Source = Map<Slice<f32>, Negate>>) {}
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// takes(x.map(Negate));
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct Map<S, O> {
    pub(crate) source: S,
    pub(crate) operator: O,
}

argument!([S: KernelArg, O: KernelArg] Map<S, O> { source: S, operator: O });

// SAFETY: as the source says.
unsafe impl<S: Source, O: Operator<(S::Item,), Output: Copy + 'static>> Source for Map<S, O> {
    type Item = O::Output;
    type Leaves<Rest: Leaves> = S::Leaves<Rest>;

    #[inline(always)]
    unsafe fn get<'k, Rest: Leaves>(
        self,
        i: usize,
        slices: <S::Leaves<Rest> as Leaves>::Slices<'k>,
    ) -> (O::Output, Rest::Slices<'k>) {
        let Self { source, operator } = self;
        // SAFETY: the source has as many elements.
        let (item, rest) = unsafe { source.get::<Rest>(i, slices) };
        (operator.call((item,)), rest)
    }
}
