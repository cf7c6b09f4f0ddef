//! What algorithms read: slices, and what is computed from them element by element, within the algorithm's own kernels.

#[macro_use]
pub(crate) mod argument;
mod bins;
mod heads;
mod leaves;
mod map;
mod numbers;
mod order;
mod zip;

pub use bins::InRanges;
pub(crate) use bins::NO_BIN;
pub use heads::Heads;
#[cfg(not(gridwright_device))]
pub use leaves::OneByOne;
pub use leaves::{Leaves, UpToThree};
pub use map::Map;
pub use numbers::{Constant, Counting};
pub use order::{Enumerate, Gather, Index, Reversed};
pub use zip::Zip;

use core::marker::PhantomData;

#[cfg(not(gridwright_device))]
use gridwright::memory::BufferSlice;
use gridwright::prelude::*;

/// What an algorithm reads element by element, as a kernel has it: what isn't a slice of memory is in the value, and the slices
/// are beside it, so that a GPU's kernel knows where they lie.
///
/// Users don't name it but in instances: [`Input`](crate::Input) is what the host has.
///
/// ```
/// use gridwright_primitives::source::{Slice, Source, Zip};
///
/// fn bytes<S: Source>() -> usize {
///     size_of::<S::Item>()
/// }
/// assert_eq!(bytes::<Zip<Slice<f32>, Slice<u32>>>(), 8);
/// ```
///
/// # Safety
/// [`get`](Self::get) reads elements of its slices below the length that the [`Input`](crate::Input) of this source says, and gives the slices that
/// come behind its own as they are.
pub unsafe trait Source: KernelArg {
    /// The elements.
    type Item: Copy + 'static;
    /// The slices' elements, in front of those of other sources.
    type Leaves<Rest: Leaves>: Leaves;

    /// Element `i`, and the slices of other sources.
    ///
    /// # Safety
    /// The slices are those of an [`Input`](crate::Input) of this source, which has more than `i` elements.
    unsafe fn get<'k, Rest: Leaves>(
        self,
        i: usize,
        slices: <Self::Leaves<Rest> as Leaves>::Slices<'k>,
    ) -> (Self::Item, Rest::Slices<'k>);
}

/// A source of at most three slices, which is what kernels take.
///
/// ```
/// use gridwright_primitives::source::{Fused, Map, Slice, Zip};
/// use gridwright_primitives::operators::Negate;
///
/// fn kernels_take<S: Fused>() {}
/// kernels_take::<Zip<Slice<f32>, Map<Slice<u32>, Negate>>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't an input of at most three slices",
    note = "`collect_into` a part of it first"
)]
pub trait Fused: Source {
    /// The elements of the first slice.
    type A: KernelArg;
    /// The elements of the second slice.
    type B: KernelArg;
    /// The elements of the third slice.
    type C: KernelArg;

    /// Element `i`.
    ///
    /// # Safety
    /// As for [`Source::get`].
    unsafe fn at(self, i: usize, a: &[Self::A], b: &[Self::B], c: &[Self::C]) -> Self::Item;

    /// The slices as the host has them, one by one.
    #[cfg(not(gridwright_device))]
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    fn one_by_one<'b>(
        slices: <Self::Leaves<()> as Leaves>::Buffers<'b>,
        none: BufferSlice<'b, u8>,
    ) -> (BufferSlice<'b, Self::A>, BufferSlice<'b, Self::B>, BufferSlice<'b, Self::C>);
}

impl<S: Source<Leaves<()>: UpToThree>> Fused for S {
    type A = <S::Leaves<()> as UpToThree>::A;
    type B = <S::Leaves<()> as UpToThree>::B;
    type C = <S::Leaves<()> as UpToThree>::C;

    #[inline(always)]
    unsafe fn at(self, i: usize, a: &[Self::A], b: &[Self::B], c: &[Self::C]) -> S::Item {
        // SAFETY: as the caller says.
        let (item, ()) = unsafe { self.get::<()>(i, S::Leaves::list(a, b, c)) };
        item
    }

    #[cfg(not(gridwright_device))]
    fn one_by_one<'b>(
        slices: <S::Leaves<()> as Leaves>::Buffers<'b>,
        none: BufferSlice<'b, u8>,
    ) -> (BufferSlice<'b, Self::A>, BufferSlice<'b, Self::B>, BufferSlice<'b, Self::C>) {
        S::Leaves::<()>::one_by_one(slices, &none)
    }
}

/// A slice of memory, which a buffer is and a part of one.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::Input;
/// use gridwright_primitives::source::Slice;
///
/// fn takes<'b>(_: impl Input<'b, Source = Slice<f32>>) {}
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// takes(&x);
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Slice<T>(PhantomData<fn() -> T>);

impl<T> Slice<T> {
    #[cfg(not(gridwright_device))]
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

argument!([T: KernelArg] Slice<T> {});

// SAFETY: the first slice's element, and the others.
unsafe impl<T: KernelArg> Source for Slice<T> {
    type Item = T;
    type Leaves<Rest: Leaves> = (T, Rest);

    #[inline(always)]
    unsafe fn get<'k, Rest: Leaves>(
        self,
        i: usize,
        slices: <(T, Rest) as Leaves>::Slices<'k>,
    ) -> (T, Rest::Slices<'k>) {
        let (slice, rest) = slices;
        // SAFETY: the input's length is the slice's, and the caller says that it is above `i`.
        (unsafe { *slice.get_unchecked(i) }, rest)
    }
}
