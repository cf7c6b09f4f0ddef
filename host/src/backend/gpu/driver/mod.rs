//! GPUs behind a driver: streams, memory, copies, launches and graphs, by functions that NVIDIA's and AMD's drivers have in common.
//! What one of them has in its own way is behind a trait, which [`cuda`] and [`hip`] implement.
//!
//! | file | what it holds |
//! |---|---|
//! | `api`, `handles`, `status` | the functions, what they take and what they return |
//! | `vendor` | what drivers don't have in common |
//! | `cuda`, `hip` | the two of them |
//! | `device`, `info` | what the driver says of a device |
//! | `state` | all that changes, behind one lock: streams, uses of memory, what is to be freed |
//! | `stream`, `streams`, `event` | how far streams are, and what waits for what |
//! | `memory`, `pinned` | allocation, copies and `fill`, in stream order |
//! | `peer` | copies to other devices, and launches that reach them |
//! | `unified` | memory that the host reaches too |
//! | `textures` | textures that are the driver's objects |
//! | `module`, `kernels` | images, loaded and compared with the program, and kernels in them |
//! | `launch` | launches |
//! | `graph` | recorded work as graphs, and functions of the host's |
//! | `record` | where threads leave what is to be told, panics and printed lines, and the heap that they allocate from |
//! | `errors` | what statuses mean, and the loss of a device |
//! | `sharing`, `lending`, `foreign` | streams and memory that other libraries have too |
//!
//! Work is given to the driver with the lock held, so that the uses of a buffer are noted in the order of the driver's
//! queues. What waits, waits without it.
//!
//! A device is *entered* when it is the one that calls of this thread go to: CUDA's current context, HIP's current device.

use std::any::Any;
use std::sync::{Mutex, MutexGuard};

use gridwright_core::Limits;

use crate::Error;
use crate::backend::{Backend, Printed};
use crate::submission::{StreamId, Ticket, forbid};

mod api;
#[cfg(feature = "cuda")]
mod cuda;
mod device;
mod errors;
mod event;
#[cfg(any(feature = "cudarc", feature = "dlpack"))]
mod foreign;
mod graph;
mod handles;
#[cfg(feature = "hip")]
mod hip;
mod info;
mod kernels;
mod launch;
#[cfg(feature = "cudarc")]
mod lending;
mod memory;
mod module;
mod peer;
mod pinned;
mod record;
mod sharing;
mod state;
mod status;
mod stream;
mod streams;
mod textures;
mod unified;
mod vendor;

use api::Api;
#[cfg(feature = "cuda")]
pub(crate) use cuda::Cuda;
#[cfg(feature = "cudarc")]
pub(crate) use cuda::of as cuda_of;
use device::Traits;
use errors::Loss;
use handles::StreamHandle;
#[cfg(feature = "hip")]
pub(crate) use hip::Hip;
use memory::address;
use module::Modules;
use record::Records;
#[cfg(feature = "cudarc")]
use sharing::Lent;
use state::State;
use status::Status;
use vendor::{Numbers, Vendor};

/// A device of a driver.
#[derive(Debug)]
pub(crate) struct Driver<V: Vendor> {
    api: &'static Api,
    #[cfg(feature = "dlpack")]
    index: usize,
    name: String,
    limits: Limits,
    traits: Traits,
    loss: Loss,
    state: Mutex<State>,
    modules: Modules,
    records: Records,
    printed: Printed,
    /// A lock that a replay holds while it is submitted, and a copy of a graph's memory that the host waits
    /// for. It is taken before the lock of the state.
    shared: Mutex<()>,
    // The last: it is closed when all that was in it is gone.
    vendor: V,
}

impl<V: Vendor> Driver<V> {
    /// # Errors
    /// [`Error::DriverMissing`], [`Error::NoDevice`], [`Error::Backend`].
    pub(crate) fn open(index: usize) -> Result<Self, Error> {
        let (api, vendor) = (V::api()?, V::open(index)?);
        let asked = device::Asked { api, vendor: &vendor, index };
        Ok(Self {
            api,
            #[cfg(feature = "dlpack")]
            index,
            name: asked.name()?,
            limits: asked.limits()?,
            traits: asked.traits()?,
            loss: Loss::default(),
            state: Mutex::default(),
            modules: Modules::default(),
            records: Records::default(),
            printed: Printed::new()?,
            shared: Mutex::default(),
            vendor,
        })
    }

