use std::sync::Arc;

use gridwright_core::KernelArg;

use crate::allocation::Allocation;
use crate::submission::{Access, Kind, MemoryId, Owner, Place};
use crate::{Buffer, BufferSlice, BufferSliceMut, Device, Error, MatrixBuffer, UnifiedBuffer, VolumeBuffer};

/// Elements of device memory: where, how many, of which device, and what is done with them.
#[derive(Debug)]
pub struct Region<'b> {
    pub(crate) device: &'b Device,
    pub(crate) place: Place,
    pub(crate) len: usize,
    pub(crate) kind: Kind,
    /// The owner, who frees the memory. There is none for no bytes, and none where the host looks at the
    /// memory while the device has it: a graph doesn't take that.
    pub(crate) owner: Option<&'b Arc<Allocation>>,
}

impl Region<'_> {
    /// The memory, for a graph to keep.
    ///
    /// # Errors
    /// [`Error::NotForGraphs`].
    pub(crate) fn share(&self, place: impl FnOnce() -> String) -> Result<Arc<dyn Owner>, Error> {
        let owner = self.owner.ok_or_else(|| Error::NotForGraphs { place: place() })?;
        owner.share();
        Ok(Arc::clone(owner) as Arc<dyn Owner>)
    }

    /// Whether there is no byte in the region, also of a part of memory that has some.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0 || self.place.memory == MemoryId::NONE
    }

    pub(crate) fn access(&self) -> Access {
        Access { memory: self.place.memory, kind: self.kind }
    }
}

/// What can be copied to the host: [`Buffer`], [`MatrixBuffer`], [`VolumeBuffer`], [`UnifiedBuffer`], [`BufferSlice`] and
/// [`BufferSliceMut`].
///
/// ```
/// use gridwright::memory::ReadFrom;
/// use gridwright::{Error, Stream};
///
/// fn first<B: ReadFrom>(stream: &Stream, buffer: &B) -> Result<Option<B::Element>, Error> {
///     Ok(stream.download(buffer)?.first().copied())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not memory of a device",
    note = "a `Buffer`, a `MatrixBuffer`, a `VolumeBuffer`, or a part of a buffer from `slice` or `slice_mut` is"
)]
pub trait ReadFrom: sealed::Sealed {
    /// The elements that the memory holds.
    type Element: KernelArg;

    #[doc(hidden)]
    fn region(&self) -> Region<'_>;
}

/// What can be written from the host: [`Buffer`], [`MatrixBuffer`], [`VolumeBuffer`], [`UnifiedBuffer`] and
/// [`BufferSliceMut`].
///
/// ```
/// use gridwright::memory::WriteTo;
/// use gridwright::{Error, Stream};
///
/// fn ones<B: WriteTo<Element = f32>>(stream: &Stream, buffer: &mut B) -> Result<(), Error> {
///     stream.fill(buffer, 1.0)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not memory of a device that can be written",
    note = "a `Buffer`, a `MatrixBuffer`, a `VolumeBuffer`, or a part of a buffer from `slice_mut` is"
)]
pub trait WriteTo: ReadFrom {
    #[doc(hidden)]
    fn region_mut(&mut self) -> Region<'_>;
}

macro_rules! memory {
    ($($kind:ty: $($mutable:ident)?;)*) => {$(
        impl<T: KernelArg> sealed::Sealed for $kind {}

        impl<T: KernelArg> ReadFrom for $kind {
            type Element = T;

            fn region(&self) -> Region<'_> {
                let (place, owner) = (self.place(), self.owner());
                Region { device: self.device(), place, len: self.len(), kind: Kind::Read, owner }
            }
        }

        $(
            impl<T: KernelArg> WriteTo for $kind {
                fn region_mut(&mut self) -> Region<'_> {
                    const _: &str = stringify!($mutable);
                    Region { kind: Kind::Write, ..self.region() }
                }
            }
        )?
    )*};
}

memory! {
    Buffer<T>: mutable;
    MatrixBuffer<T>: mutable;
    VolumeBuffer<T>: mutable;
    UnifiedBuffer<T>: mutable;
    BufferSlice<'_, T>: ;
    BufferSliceMut<'_, T>: mutable;
}

mod sealed {
    pub trait Sealed {}
}
