//! GPUs behind a driver: streams, memory, copies, launches and graphs, by functions that NVIDIA's and AMD's drivers have in common.
//! What one of them has in its own way is behind a trait, which [`cuda`](super::cuda) and [`hip`](super::hip) implement.
//!
//! | file | what it holds |
//! |---|---|
//! | `api`, `handles`, `status` | the functions, what they take and what they return |
//! | `vendor` | what drivers don't have in common |
//! | `device`, `info` | what the driver says of a device |
//! | `state` | all that changes, behind one lock: streams, uses of memory, what is to be freed |
//! | `stream`, `event`, `uses` | how far streams are, and what waits for what |
//! | `memory` | allocation, copies and `fill`, in stream order |
//! | `peer` | copies to other devices, and launches that reach them |
//! | `unified` | memory that the host reaches too |
//! | `textures` | textures that are the driver's objects |
//! | `module` | images, loaded and compared with the program |
//! | `launch`, `occupancy` | launches |
//! | `graph` | recorded work as graphs, and functions of the host's |
//! | `record` | where threads leave what is to be told, panics and printed lines, and the heap that they allocate from |
//! | `errors` | what statuses mean, and the loss of a device |
//! | `sharing`, `lending` | streams and memory that other libraries have too |
//!
//! Work is given to the driver with the lock held, so that the uses of a buffer are noted in the order of the driver's
//! queues. What waits, waits without it.
//!
//! A device is *entered* when it is the one that calls of this thread go to: CUDA's current context, HIP's current device.

use std::any::Any;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use gridwright_core::{HeapUsage, Limits};
use gridwright_device::arch;

use super::{
    Access, Attribute, Backend, Code, Contents, Direction, GraphId, Home, Kind, Launch, Loaded, Mark, Memory,
    MemoryId, PeerAccess, Place, StreamId, Textures, Ticket, Work,
};
use crate::host_call::{self, HostCall};
use crate::printed::Printed;
use crate::{Attributes, DeviceInfo, DeviceKind, Error, Occupancy, Priorities, Priority};

pub(super) mod api;
pub(super) mod device;
pub(super) mod errors;
mod event;
mod graph;
pub(super) mod handles;
mod info;
mod launch;
#[cfg(feature = "cudarc")]
mod lending;
mod memory;
mod module;
mod occupancy;
mod peer;
mod record;
mod sharing;
mod state;
pub(super) mod status;
mod stream;
pub(super) mod textures;
mod unified;
mod uses;
pub(super) mod vendor;

pub(super) use api::Api;
use device::Traits;
use errors::Loss;
use event::Event;
use handles::{FunctionHandle, StreamHandle};
use memory::address;
use module::Modules;
use record::Records;
#[cfg(feature = "cudarc")]
pub(super) use sharing::Lent;
use state::State;
pub(super) use status::Status;
pub(super) use vendor::{Numbers, Vendor};

