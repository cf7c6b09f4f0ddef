//! Streams and memory that cudarc has too.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::{CUcontext, CUstream};
use cudarc::driver::{CudaContext, CudaStream, DriverError};

use super::Cuda;
use crate::Error;
use crate::backend::gpu::driver::Lent;
use crate::backend::{Backend, Information};
use crate::submission::StreamId;

/// A stream of cudarc's own, which nobody uses. While there is one, cudarc takes its context to have several streams, and has
/// them wait for each other where they use one slice. It knows nothing of those that it is lent.
#[derive(Debug, Default)]
pub(super) struct Watch(Mutex<Option<Arc<CudaStream>>>);

impl Watch {
    /// Ends the watch: the device is closed.
    pub(super) fn end(&self, still_lent: bool) {
        let stream = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if still_lent {
            // Streams that somebody has go on, and so must this.
            std::mem::forget(stream);
        }
    }
}

/// The backend as CUDA's, if it is CUDA's.
pub(crate) fn of(backend: &dyn Backend) -> Option<&Cuda> {
    (backend as &dyn Any).downcast_ref()
}

impl Lent for Arc<CudaStream> {
    fn is_elsewhere(&self) -> bool {
        Self::strong_count(self) + Self::weak_count(self) > 1
    }

    fn end(self: Box<Self>) -> bool {
        // Who takes the last one out can be sure that nobody gets another.
        Self::into_inner(*self).is_some()
    }
}

impl Cuda {
    /// cudarc's type for the device's context, one for as long as the device is open.
    pub(crate) fn cudarc_context(&self) -> Result<Arc<CudaContext>, Error> {
        self.enter_checked()?;
        let nvidia = self.vendor();
        let watch = &mut *nvidia.watch.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stream) = watch {
            return Ok(Arc::clone(stream.context()));
        }
        // The library is there: the device is open. Both retain the one primary context.
        let context =
            CudaContext::new(nvidia.context.index).map_err(|error| self.said("CudaContext::new", error))?;
        *watch = Some(context.new_stream().map_err(|error| self.said("cuStreamCreate", error))?);
        Ok(context)
    }

    /// The error of a call that cudarc made.
    pub(crate) fn said(&self, call: &'static str, error: DriverError) -> Error {
        Error::Backend { device: Information::name(self).into(), call, message: error.to_string() }
    }

    /// The address of the device's context.
    pub(crate) fn raw_context(&self) -> CUcontext {
        self.vendor().context.context
    }

    /// cudarc's type for a stream, always the same one.
    pub(crate) fn cudarc_stream(&self, stream: StreamId) -> Result<Arc<CudaStream>, Error> {
        let context = self.cudarc_context()?;
        self.lend_stream(stream, |raw| {
            // SAFETY: of this context, which all retain. One of ours isn't destroyed before who has this is gone: see
            // `Lent::end`. One that isn't stays as long as this, as `stream_from_raw` asks of its caller. Work of ours and
            // cudarc's is in one queue.
            unsafe { context.wrap_borrowed_stream(raw.cast()) }
        })
    }

    /// The driver's address of a stream.
    pub(crate) fn raw_stream(&self, stream: StreamId) -> CUstream {
        self.stream_handle(stream).cast()
    }

    /// A number for a stream that isn't ours.
    ///
    /// # Safety
    /// It is a stream of this context, and stays until it is closed; all threads mean the same one by it.
    pub(crate) unsafe fn adopt_stream(
        &self,
        raw: CUstream,
        owner: Option<Arc<CudaStream>>,
    ) -> Result<StreamId, Error> {
        let owner = owner.map(|stream| Box::new(stream) as Box<dyn Lent>);
        // SAFETY: the caller says that it is a stream of this context, the same one for all threads, and stays until it is closed.
        unsafe { self.adopt(raw.cast(), owner) }
    }
}
