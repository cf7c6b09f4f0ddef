//! The arguments of functions of the program that work on memory of a device, or on a copy of it.

use std::marker::PhantomData;
use std::slice;

use gridwright_core::KernelArg;

use crate::accesses::Accesses;
use crate::staging::{Old, Origin, Staged};
use crate::transfer::Region;
use crate::{Buffer, BufferSlice, BufferSliceMut, Error, ReadFrom, Stream, WriteTo};

/// Where arguments go: the stream's device, and the uses of memory so far.
#[derive(Debug)]
pub struct CpuDestination<'d> {
    stream: &'d Stream,
    call: &'static str,
    uses: Uses<'d>,
}

/// What is made of arguments.
#[derive(Debug)]
pub(crate) enum Uses<'d> {
    /// The function works on the memory itself.
    OfMemory(&'d mut Accesses),
    /// The function works on memory of the host, which is copied from the device and back.
    OfCopies(&'d mut Staged),
}

impl<'d> CpuDestination<'d> {
    pub(crate) fn new(stream: &'d Stream, call: &'static str, uses: Uses<'d>) -> Self {
        Self { stream, call, uses }
    }

    #[inline(always)]
    pub(crate) fn slice<T>(&mut self, region: &Region<'_>, old: Old) -> Result<RawElements<T>, Error> {
        let call = self.call;
        self.stream.check(region, region.len, call)?;
        let origin = match &mut self.uses {
            Uses::OfMemory(accesses) => {
                accesses.add(region, || call.into())?;
                Origin::Memory(region.place.pointer)
            }
            Uses::OfCopies(staged) => staged.add(self.stream, region, size_of::<T>(), old, call)?,
        };
        Ok(RawElements { origin, len: region.len, _elements: PhantomData })
    }

    /// Adds a use of memory by the function, which doesn't get it.
    fn order(&mut self, region: &Region<'_>) -> Result<(), Error> {
        let call = self.call;
        self.stream.check(region, region.len, call)?;
        match &mut self.uses {
            Uses::OfMemory(accesses) => accesses.add(region, || call.into()),
            Uses::OfCopies(staged) => staged.add_use(region, call),
        }
    }
}

/// Elements as they lie in memory.
#[derive(Debug)]
pub struct RawElements<T> {
    origin: Origin,
    pub(crate) len: usize,
    _elements: PhantomData<*mut T>,
}

// SAFETY: an address and a length; who makes a slice of them answers for it.
unsafe impl<T: Send + Sync> Send for RawElements<T> {}

impl<T> RawElements<T> {
    /// The first element, where copies lie in `staging`.
    pub(crate) fn first(&self, staging: *mut u8) -> *mut T {
        match self.origin {
            Origin::Memory(first) => first.as_ptr().cast(),
            Origin::Staging { offset } => staging.wrapping_add(offset).cast(),
        }
    }
}

/// An argument of [`Stream::on_cpu`] and [`Stream::on_host`]: memory, or a tuple or a `Vec` of arguments.
///
/// ```
/// use gridwright::launch::CpuArguments;
/// use gridwright::{Error, Stream};
///
/// /// Does nothing with the arguments, in the stream's order.
/// fn nothing<A: CpuArguments>(stream: &Stream, arguments: A) -> Result<(), Error> {
///     stream.on_cpu(arguments, |_, _| ())
/// }
/// ```
///
/// # Safety
/// `pass` returns memory that the argument borrows, exclusively where its view is mutable, by the destination's methods.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no memory for a function of the program",
    note = "`&buffer` and `&mut buffer` are, parts of buffers, and tuples of them; the function captures values: `move |_, x| …`"
)]
pub unsafe trait CpuArguments {
    /// The memory, without its lifetime.
    #[doc(hidden)]
    type Raw: Send + 'static;
    /// What the function gets.
    type Views<'v>;

    #[doc(hidden)]
    fn pass(self, to: &mut CpuDestination<'_>) -> Result<Self::Raw, Error>;

    /// # Safety
    /// The memory is there for `'v`, that of copies from `staging` on; nobody else writes it meanwhile, and nobody else uses it if the
    /// view is mutable.
    #[doc(hidden)]
    unsafe fn views<'v>(raw: &Self::Raw, staging: *mut u8) -> Self::Views<'v>;
}

macro_rules! memory {
    ($($kind:ty: $region:ident => $view:ty, $make:ident;)*) => {$(
        // SAFETY: the argument borrows the region, which `slice` adds to the accesses.
        unsafe impl<T: KernelArg> CpuArguments for $kind {
            type Raw = RawElements<T>;
            type Views<'v> = $view;

            #[allow(unused_mut)] // of those that only read
            fn pass(mut self, to: &mut CpuDestination<'_>) -> Result<RawElements<T>, Error> {
                to.slice(&self.$region(), Old::Seen)
            }

            #[inline]
            unsafe fn views<'v>(raw: &RawElements<T>, staging: *mut u8) -> $view {
                // SAFETY: `pass` took as many elements, which are values of `T` whatever their bytes; the caller says that they are there and
                // whose they are.
                unsafe { slice::$make(raw.first(staging), raw.len) }
            }
        }
    )*};
}

