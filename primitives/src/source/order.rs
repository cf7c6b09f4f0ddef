//! Elements of a source in another order, and with their numbers.

use gridwright::prelude::*;

use super::{Leaves, Source};

/// Each element with its number.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::Input;
/// use gridwright_primitives::source::{Enumerate, Slice};
///
/// fn takes<'b>(_: impl Input<'b, Source = Enumerate<Slice<f32>>>) {}
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// takes(x.enumerate());
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct Enumerate<S> {
    pub(crate) source: S,
}

/// The last element first.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::Input;
/// use gridwright_primitives::source::{Reversed, Slice};
///
/// fn takes<'b>(_: impl Input<'b, Source = Reversed<Slice<f32>>>) {}
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// takes(x.reversed()?);
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct Reversed<S> {
    pub(crate) source: S,
    /// The source's elements.
    pub(crate) len: u64,
}

/// Elements at the indices that another source gives.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::Input;
/// use gridwright_primitives::source::{Gather, Slice};
///
/// fn takes<'b>(_: impl Input<'b, Source = Gather<Slice<f32>, Slice<u32>>>) {}
///
/// # let stream = Device::cpu()?.stream()?;
/// let x = stream.upload(&[1.0_f32, 2.0])?;
/// let at = stream.upload(&[1_u32])?;
/// takes(x.gather(&at));
/// # Ok::<(), gridwright_primitives::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct Gather<S, I> {
    pub(crate) source: S,
    pub(crate) indices: I,
    /// The source's elements.
    pub(crate) len: u64,
}

argument!([S: KernelArg] Enumerate<S> { source: S });
argument!([S: KernelArg] Reversed<S> { source: S, len: u64 });
argument!([S: KernelArg, I: KernelArg] Gather<S, I> { source: S, indices: I, len: u64 });

// SAFETY: as the source says.
unsafe impl<S: Source> Source for Enumerate<S> {
    type Item = (u64, S::Item);
    type Leaves<Rest: Leaves> = S::Leaves<Rest>;

    #[inline(always)]
    unsafe fn get<'k, Rest: Leaves>(
        self,
        i: usize,
        slices: <S::Leaves<Rest> as Leaves>::Slices<'k>,
    ) -> (Self::Item, Rest::Slices<'k>) {
        let Self { source } = self;
        // SAFETY: the source has as many elements.
        let (item, rest) = unsafe { source.get::<Rest>(i, slices) };
        ((i as u64, item), rest)
    }
}

// SAFETY: as the source says, which has `len` elements.
unsafe impl<S: Source> Source for Reversed<S> {
    type Item = S::Item;
    type Leaves<Rest: Leaves> = S::Leaves<Rest>;

    #[inline(always)]
    unsafe fn get<'k, Rest: Leaves>(
        self,
        i: usize,
        slices: <S::Leaves<Rest> as Leaves>::Slices<'k>,
    ) -> (S::Item, Rest::Slices<'k>) {
        let Self { source, len } = self;
        // SAFETY: the caller says that `i` is below the length.
        unsafe { source.get::<Rest>(len as usize - 1 - i, slices) }
    }
}

/// An unsigned number that names an element, counts some, or says where a segment begins.
///
/// # Safety
/// `index` gives one number for a value, whenever it is called.
///
/// ```
/// use gridwright_primitives::source::Index;
///
/// assert_eq!(7_u32.index(), 7);
/// assert_eq!(u32::from_index(1 << 32), 0);
/// ```
pub unsafe trait Index: KernelArg {
    /// The number.
    ///
    /// ```
    /// assert_eq!(gridwright_primitives::source::Index::index(7_u32), 7);
    /// ```
    fn index(self) -> u64;

    /// The number as this type has it; its low bits where there are fewer.
    ///
    /// ```
    /// use gridwright_primitives::source::Index;
    ///
    /// assert_eq!(u32::from_index(u64::MAX), u32::MAX);
    /// ```
    fn from_index(index: u64) -> Self;
}

macro_rules! index {
    ($($number:ty)*) => {$(
        // SAFETY: a number is always the same.
        unsafe impl Index for $number {
            #[inline(always)]
            fn index(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn from_index(index: u64) -> Self {
                index as Self
            }
        }
    )*};
}

index!(u32 u64 usize);

// SAFETY: as both sources say; an index is looked at before the element is.
unsafe impl<S: Source, I: Source<Item: Index>> Source for Gather<S, I> {
    type Item = S::Item;
    type Leaves<Rest: Leaves> = I::Leaves<S::Leaves<Rest>>;

    /// # Panics
    /// For an index that isn't below the source's length.
    #[inline(always)]
    unsafe fn get<'k, Rest: Leaves>(
        self,
        i: usize,
        slices: <Self::Leaves<Rest> as Leaves>::Slices<'k>,
    ) -> (S::Item, Rest::Slices<'k>) {
        let Self { source, indices, len } = self;
        // SAFETY: there are as many indices.
        let (index, slices) = unsafe { indices.get::<S::Leaves<Rest>>(i, slices) };
        let index = index.index();
        assert!(index < len, "an index of a gather is beyond the last element");
        // SAFETY: the source has `len` elements.
        unsafe { source.get::<Rest>(index as usize, slices) }
    }
}
