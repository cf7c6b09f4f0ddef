//! Streams and memory that cudarc has too.

use std::any::Any;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::{CUcontext, CUdeviceptr, CUstream};
use cudarc::driver::{CudaContext, CudaStream, DriverError};

use super::Cuda;
use super::memory::address;
use super::sharing::Sharing;
use super::stream::Stream;
use crate::backend::{Access, Backend, Home, Kind, Memory, MemoryId, StreamId, Ticket};
use crate::{Error, Priority};

/// A stream of cudarc's own, which nobody uses. While there is one, cudarc takes its context to have several streams, and has
/// them wait for each other where they use one slice. It knows nothing of those that it is lent.
#[derive(Debug, Default)]
pub(super) struct Watch(Mutex<Option<Arc<CudaStream>>>);

impl Watch {
    /// The device is closed.
    pub(super) fn end(&self, still_lent: bool) {
        let stream = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if still_lent {
            // Streams that somebody has go on, and so must this.
            std::mem::forget(stream);
        }
    }
}

/// The backend, if it is this one.
pub(crate) fn of(backend: &dyn Backend) -> Option<&Cuda> {
    (backend as &dyn Any).downcast_ref()
}

impl Cuda {
    /// cudarc's type for the device's context, one for as long as the device is open.
    pub(crate) fn cudarc_context(&self) -> Result<Arc<CudaContext>, Error> {
        drop(self.begin()?);
        let watch = &mut *self.watch.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stream) = watch {
            return Ok(Arc::clone(stream.context()));
        }
        // The library is there: the device is open. Both retain the one primary context.
        let context =
            CudaContext::new(self.context.index).map_err(|error| self.said("CudaContext::new", error))?;
        *watch = Some(context.new_stream().map_err(|error| self.said("cuStreamCreate", error))?);
        Ok(context)
    }

    /// The error of a call that cudarc made.
    pub(crate) fn said(&self, call: &'static str, error: DriverError) -> Error {
        Error::Backend { device: self.name().into(), call, message: error.to_string() }
    }

    /// The address of the device's context.
    pub(crate) fn raw_context(&self) -> CUcontext {
        self.context.context
    }

    /// Whether memory is freed in the order of streams. cudarc asks the device alone, and calls what the driver may lack.
    pub(crate) fn has_pool(&self) -> bool {
        self.traits.pool.is_some()
    }

    /// cudarc's type for a stream, always the same one.
    pub(crate) fn cudarc_stream(&self, stream: StreamId) -> Result<Arc<CudaStream>, Error> {
        let context = self.cudarc_context()?;
        let state = &mut *self.begin()?;
        let Stream { raw, sharing, .. } = state.stream_mut(stream);
        if let Sharing::Lent(stream) | Sharing::Foreign(Some(stream)) = sharing {
            return Ok(Arc::clone(stream));
        }
        // SAFETY: of this context, which all retain. One of ours isn't destroyed before who has this is gone: see
        // `Sharing::end`. One that isn't stays as long as this, by the contract of `stream_from_raw`. Work of ours and
        // cudarc's is in one queue.
        let made = unsafe { context.wrap_borrowed_stream(*raw) };
        let shared = Arc::clone(&made);
        *sharing = if sharing.is_foreign() { Sharing::Foreign(Some(shared)) } else { Sharing::Lent(shared) };
        Ok(made)
    }

    /// The driver's address of a stream.
    pub(crate) fn raw_stream(&self, stream: StreamId) -> CUstream {
        self.lock().stream(stream).raw
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
        let state = &mut *self.begin()?;
        let sharing = Sharing::Foreign(owner);
        // The place of one that has done all its work: those who wait for that find it done.
        let is_free = |place: &u32| {
            let stream = state.stream(StreamId(*place));
            stream.sharing.is_retired().then_some(stream.submitted)
        };
        let places = 0..state.streams.len() as u32;
        let retired: Vec<_> = places.filter_map(|place| Some((place, is_free(&place)?))).collect();
        for (place, number) in retired {
            if state.is_done(self.api(), Ticket { stream: place, number }) == Ok(true) {
                state.stream_mut(StreamId(place)).replace(raw, sharing);
                return Ok(StreamId(place));
            }
        }
        state.streams.push(Stream::new(raw, Priority::NORMAL, sharing));
        Ok(StreamId(state.streams.len() as u32 - 1))
    }

    /// Has a stream wait for what a use by somebody else, which comes later, has to wait for.
    pub(crate) fn wait_for_uses(&self, stream: StreamId, access: Access) -> Result<(), Error> {
        let state = &mut *self.begin()?;
        let waited = state.wait_for_uses(self.api(), stream, access);
        waited.map_err(|status| self.reporter.error(state, "cuStreamWaitEvent", status))
    }

    /// Notes that memory was used by what somebody else gave to a stream up to now.
    pub(crate) fn note_uses(&self, stream: StreamId, accesses: &[Access]) {
        // Without the context nothing runs, and whoever comes next fails.
        let _ = self.context.enter();
        let state = &mut *self.lock();
        // Meanwhile other parts of the memory may have been used. Who waits for this use from here on, waits for those.
        if accesses.iter().any(|&access| state.wait_for_uses(self.api(), stream, access).is_err()) {
            // SAFETY: the context is current.
            let _ = unsafe { (self.api().synchronize_context)() };
        }
        let number = state.stream_mut(stream).submit(None);
        state.add_uses(self.api(), accesses, Ticket { stream: stream.0, number });
    }

    /// Waits for all work of the device, whoever gave it.
    pub(crate) fn wait_for_all(&self) -> Result<(), Error> {
        drop(self.begin()?);
        // SAFETY: the context is current.
        self.checked("cuCtxSynchronize", unsafe { (self.api().synchronize_context)() })
    }

    /// Memory that somebody else frees from here on, behind what the stream has been told to wait for.
    pub(crate) fn give_memory(&self, memory: MemoryId) {
        self.lock().remove_memory(memory);
    }

    /// Memory that is freed as ours is from here on. Who comes next waits for the stream's work so far.
    pub(crate) fn take_memory(&self, stream: StreamId, address: CUdeviceptr) -> Option<Memory> {
        let pointer = NonNull::new(std::ptr::with_exposed_provenance_mut(address as usize))?;
        let state = &mut *self.lock();
        let id = state.add_memory();
        let number = state.stream_mut(stream).submit(None);
        state.uses(id).add(Kind::Write, Ticket { stream: stream.0, number });
        Some(Memory { pointer, id, home: Home::Device })
    }

    /// As the driver has it.
    pub(crate) fn driver_address(pointer: NonNull<u8>) -> CUdeviceptr {
        address(pointer)
    }
}
