use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, DevicePtr, DevicePtrMut};
use gridwright_core::{KernelArg, MOST_ALIGNMENT};

use super::cuda;
use crate::backend::{Cuda, Streams};
use crate::submission::{Access, Contents, Kind};
use crate::{Buffer, Error, Stream};

/// Alignment of `Buffer`s, in bytes.
const ALIGNMENT: u64 = MOST_ALIGNMENT as u64;

/// A buffer as a slice of cudarc's, without a copy. Its stream is `stream`'s of cudarc, on which it waits for the buffer's last
/// uses. cudarc frees it.
///
/// # Errors
/// The buffer is dropped then. [`Error::ForeignBuffer`]; [`Error::Interop`] for a device that isn't CUDA's, a buffer of no
/// bytes, and where the device has memory pools but the driver doesn't have the functions to free in stream order, which cudarc
/// calls; [`Error::DeviceLost`], [`Error::Backend`].
///
/// # Panics
/// If the driver has no memory for cudarc's events: cudarc has no error for that. The buffer is freed.
///
/// ```no_run
/// use gridwright::interop;
/// use gridwright::prelude::*;
///
/// let stream = Device::cuda(0)?.stream()?;
/// let buffer = stream.upload(&[1.0_f32, 2.0])?;
/// let slice = interop::into_cudarc(buffer, &stream)?;
/// let buffer = interop::from_cudarc(slice, &stream)?;
/// assert_eq!(stream.download(&buffer)?, [1.0, 2.0]);
/// # Ok::<(), gridwright::Error>(())
/// ```
pub fn into_cudarc<T: KernelArg>(buffer: Buffer<T>, stream: &Stream) -> Result<CudaSlice<T>, Error> {
    const CALL: &str = "interop::into_cudarc";
    let cuda = cuda(stream.device(), CALL)?;
    stream.forbid_capture(CALL)?;
    if !stream.device().is(buffer.device()) {
        return Err(Error::ForeignBuffer {
            place: CALL.into(),
            device: stream.device().identity(),
            buffer_device: buffer.device().identity(),
        });
    }
    if buffer.len() * size_of::<T>() == 0 {
        let reason = "a buffer of no bytes has no memory; cudarc's `null` makes a slice without".into();
        return Err(Error::Interop { call: CALL, reason });
    }
    if !buffer.is_alone() {
        let reason = "a graph has the buffer's memory too, and uses it when it is launched".into();
        return Err(Error::Interop { call: CALL, reason });
    }
    if buffer.is_foreign() {
        let reason = "the buffer's memory is a DLPack tensor's, whose producer frees it".into();
        return Err(Error::Interop { call: CALL, reason });
    }
    let theirs = cuda.cudarc_stream(stream.id())?;
    check_freeing(cuda, theirs.context(), CALL)?;
    cuda.wait_for_earlier(stream.id(), &[Access { memory: buffer.place().memory, kind: Kind::Write }])?;
    // The slice makes two, and panics where it can't.
    theirs.context().new_event(None).map_err(|error| cuda.said("cuEventCreate", error))?;
    let address = Cuda::driver_address(buffer.place().pointer);
    // SAFETY: an allocation of `len` elements, whose bytes are all values of `T`. It is the buffer's until the next line, and
    // then the slice's alone.
    let mut slice = unsafe { theirs.upgrade_device_ptr::<T>(address, buffer.len()) };
    let Some(memory) = buffer.into_memory() else {
        // It was alone: nobody gets here. The memory stays.
        slice.leak();
        return Err(Error::Interop { call: CALL, reason: "somebody else has the memory too".into() });
    };
    cuda.give_memory(memory.id);
    // Other streams of cudarc's wait for this event.
    drop(slice.device_ptr_mut(&theirs));
    let unmarked = theirs.context().check_err();
    if !theirs.context().is_managing_stream_synchronization() || unmarked.is_err() {
        // They don't: nothing is left to wait for.
        cuda.wait_for_all()?;
        // It may be of an earlier call, which nobody was told of yet.
        theirs.context().record_err(unmarked);
    }
    Ok(slice)
}

/// A slice of cudarc's as a buffer, without a copy. On `stream` it waits for the slice's uses, as far as cudarc knows them; it is
/// freed as our own buffers are, which is cudarc's way too.
///
/// # Errors
/// The slice is dropped then. [`Error::Interop`] for a device that isn't CUDA's, a slice of another context, one whose address
/// isn't a multiple of 64, and where the two don't free memory in the same way (see [`into_cudarc`]); [`Error::DeviceLost`],
/// [`Error::Backend`], after which the memory isn't freed.
///
/// ```no_run
/// use gridwright::interop;
/// use gridwright::prelude::*;
///
/// let stream = Device::cuda(0)?.stream()?;
/// let slice = interop::cudarc_stream(&stream)?.clone_htod(&[1, 2, 3])?;
/// let buffer = interop::from_cudarc(slice, &stream)?;
/// assert_eq!(stream.download(&buffer)?, [1, 2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_cudarc<T: KernelArg>(slice: CudaSlice<T>, stream: &Stream) -> Result<Buffer<T>, Error> {
    const CALL: &str = "interop::from_cudarc";
    let cuda = cuda(stream.device(), CALL)?;
    stream.forbid_capture(CALL)?;
    let refused = |reason: String| Error::Interop { call: CALL, reason };
    if slice.context().cu_ctx() != cuda.raw_context() {
        let device = stream.device().name();
        return Err(refused(format!("the slice isn't of `{device}`, or not of its primary context")));
    }
    check_freeing(cuda, slice.context(), CALL)?;
    if slice.num_bytes() == 0 {
        return Buffer::new(stream, slice.len(), Contents::Unset);
    }
    let (theirs, source, len) = (cuda.cudarc_stream(stream.id())?, Arc::clone(slice.stream()), slice.len());
    let (address, _) = slice.device_ptr(&source);
    if !address.is_multiple_of(ALIGNMENT) {
        return Err(refused(format!("the slice's address, {address:#x}, isn't a multiple of {ALIGNMENT}")));
    }
    // Its stream waits for the slice's uses on others, and ours for it.
    let address = slice.leak();
    if theirs.join(&source).is_err() {
        // An event failed, this one's or one of the slice's.
        cuda.wait_for_all()?;
    }
    let memory = cuda.take_memory(stream.id(), address);
    let memory = memory.ok_or_else(|| refused("the slice has no address".into()))?;
    // SAFETY: taken just now; cudarc allocated as many elements, which have bytes.
    Ok(unsafe { Buffer::from_memory(stream.device().clone(), memory, len) })
}

/// Whether cudarc frees memory as we do: in the order of streams, or not.
fn check_freeing(cuda: &Cuda, context: &CudaContext, call: &'static str) -> Result<(), Error> {
    if context.has_async_alloc() == cuda.has_pool() {
        return Ok(());
    }
    let reason = "the device has memory pools and the driver lacks their functions: cudarc would call them; \
                  install a newer driver, or lend the buffer in a scope";
    Err(Error::Interop { call, reason: reason.into() })
}