memory! {
    &Buffer<T>: region => &'v [T], from_raw_parts;
    BufferSlice<'_, T>: region => &'v [T], from_raw_parts;
    &BufferSlice<'_, T>: region => &'v [T], from_raw_parts;
    &mut Buffer<T>: region_mut => &'v mut [T], from_raw_parts_mut;
    BufferSliceMut<'_, T>: region_mut => &'v mut [T], from_raw_parts_mut;
    &mut BufferSliceMut<'_, T>: region_mut => &'v mut [T], from_raw_parts_mut;
}

/// An argument that the function writes whole: what lies there before isn't copied to the host. Its view is a `&mut [T]` whose
/// elements are any values, on a CPU device the old ones. What the function doesn't write may be overwritten.
///
/// ```
/// use gridwright::launch::Overwritten;
///
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let mut x = stream.alloc_unset::<u32>(3)?;
/// stream.on_host(Overwritten(&mut x), |x| x.fill(7))?;
/// assert_eq!(stream.download(&x)?, [7; 3]);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// An output of a host function, for which there is a copy to the device behind it and none before.
#[derive(Debug)]
pub struct Overwritten<'b, B>(pub &'b mut B);

// SAFETY: the argument borrows the region mutably; `slice` adds it.
unsafe impl<B: WriteTo> CpuArguments for Overwritten<'_, B> {
    type Raw = RawElements<B::Element>;
    type Views<'v> = &'v mut [B::Element];

    #[inline]
    fn pass(self, to: &mut CpuDestination<'_>) -> Result<Self::Raw, Error> {
        to.slice(&self.0.region_mut(), Old::Unseen)
    }

    #[inline]
    unsafe fn views<'v>(raw: &Self::Raw, staging: *mut u8) -> Self::Views<'v> {
        // SAFETY: `pass` took as many elements, which are values of their type whatever their bytes; the caller says that they are there
        // and nobody else's.
        unsafe { slice::from_raw_parts_mut(raw.first(staging), raw.len) }
    }
}

/// An argument for the order alone: the call counts as one that writes this memory, and the function gets `()` for it. Calls that name one
/// buffer run in the order in which they were made, on whatever streams, and so in graphs.
///
/// ```
/// use gridwright::launch::InOrder;
///
/// # let device = gridwright::Device::cpu()?;
/// let (a, b) = (device.stream()?, device.stream()?);
/// let mut order = a.alloc_zeroed::<u8>(1)?;
/// let (sender, receiver) = std::sync::mpsc::channel();
/// for (stream, number) in [(&a, 1), (&b, 2), (&a, 3)] {
///     let sender = sender.clone();
///     stream.on_host(InOrder(&mut order), move |()| drop(sender.send(number)))?;
/// }
/// assert_eq!(receiver.iter().take(3).collect::<Vec<_>>(), [1, 2, 3]);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// `cudaEventRecord` behind a host function, and `cudaStreamWaitEvent` before the next one.
#[derive(Debug)]
pub struct InOrder<'b, B>(pub &'b mut B);

// SAFETY: no memory is returned.
unsafe impl<B: WriteTo> CpuArguments for InOrder<'_, B> {
    type Raw = ();
    type Views<'v> = ();

    #[inline]
    fn pass(self, to: &mut CpuDestination<'_>) -> Result<(), Error> {
        to.order(&self.0.region_mut())
    }

    #[allow(clippy::unused_unit)] // with the lifetime of the others
    #[inline]
    unsafe fn views<'v>(_: &(), _: *mut u8) -> Self::Views<'v> {}
}

// SAFETY: each element's own promise.
unsafe impl<A: CpuArguments> CpuArguments for Vec<A> {
    type Raw = Vec<A::Raw>;
    type Views<'v> = Vec<A::Views<'v>>;

    #[inline]
    fn pass(self, to: &mut CpuDestination<'_>) -> Result<Vec<A::Raw>, Error> {
        self.into_iter().map(|argument| argument.pass(to)).collect()
    }

    #[inline]
    unsafe fn views<'v>(raw: &Vec<A::Raw>, staging: *mut u8) -> Vec<A::Views<'v>> {
        // SAFETY: the caller says it of all elements.
        raw.iter().map(|raw| unsafe { A::views(raw, staging) }).collect()
    }
}

macro_rules! tuple {
    ($($argument:ident $i:tt),*) => {
        // SAFETY: each element's own promise.
        unsafe impl<$($argument: CpuArguments),*> CpuArguments for ($($argument,)*) {
            type Raw = ($($argument::Raw,)*);
            type Views<'v> = ($($argument::Views<'v>,)*);

            #[allow(unused_variables, clippy::unused_unit)] // of no elements
            #[inline]
            fn pass(self, to: &mut CpuDestination<'_>) -> Result<Self::Raw, Error> {
                Ok(($(self.$i.pass(to)?,)*))
            }

            #[allow(unused_unsafe, unused_variables, clippy::unused_unit)] // of no elements
            #[inline]
            unsafe fn views<'v>(raw: &Self::Raw, staging: *mut u8) -> Self::Views<'v> {
                // SAFETY: the caller says it of all elements.
                unsafe { ($($argument::views(&raw.$i, staging),)*) }
            }
        }
    };
}

gridwright_core::for_tuples!(12, tuple);