/// A device of a driver.
#[derive(Debug)]
pub(crate) struct Driver<V: Vendor> {
    api: &'static Api,
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
        host_call::forbid("a call of the driver")?;
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

/// The driver's function of a loaded kernel.
fn function(loaded: Loaded) -> FunctionHandle {
    std::ptr::with_exposed_provenance_mut(loaded.function)
}

/// The driver's event of a mark.
fn event(mark: &Mark) -> Option<Event> {
    match mark {
        Mark::Event(address) => Some(Event(std::ptr::with_exposed_provenance_mut(*address))),
        Mark::Reached(_) => None,
    }
}

impl<V: Vendor> Backend for Driver<V> {
    fn kind(&self) -> DeviceKind {
        V::KIND
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn info(&self) -> Result<DeviceInfo, Error> {
        self.device_info()
    }

    fn priorities(&self) -> Priorities {
        self.traits.priorities
    }

    fn open_stream(&self, priority: Priority) -> Result<StreamId, Error> {
        let state = &mut *self.begin()?;
        // One that has nothing to do, and that nobody else has, so that the new one waits for nobody.
        let is_free = |id: &StreamId| {
            let stream = state.stream(*id);
            let may_be = stream.priority == priority && !stream.sharing.is_lent();
            // SAFETY: streams are destroyed when the device is closed.
            may_be && unsafe { (self.api().query_stream.call)(stream.raw) } == Status::SUCCESS
        };
        if let Some(place) = state.closed.iter().position(is_free) {
            return Ok(state.closed.swap_remove(place));
        }
        state
            .create_stream(self.api(), priority)
            .map_err(|status| self.error_in(state, self.api().create_stream.name, status))
    }

    fn close_stream(&self, stream: StreamId) {
        let mut state = self.lock();
        if state.stream(stream).sharing.is_foreign() {
            drop(state);
            return self.retire_stream(stream);
        }
        state.closed.push(stream);
    }

    fn allocate(&self, stream: StreamId, bytes: usize, contents: Contents) -> Result<Memory, Error> {
        self.allocate_memory(stream, bytes, contents)
    }

    fn allocate_unified(&self, bytes: usize, home: Home) -> Result<Memory, Error> {
        self.allocate_for_both(bytes, home)
    }

    fn wait_for_memory(&self, memory: MemoryId, kind: Kind) -> Result<(), Error> {
        self.wait_for_uses_of(memory, kind)
    }

    unsafe fn free(&self, memory: Memory, _: usize) {
        if memory.home == Home::Texture {
            // SAFETY: the caller's contract.
            return unsafe { self.free_texture(memory) };
        }
        self.free_memory(memory);
    }

    unsafe fn write(&self, stream: StreamId, to: Place, from: &[u8]) -> Result<(), Error> {
        // SAFETY: the caller's contract.
        unsafe { self.write_memory(stream, to, from) }
    }

    unsafe fn read(&self, stream: StreamId, from: Place, to: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the caller's contract.
        unsafe { self.read_memory(stream, from, to) }
    }

    unsafe fn fill(&self, stream: StreamId, to: Place, pattern: &[u8], count: usize) -> Result<(), Error> {
        // SAFETY: the caller's contract.
        unsafe { self.fill_memory(stream, to, pattern, count) }
    }

    unsafe fn copy(&self, stream: StreamId, from: Place, to: Place, bytes: usize) -> Result<(), Error> {
        // SAFETY: the caller's contract.
        unsafe { self.copy_memory(stream, from, to, bytes) }
    }

    unsafe fn copy_with_peer(
        &self,
        stream: StreamId,
        peer: &dyn Backend,
        direction: Direction,
        from: Place,
        to: Place,
        bytes: usize,
    ) -> Result<bool, Error> {
        let Some(peer) = of_driver::<V>(peer) else { return Ok(false) };
        // SAFETY: the caller's contract.
        unsafe { self.copy_memory_with_peer(stream, peer, direction, from, to, bytes) }.map(|()| true)
    }

    fn can_access_peer(&self, peer: &dyn Backend) -> Result<bool, Error> {
        of_driver::<V>(peer).map_or(Ok(false), |peer| self.can_reach(peer))
    }

    fn enable_peer_access(&self, peer: &dyn Backend) -> Result<(), Error> {
        of_driver::<V>(peer).map_or(Ok(()), |peer| self.reach(peer))
    }

    fn textures(&self) -> &dyn Textures {
        self
    }

    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        self.allocate_host(bytes)
    }

    unsafe fn free_pinned(&self, memory: NonNull<u8>, _: usize, after: Option<Ticket>) {
        self.free_host(memory, after);
    }

    unsafe fn write_pinned(
        &self,
        stream: StreamId,
        to: Place,
        from: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        let access = Access { memory: to.memory, kind: Kind::Write };
        self.copy_pinned(stream, access, |api, stream| {
            // SAFETY: the caller's contract.
            let status = unsafe {
                (api.copy_to_device.call)(
                    address(to.pointer),
                    from.as_ptr().cast_const().cast(),
                    bytes,
                    stream,
                )
            };
            (api.copy_to_device.name, status)
        })
    }

    unsafe fn read_pinned(
        &self,
        stream: StreamId,
        from: Place,
        to: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        let access = Access { memory: from.memory, kind: Kind::Read };
        self.copy_pinned(stream, access, |api, stream| {
            // SAFETY: the caller's contract.
            let status =
                unsafe { (api.copy_to_host.call)(to.as_ptr().cast(), address(from.pointer), bytes, stream) };
            (api.copy_to_host.name, status)
        })
    }

    fn is_done(&self, ticket: Ticket) -> Result<bool, Error> {
        let state = &mut *self.begin()?;
        let done = state.is_done(self.api(), ticket);
        done.map_err(|status| self.error_in(state, self.api().query_event.name, status))
    }

    fn wait_until_done(&self, ticket: Ticket) -> Result<(), Error> {
        self.wait_for_ticket(ticket)?;
        self.report()
    }

    fn load(&self, code: &'static Code) -> Result<Loaded, Error> {
        self.load_kernel(code)
    }

    fn attributes(&self, code: &'static Code, loaded: Loaded) -> Result<Attributes, Error> {
        self.kernel_attributes(code, loaded)
    }

    fn occupancy(
        &self,
        _: &'static Code,
        loaded: Loaded,
        threads: usize,
        bytes: usize,
    ) -> Result<Occupancy, Error> {
        self.kernel_occupancy(loaded, threads, bytes)
    }

    fn has_cooperative_launches(&self) -> bool {
        self.traits.has_cooperative_launches
    }

