use std::sync::Arc;

use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUstream;

use super::cuda;
use crate::{Device, Error, Priority, Stream};

/// The handle that the driver takes for the default stream of the calling thread, another one for each.
const PER_THREAD: usize = 2;

/// cudarc's type for a stream: what cudarc gives to it and what we do run in one order. It is the same each time.
///
/// It can be kept. The driver's stream stays as long as somebody has it, also when the [`Stream`] and the device are closed.
///
/// # Errors
/// [`Error::Interop`] for a stream of a device that isn't CUDA's, [`Error::DeviceLost`], [`Error::Backend`].
///
/// ```no_run
/// use gridwright::interop;
/// use gridwright::prelude::*;
///
/// let stream = Device::cuda(0)?.stream()?;
/// let theirs = interop::cudarc_stream(&stream)?;
/// let slice = theirs.clone_htod(&[1.0_f32, 2.0]); // in the order of `stream`
/// # Ok::<(), gridwright::Error>(())
/// ```
pub fn cudarc_stream(stream: &Stream) -> Result<Arc<CudaStream>, Error> {
    const CALL: &str = "interop::cudarc_stream";
    let cuda = cuda(stream.device(), CALL)?;
    stream.forbid_capture(CALL)?;
    cuda.cudarc_stream(stream.id())
}

/// A stream of cudarc's as one of ours, which keeps it.
///
/// # Errors
/// [`Error::Interop`] for a device that isn't CUDA's, a stream of another context, and the default stream of a thread, which is
/// another one for each; [`Error::DeviceLost`].
///
/// ```no_run
/// use gridwright::interop;
/// use gridwright::prelude::*;
///
/// let device = Device::cuda(0)?;
/// let stream = interop::stream_from_cudarc(&device, &interop::context(&device)?.default_stream())?;
/// let buffer = stream.upload(&[1, 2, 3])?;
/// # Ok::<(), gridwright::Error>(())
/// ```
pub fn stream_from_cudarc(device: &Device, stream: &Arc<CudaStream>) -> Result<Stream, Error> {
    const CALL: &str = "interop::stream_from_cudarc";
    let cuda = cuda(device, CALL)?;
    if stream.context().cu_ctx() != cuda.raw_context() {
        let reason = format!("the stream isn't one of `{}`, or not of its primary context", device.name());
        return Err(Error::Interop { call: CALL, reason });
    }
    let raw = stream.cu_stream();
    refuse_per_thread(raw, CALL)?;
    // SAFETY: of this context, kept by the `Arc`, and not the stream of a thread.
    let id = unsafe { cuda.adopt_stream(raw, Some(Arc::clone(stream))) }?;
    Ok(Stream::new(device.clone(), id, Priority::NORMAL))
}

/// The driver's handle of a stream, for libraries that take one. It is ours to destroy, and means this stream as long as there
/// is a clone of the [`Stream`]: afterwards it may be another's, or none.
///
/// # Errors
/// [`Error::Interop`] for a stream of a device that isn't CUDA's.
///
/// ```no_run
/// use gridwright::interop;
/// use gridwright::prelude::*;
///
/// let stream = Device::cuda(0)?.stream()?;
/// println!("{:?}", interop::raw_stream(&stream)?);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// `cudaStream_t`, or `CUstream`, which is the driver's name for it.
pub fn raw_stream(stream: &Stream) -> Result<CUstream, Error> {
    Ok(cuda(stream.device(), "interop::raw_stream")?.raw_stream(stream.id()))
}

/// A driver's stream that somebody else made as one of ours. It isn't destroyed by us.
///
/// # Errors
/// [`Error::Interop`] for a device that isn't CUDA's, and for the default stream of a thread, which is another one for each;
/// [`Error::DeviceLost`].
///
/// # Safety
/// - It is a stream of the primary context of `device`, or null, the default stream.
/// - It stays until the last clone of the [`Stream`] is dropped, and until the last of what [`cudarc_stream`] gave for it is.
/// - Nobody captures it in a graph while the [`Stream`] is used.
///
/// ```no_run
/// use gridwright::interop;
/// use gridwright::prelude::*;
///
/// let device = Device::cuda(0)?;
/// // SAFETY: the default stream is there as long as the context.
/// let stream = unsafe { interop::stream_from_raw(&device, std::ptr::null_mut()) }?;
/// let buffer = stream.upload(&[1, 2, 3])?;
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// A stream of your own `cudaStreamCreate`. A null `cudaStream_t` is the legacy default stream.
pub unsafe fn stream_from_raw(device: &Device, raw: CUstream) -> Result<Stream, Error> {
    const CALL: &str = "interop::stream_from_raw";
    let cuda = cuda(device, CALL)?;
    refuse_per_thread(raw, CALL)?;
    // SAFETY: the caller says that it is a stream of the primary context, which stays until it is closed; it isn't the stream of a
    // thread, so that all threads mean the same one.
    let id = unsafe { cuda.adopt_stream(raw, None) }?;
    Ok(Stream::new(device.clone(), id, Priority::NORMAL))
}

fn refuse_per_thread(raw: CUstream, call: &'static str) -> Result<(), Error> {
    if raw.addr() == PER_THREAD {
        let reason =
            "a thread's default stream is another one for each, and a `Stream` goes from thread to thread";
        return Err(Error::Interop { call, reason: reason.into() });
    }
    Ok(())
}
