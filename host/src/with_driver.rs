//! A driver's stream and addresses for another library.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

use crate::driver_arguments::{DriverArguments, DriverDestination};
use crate::submission::Access;
use crate::{DeviceKind, Error, Stream};

impl Stream {
    /// Lends a driver's stream and the addresses of buffers to another library, in one call of `function`, and gives what it gives.
    ///
    /// What `function` gives to the stream is behind the uses of the buffers before it, on whatever streams, and later uses wait for it. This
    /// call doesn't wait for the work. While `function` runs, the device is the one that calls of the driver by this thread go to: CUDA's
    /// current context, HIP's current device. It stays so.
    ///
    /// # Errors
    /// `function` isn't called then.
    /// - [`Error::Interop`] for a device without a driver, such as the CPU and the emulator, for memory that the host reaches too, and for
    ///   memory that a graph has too: they may be used meanwhile;
    /// - [`Error::ForeignBuffer`]; in a capture [`Error::CaptureBroken`]; [`Error::DeviceLost`], [`Error::Backend`].
    ///
    /// # Panics
    /// If `function` does. What it gave to the stream by then counts.
    ///
    /// # Safety
    /// - `function` gives work that uses the lent memory to this stream alone, or has the stream wait for it, and has that work wait for what
    ///   the stream was given before.
    /// - The work reads and writes only the lent elements and memory of the library's own. It writes only those borrowed mutably.
    /// - The stream isn't destroyed, isn't being captured by the driver when `function` returns, and isn't used once the last clone of the
    ///   [`Stream`] is dropped.
    ///
    /// ```no_run
    /// use gridwright::prelude::*;
    ///
    /// # unsafe fn sum_by_library(stream: *mut std::ffi::c_void, x: *const f32, n: usize, sum: *mut f32) -> i32 { 0 }
    /// let stream = Device::cuda(0)?.stream()?;
    /// let x = stream.upload(&[1.0_f32, 2.0])?;
    /// let mut sum = stream.alloc_zeroed::<f32>(1)?;
    /// // SAFETY: the library reads `x` and writes `sum` on the stream that it is given.
    /// let status = unsafe {
    ///     stream.with_driver((&x, &mut sum), |stream, (x, sum)| {
    ///         sum_by_library(stream.handle(), x.cast(), x.len(), sum.cast())
    ///     })?
    /// };
    /// assert_eq!((status, stream.download(&sum)?), (0, vec![3.0]));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// The `cudaStream_t` and the device pointers that a library's call takes.
    pub unsafe fn with_driver<A: DriverArguments, R>(
        &self,
        arguments: A,
        function: impl FnOnce(DriverStream<'_>, A::Addresses) -> R,
    ) -> Result<R, Error> {
        const CALL: &str = "with_driver";
        self.forbid_capture(CALL)?;
        let backend = self.device().backend();
        let Some(handle) = backend.driver_stream(self.id()) else {
            let reason =
                format!("`{}` has no driver, and no stream for another library", self.device().name());
            return Err(Error::Interop { call: CALL, reason });
        };
        let mut lent = DriverDestination { stream: self, call: CALL, accesses: Vec::new() };
        let addresses = arguments.lend(&mut lent)?;
        let lent = Lent { stream: self, accesses: lent.accesses };
        backend.wait_for_earlier(self.id(), &lent.accesses)?;
        // The uses are noted when `lent` is dropped, also in a panic.
        Ok(function(DriverStream { handle, kind: self.device().kind(), _stream: PhantomData }, addresses))
    }
}

/// Memory that another library has.
struct Lent<'s> {
    stream: &'s Stream,
    accesses: Vec<Access>,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        if !self.accesses.is_empty() {
            self.stream.device().backend().note_uses(self.stream.id(), &self.accesses);
        }
    }
}

/// A stream as its driver has it, from [`Stream::with_driver`].
///
/// ```
/// use gridwright::launch::DriverStream;
///
/// /// What a library's call takes.
/// fn raw(stream: DriverStream<'_>) -> *mut std::ffi::c_void {
///     stream.handle()
/// }
/// ```
///
/// # From CUDA
/// `cudaStream_t`, or `CUstream`, which is the driver's name for it; of HIP `hipStream_t`.
#[derive(Clone, Copy)]
pub struct DriverStream<'s> {
    handle: *mut c_void,
    kind: DeviceKind,
    _stream: PhantomData<&'s Stream>,
}

impl DriverStream<'_> {
    /// The driver's handle: of CUDA a `CUstream`, of HIP a `hipStream_t`.
    ///
    /// ```no_run
    /// # let stream = gridwright::Device::hip(0)?.stream()?;
    /// // SAFETY: nothing is given to the stream.
    /// let handle = unsafe { stream.with_driver((), |stream, ()| stream.handle()) }?;
    /// println!("{handle:?}");
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn handle(self) -> *mut c_void {
        self.handle
    }

    /// Whose driver it is.
    ///
    /// ```no_run
    /// use gridwright::DeviceKind;
    ///
    /// # let stream = gridwright::Device::cuda(0)?.stream()?;
    /// // SAFETY: nothing is given to the stream.
    /// let kind = unsafe { stream.with_driver((), |stream, ()| stream.kind()) }?;
    /// assert_eq!(kind, DeviceKind::Cuda);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn kind(self) -> DeviceKind {
        self.kind
    }
}

impl fmt::Debug for DriverStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DriverStream").field("kind", &self.kind).finish_non_exhaustive()
    }
}