    fn lacks(&self, attribute: Attribute) -> Option<String> {
        self.vendor.lacks(attribute)
    }

    fn architecture(&self, code: &'static Code) -> Result<Option<&'static str>, Error> {
        Ok(Some(self.vendor.best_image(code, &self.name)?.architecture))
    }

    fn most_groups_in_cluster(&self, loaded: Loaded, sizes: &arch::Launch) -> Result<usize, Error> {
        self.largest_cluster_of(loaded, sizes)
    }

    fn workgroup_memory_of_processor(&self) -> Option<usize> {
        Some(self.traits.workgroup_memory_of_processor)
    }

    unsafe fn launch(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        // SAFETY: the caller's contract.
        unsafe { self.launch_kernel(stream, launch) }
    }

    unsafe fn launch_with_peers(
        &self,
        stream: StreamId,
        launch: &Launch<'_>,
        peers: &[PeerAccess],
    ) -> Result<(), Error> {
        // SAFETY: the caller's contract.
        unsafe { self.launch_kernel_with_peers(stream, launch, peers) }
    }

    fn call_host(&self, stream: StreamId, call: Arc<HostCall>) -> Result<(), Error> {
        self.call_host_on(stream, call)
    }

    fn make_graph(&self, work: &Work) -> Result<GraphId, Error> {
        self.make_graph_of(work)
    }

    unsafe fn replay(&self, stream: StreamId, graph: GraphId, work: &Work) -> Result<(), Error> {
        // SAFETY: the caller's contract.
        unsafe { self.replay_graph(stream, graph, work) }
    }

    fn update_graph(&self, graph: GraphId, work: &Work, operation: usize) -> Result<(), Error> {
        self.update_graph_to(graph, work, operation)
    }

    fn turn_of_peers(&self) -> MutexGuard<'_, ()> {
        self.turn()
    }

    fn drop_graph(&self, graph: GraphId) {
        self.drop_graph_of(graph);
    }

    fn printed(&self) -> &Printed {
        &self.printed
    }

    fn set_heap_bytes(&self, bytes: usize) -> Result<(), Error> {
        self.loss.check()?;
        self.enter()?;
        self.resize_heap(bytes)
    }

    fn heap_usage(&self) -> Result<HeapUsage, Error> {
        self.loss.check()?;
        self.enter()?;
        self.usage_of_heap()
    }

    fn record(&self, stream: StreamId) -> Result<Mark, Error> {
        let state = &mut *self.begin()?;
        let event = match state.events.pop() {
            Some(event) => event,
            None => Event::timed(self.api())
                .map_err(|status| self.error_in(state, self.api().create_event.name, status))?,
        };
        // SAFETY: both are of this context.
        let status = unsafe { (self.api().record_event.call)(event.0, state.stream(stream).raw) };
        if status != Status::SUCCESS {
            state.events.push(event);
            return Err(self.error_in(state, self.api().record_event.name, status));
        }
        Ok(Mark::Event(event.0.expose_provenance()))
    }

    fn wait_for_earlier(&self, stream: StreamId, accesses: &[Access]) -> Result<(), Error> {
        let state = &mut *self.begin()?;
        for &access in accesses {
            let waited = state.wait_for_uses(self.api(), stream, access);
            waited.map_err(|status| self.error_in(state, self.api().wait_event.name, status))?;
        }
        Ok(())
    }

    fn wait(&self, stream: StreamId, mark: &Mark) -> Result<(), Error> {
        let Some(event) = event(mark) else { return Ok(()) };
        let state = self.begin()?;
        // SAFETY: both are of this context.
        let status = unsafe { (self.api().wait_event.call)(state.stream(stream).raw, event.0, 0) };
        self.check(&state, self.api().wait_event.name, status)
    }

    fn elapsed(&self, from: &Mark, to: &Mark) -> Result<Duration, Error> {
        let (Some(from), Some(to)) = (event(from), event(to)) else { return Ok(Duration::ZERO) };
        drop(self.begin()?);
        for event in [from, to] {
            // SAFETY: recorded when it was made a mark.
            self.checked(self.api().synchronize_event.name, unsafe {
                (self.api().synchronize_event.call)(event.0)
            })?;
        }
        Event::elapsed(self.api(), from, to).map_err(|status| self.error(self.api().elapsed.name, status))
    }

    fn forget(&self, mark: &Mark) {
        if let Some(event) = event(mark) {
            self.lock().events.push(event);
        }
    }

    fn synchronize(&self, stream: StreamId) -> Result<(), Error> {
        let state = self.begin()?;
        let (raw, submitted) = (state.stream(stream).raw, state.stream(stream).submitted);
        drop(state);
        self.wait_for_stream(stream, raw, submitted)?;
        self.report()
    }
}

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