    /// The number of devices; none where there is no driver.
    pub(crate) fn count() -> usize {
        device::count::<V>().unwrap_or(0)
    }

    #[inline]
    fn api(&self) -> &'static Api {
        self.api
    }

    #[inline]
    fn lock(&self) -> MutexGuard<'_, State> {
        // Whoever panicked with it changed numbers only.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Keeps replays, and copies of graphs' memory, away until the turn is dropped.
    fn turn(&self) -> MutexGuard<'_, ()> {
        self.shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The state, locked, for driver calls: the device isn't lost, and is entered.
    #[inline]
    fn begin(&self) -> Result<MutexGuard<'_, State>, Error> {
        self.loss.check()?;
        self.enter()?;
        Ok(self.lock())
    }

    /// Makes the device this thread's. Others may have made another one so since the last call.
    #[inline]
    fn enter(&self) -> Result<(), Error> {
        forbid("a call of the driver")?;
        self.vendor.enter().map_err(|(call, status)| self.not_entered(call, status))
    }

    #[cold]
    fn not_entered(&self, call: &'static str, status: Status) -> Error {
        Error::Backend { device: self.name.clone(), call, message: self.text(status) }
    }

    /// Waits for a stream's work, which was so many pieces when it was looked at.
    fn wait_for_stream(&self, stream: StreamId, raw: StreamHandle, submitted: u64) -> Result<(), Error> {
        // SAFETY: streams are destroyed when the device is closed.
        let status = unsafe { (self.api().synchronize_stream.call)(raw) };
        let state = &mut *self.lock();
        self.check(state, self.api().synchronize_stream.name, status)?;
        state.stream_mut(stream).finish(submitted);
        self.free_dropped(state);
        Ok(())
    }

    /// Waits for a piece of a stream's work.
    fn wait_for_ticket(&self, ticket: Ticket) -> Result<(), Error> {
        let stream = StreamId(ticket.stream);
        let mut state = self.begin()?;
        if state.stream(stream).done >= ticket.number {
            return Ok(());
        }
        let behind = state.stream_mut(stream).event_behind(self.api(), ticket.number);
        let (event, number) =
            behind.map_err(|status| self.error_in(&state, self.api().record_event.name, status))?;
        drop(state);
        // It may be recorded anew in the meantime, behind later work: then this waits for that.
        // SAFETY: a stream's marks are destroyed when the device is closed.
        self.checked(self.api().synchronize_event.name, unsafe {
            (self.api().synchronize_event.call)(event)
        })?;
        self.lock().stream_mut(stream).finish(number);
        Ok(())
    }

    /// Reports what kernels left to be told, after something was waited for.
    fn report(&self) -> Result<(), Error> {
        self.destroy_finished();
        self.loss.check()?;
        self.take_records()
    }
}

/// Another device of the same driver.
fn of_driver<V: Vendor>(peer: &dyn Backend) -> Option<&Driver<V>> {
    (peer as &dyn Any).downcast_ref()
}

impl<V: Vendor> Backend for Driver<V> {}

impl<V: Vendor> Drop for Driver<V> {
    /// Streams, events and buffers hold the device: none of them is there any more, but what they submitted may be running.
    fn drop(&mut self) {
        let api = self.api;
        if self.enter().is_err() {
            // The context is gone, and all that was in it; or a host function has dropped the last of the device, and is itself
            // a part of what is kept here.
            std::mem::forget(std::mem::take(&mut *self.lock()));
            return;
        }
        // There is nobody to tell.
        // SAFETY: the context is current.
        let _ = unsafe { (api.synchronize_context.call)() };
        let mut state = std::mem::take(&mut *self.lock());
        for dropped in state.dropped.drain(..) {
            self.free_now(dropped.memory);
        }
        for graph in state.graphs.drain() {
            graph.destroy(api);
        }
        for event in state.events.drain(..) {
            event.destroy(api);
        }
        let mut still_lent = false;
        for stream in state.streams.drain(..) {
            still_lent |= stream.destroy(api);
        }
        self.vendor.close(still_lent);
        self.free_records();
        self.modules.unload(api);
    }
}
