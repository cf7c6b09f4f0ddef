//! Memory as a driver has it, for another library.

use gridwright_core::KernelArg;

use crate::submission::{Access, Home, MemoryId};
use crate::transfer::Region;
use crate::{BufferSlice, BufferSliceMut, Error, ReadFrom, Stream, WriteTo};

/// Whether there is memory to lend: a region of the stream's device that has bytes.
///
/// # Errors
/// [`Error::ForeignBuffer`]; [`Error::Interop`] where others may use the memory meanwhile.
pub(crate) fn check_lent(stream: &Stream, region: &Region<'_>, call: &'static str) -> Result<bool, Error> {
    stream.check(region, region.len, call)?;
    if region.place.memory == MemoryId::NONE {
        return Ok(false);
    }
    let refused = |reason: &str| Err(Error::Interop { call, reason: reason.into() });
    if region.place.home != Home::Device {
        return refused("the host reaches the buffer's memory too, and may look at it meanwhile");
    }
    if region.place.is_shared {
        return refused("a graph has the buffer's memory too, and may be launched meanwhile");
    }
    Ok(true)
}

/// Where lent memory goes: the stream, and the uses of memory so far.
#[derive(Debug)]
pub struct DriverDestination<'d> {
    pub(crate) stream: &'d Stream,
    pub(crate) call: &'static str,
    pub(crate) accesses: Vec<Access>,
}

impl DriverDestination<'_> {
    /// The address of a region; null where there is no memory.
    pub(crate) fn lend<T>(&mut self, region: &Region<'_>) -> Result<*mut [T], Error> {
        let first = if check_lent(self.stream, region, self.call)? {
            self.accesses.push(region.access());
            region.place.address().cast()
        } else {
            std::ptr::null_mut()
        };
        Ok(std::ptr::slice_from_raw_parts_mut(first, region.len))
    }
}

/// What [`Stream::with_driver`] lends: memory, or a tuple or a `Vec` of what is lent.
///
/// `&buffer` becomes a `*const [T]`, and `&mut buffer` a `*mut [T]`: the driver's address and the number of elements. The address is null where
/// there are no bytes. Nobody on the host may follow it. So it is with matrices, volumes and parts of buffers.
///
/// ```
/// use gridwright::launch::DriverArguments;
/// use gridwright::{Error, Stream};
///
/// /// Lends memory for nothing.
/// fn nothing<A: DriverArguments>(stream: &Stream, arguments: A) -> Result<(), Error> {
///     // SAFETY: nothing is given to the stream.
///     unsafe { stream.with_driver(arguments, |_, _| ()) }
/// }
/// ```
///
/// # From CUDA
/// The `CUdeviceptr`s of a library's call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no memory to lend to another library",
    note = "`&buffer` and `&mut buffer` are, parts of buffers, and tuples and `Vec`s of them"
)]
pub trait DriverArguments {
    /// What the function gets.
    type Addresses;

    #[doc(hidden)]
    fn lend(self, to: &mut DriverDestination<'_>) -> Result<Self::Addresses, Error>;
}

impl<B: ReadFrom> DriverArguments for &B {
    type Addresses = *const [B::Element];

    fn lend(self, to: &mut DriverDestination<'_>) -> Result<Self::Addresses, Error> {
        Ok(to.lend(&self.region())?.cast_const())
    }
}

impl<B: WriteTo> DriverArguments for &mut B {
    type Addresses = *mut [B::Element];

    fn lend(self, to: &mut DriverDestination<'_>) -> Result<Self::Addresses, Error> {
        to.lend(&self.region_mut())
    }
}

impl<T: KernelArg> DriverArguments for BufferSlice<'_, T> {
    type Addresses = *const [T];

    fn lend(self, to: &mut DriverDestination<'_>) -> Result<Self::Addresses, Error> {
        Ok(to.lend(&self.region())?.cast_const())
    }
}

impl<T: KernelArg> DriverArguments for BufferSliceMut<'_, T> {
    type Addresses = *mut [T];

    fn lend(mut self, to: &mut DriverDestination<'_>) -> Result<Self::Addresses, Error> {
        to.lend(&self.region_mut())
    }
}

impl<A: DriverArguments> DriverArguments for Vec<A> {
    type Addresses = Vec<A::Addresses>;

    fn lend(self, to: &mut DriverDestination<'_>) -> Result<Self::Addresses, Error> {
        self.into_iter().map(|argument| argument.lend(to)).collect()
    }
}

macro_rules! tuple {
    ($($argument:ident $i:tt),*) => {
        impl<$($argument: DriverArguments),*> DriverArguments for ($($argument,)*) {
            type Addresses = ($($argument::Addresses,)*);

            #[allow(unused_variables, clippy::unused_unit)] // of no elements
            fn lend(self, to: &mut DriverDestination<'_>) -> Result<Self::Addresses, Error> {
                Ok(($(self.$i.lend(to)?,)*))
            }
        }
    };
}

gridwright_core::for_tuples!(12, tuple);
