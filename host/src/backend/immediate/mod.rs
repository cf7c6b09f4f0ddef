//! The queue of devices whose work is done when the call that submits it returns: streams are in order by nature, each mark is
//! reached, a graph is its recorded work, and what failed is told by the next call that waits. A device of this kind is an
//! [`Engine`]. One whose calls return earlier has [`queued`](super::queued) around this.

mod engine;
mod failure;

use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gridwright_core::{HeapUsage, LaunchSizes, Limits};
use gridwright_cpu::Workers;

use super::{
    Backend, DeviceMemory, Graphs, Information, Kernels, Launches, Output, Peers, PinnedMemory, Printed,
    Streams, Textures, UnifiedMemory, host_allocation,
};
use crate::submission::{
    Access, Attribute, BoxCopy, Code, Contents, GraphId, Home, HostCall, Kind, Launch, Loaded, LoadedKernel,
    Mark, Memory, MemoryId, Operation, Place, StreamId, Task, TextureLimits, TextureObjects, TextureShape,
    Ticket, Work,
};
use crate::{Attributes, DeviceInfo, DeviceKind, Error, Occupancy, Priority};

#[cfg(feature = "emulator")]
pub(super) use engine::TextureEngine;
pub(super) use engine::{Engine, Ran};
use failure::Failure;

/// The one stream.
const STREAM: StreamId = StreamId(0);

/// The number of all memory: nobody has to ask who uses it.
const MEMORY: MemoryId = MemoryId(0);

/// The number of all graphs: their work is all that they are.
const GRAPH: GraphId = GraphId(0);

/// The ticket of all work.
const DONE: Ticket = Ticket { stream: 0, number: 0 };

/// A device whose work is done when the call returns.
#[derive(Debug)]
pub(crate) struct Immediate<E> {
    engine: E,
    failure: Failure,
    /// A lock that is held while memory is used that graphs use too.
    shared: Mutex<()>,
}

impl<E: Engine> Immediate<E> {
    pub(super) fn new(engine: E) -> Self {
        Self { engine, failure: Failure::default(), shared: Mutex::default() }
    }

    /// Keeps replays, and other uses of memory that graphs use too, away until it is dropped.
    fn turn(&self, is_shared: bool) -> Option<MutexGuard<'_, ()>> {
        is_shared.then(|| self.turn_of_peers())
    }

    /// Keeps an error for the next call that waits.
    pub(super) fn fail(&self, error: Error) {
        self.failure.add(error);
    }

    pub(super) fn engine(&self) -> &E {
        &self.engine
    }

    /// A kernel as the engine loaded it.
    pub(super) fn kernel<'k>(
        &self,
        kernel: &'k dyn LoadedKernel,
        call: &'static str,
    ) -> Result<&'k E::Kernel, Error> {
        kernel.of().ok_or_else(|| Error::Backend {
            device: self.engine.name().to_owned(),
            call,
            message: "another device loaded the kernel".into(),
        })
    }

    /// Runs recorded operations one after another.
    ///
    /// # Safety
    /// As for [`Graphs::replay`], and nobody else uses the memory meanwhile.
    pub(super) unsafe fn run_in_order(&self, stream: StreamId, work: &Work) -> Result<(), Error> {
        for operation in &work.operations {
            let Operation { task, accesses, .. } = &**operation;
            // SAFETY: each operation was checked when it was recorded, its owners keep the memory, and the caller keeps others away.
            unsafe {
                match task {
                    Task::Nothing => {}
                    Task::Launch(kernel) => self.launch(stream, &kernel.launch(accesses))?,
                    &Task::Copy { from, to, bytes } => self.copy(stream, from, to, bytes)?,
                    Task::CopyBox { from, to, copy } => self.copy_box(stream, *from, *to, copy)?,
                    Task::Fill { to, pattern, count } => self.fill(stream, *to, pattern, *count)?,
                    Task::Write { to, bytes } => self.write(stream, *to, bytes)?,
                    Task::Host(call) => call.run(),
                }
            }
        }
        Ok(())
    }
}

impl<E: Engine> Backend for Immediate<E> {}

impl<E: Engine> Information for Immediate<E> {
    fn kind(&self) -> DeviceKind {
        E::KIND
    }

    fn name(&self) -> &str {
        self.engine.name()
    }

    fn limits(&self) -> &Limits {
        self.engine.limits()
    }

    fn info(&self) -> Result<DeviceInfo, Error> {
        Ok(self.engine.info())
    }

    fn workers(&self) -> Option<Workers> {
        self.engine.workers()
    }

    fn has_cooperative_launches(&self) -> bool {
        self.engine.has_cooperative_launches()
    }

    fn lacks(&self, attribute: Attribute) -> Option<String> {
        self.engine.lacks(attribute)
    }
}

impl<E: Engine> Output for Immediate<E> {
    fn printed(&self) -> &Printed {
        self.engine.printed()
    }

    fn set_heap_bytes(&self, bytes: usize) -> Result<(), Error> {
        self.engine.set_heap_bytes(bytes)
    }

    fn heap_usage(&self) -> Result<HeapUsage, Error> {
        self.engine.heap_usage()
    }
}

impl<E: Engine> DeviceMemory for Immediate<E> {
    fn allocate(&self, _: StreamId, bytes: usize, contents: Contents) -> Result<Memory, Error> {
        let pointer = self.engine.allocate(bytes, contents)?;
        Ok(Memory { pointer, id: MEMORY, home: Home::Device })
    }

    unsafe fn free(&self, memory: Memory, bytes: usize) {
        // SAFETY: the caller says that it came from `allocate`, `allocate_unified` or `allocate_texture`, which `home` tells apart,
        // and that nobody uses it. No launch does: they are over when they return.
        unsafe {
            match (memory.home, self.engine.textures()) {
                (Home::Texture, Some(textures)) => textures.free(memory.pointer),
                (Home::Unified | Home::Mapped, _) => {
                    if self.engine.unmap(memory.pointer) {
                        host_allocation::give_back(memory.pointer, bytes);
                    }
                }
                (Home::Device | Home::Texture, _) => self.engine.free(memory.pointer, bytes),
            }
        }
    }

    #[cfg(feature = "dlpack")]
    fn adopt(&self, _: StreamId, pointer: NonNull<u8>) -> Result<Memory, Error> {
        Ok(Memory { pointer, id: MEMORY, home: Home::Device })
    }

    /// Does nothing: launches are over when they return.
    #[cfg(feature = "dlpack")]
    fn release(&self, _: Memory) {}

    fn host_address(&self, place: Place) -> Option<NonNull<u8>> {
        self.engine.host_address(place.pointer)
    }

    unsafe fn write(&self, _: StreamId, to: Place, from: &[u8]) -> Result<(), Error> {
        let _turn = self.turn(to.is_shared);
        // SAFETY: the caller says that there is room. It has borrowed the memory, or the turn keeps replays away.
        unsafe { self.engine.write(to.pointer, pointer(from), from.len()) }
    }

    unsafe fn read(&self, stream: StreamId, from: Place, to: &mut [u8]) -> Result<(), Error> {
        self.synchronize(stream)?;
        let _turn = self.turn(from.is_shared);
        // SAFETY: as for `write`.
        unsafe { self.engine.read(from.pointer, NonNull::from(&mut *to).cast(), to.len()) }
    }

    unsafe fn fill(&self, _: StreamId, to: Place, pattern: &[u8], count: usize) -> Result<(), Error> {
        let _turn = self.turn(to.is_shared);
        // SAFETY: as for `write`.
        unsafe { self.engine.fill(to.pointer, pattern, count) }
    }

    unsafe fn copy(&self, _: StreamId, from: Place, to: Place, bytes: usize) -> Result<(), Error> {
        let _turn = self.turn(from.is_shared || to.is_shared);
        // SAFETY: as for `write`; the caller says that the two don't overlap.
        unsafe { self.engine.copy(from.pointer, to.pointer, bytes) }
    }

    unsafe fn copy_box(&self, _: StreamId, from: Place, to: Place, copy: &BoxCopy) -> Result<(), Error> {
        let _turn = self.turn(from.is_shared || to.is_shared);
        copy.offsets().try_for_each(|(from_offset, to_offset)| {
            // SAFETY: the caller says that each row lies in memory on both sides and that they don't overlap. It has borrowed the memory, or
            // the turn keeps replays away.
            unsafe { self.engine.copy(from.pointer.add(from_offset), to.pointer.add(to_offset), copy.row) }
        })
    }
}

/// The address of a slice, which is only read from.
fn pointer(bytes: &[u8]) -> NonNull<u8> {
    NonNull::from(bytes).cast()
}

impl<E: Engine> UnifiedMemory for Immediate<E> {
    fn allocate_unified(&self, bytes: usize, home: Home) -> Result<Memory, Error> {
        let pointer = self.engine.allocate_of_host(bytes)?;
        // SAFETY: just allocated, and valid until `free` has unmapped it. What the host does meanwhile, it does by borrows that
        // exclude launches which write what it reads, or use what it writes.
        if let Err(error) = unsafe { self.engine.map(pointer, bytes) } {
            // SAFETY: just allocated, and nobody else knows of it.
            unsafe { host_allocation::give_back(pointer, bytes) };
            return Err(error);
        }
        Ok(Memory { pointer, id: MEMORY, home })
    }

    fn wait_for_memory(&self, _: MemoryId, _: Kind) -> Result<(), Error> {
        self.synchronize(STREAM)
    }
}

impl<E: Engine> PinnedMemory for Immediate<E> {
    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        self.engine.allocate_of_host(bytes)
    }

    unsafe fn free_pinned(&self, memory: NonNull<u8>, bytes: usize, _: Option<Ticket>) {
        // SAFETY: the caller says that `allocate_pinned` gave it for as many bytes; copies were over when they returned.
        unsafe { host_allocation::give_back(memory, bytes) };
    }

    unsafe fn write_pinned(
        &self,
        _: StreamId,
        to: Place,
        from: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        let _turn = self.turn(to.is_shared);
        // SAFETY: the caller says that both have as many bytes; no memory is both pinned and a buffer's.
        unsafe { self.engine.write(to.pointer, from, bytes) }?;
        Ok(DONE)
    }

    unsafe fn read_pinned(
        &self,
        _: StreamId,
        from: Place,
        to: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        let _turn = self.turn(from.is_shared);
        // SAFETY: as for `write_pinned`.
        unsafe { self.engine.read(from.pointer, to, bytes) }?;
        Ok(DONE)
    }

    fn is_done(&self, _: Ticket) -> Result<bool, Error> {
        Ok(true)
    }

    fn wait_until_done(&self, _: Ticket) -> Result<(), Error> {
        self.synchronize(STREAM)
    }
}

impl<E: Engine> Textures for Immediate<E> {
    fn texture_limits(&self) -> Result<TextureLimits, Error> {
        Ok(TextureLimits::PORTABLE)
    }

    fn allocate_texture(&self, stream: StreamId, shape: &TextureShape) -> Result<Memory, Error> {
        let Some(textures) = self.engine.textures() else {
            return self.allocate(stream, shape.bytes(), Contents::Unset);
        };
        Ok(Memory { pointer: textures.allocate(shape)?, id: MEMORY, home: Home::Texture })
    }

    unsafe fn texture_objects(&self, place: Place) -> TextureObjects {
        match self.engine.textures() {
            // SAFETY: the caller says that `allocate_texture` made it.
            Some(textures) => unsafe { textures.objects(place.pointer) },
            None => TextureObjects::of_memory(place),
        }
    }

    unsafe fn write_texture(
        &self,
        stream: StreamId,
        to: Place,
        _: &TextureShape,
        from: &[u8],
    ) -> Result<(), Error> {
        // SAFETY: the caller says that it is a texture of this shape, with as many bytes. It has borrowed it, or the turn keeps
        // replays away.
        unsafe {
            match self.engine.textures() {
                Some(textures) => {
                    let _turn = self.turn(to.is_shared);
                    textures.write(to.pointer, from)
                }
                None => self.write(stream, to, from),
            }
        }
    }

    unsafe fn read_texture(
        &self,
        stream: StreamId,
        from: Place,
        _: &TextureShape,
        to: &mut [u8],
    ) -> Result<(), Error> {
        let Some(textures) = self.engine.textures() else {
            // SAFETY: as for `write_texture`.
            return unsafe { self.read(stream, from, to) };
        };
        self.synchronize(stream)?;
        let _turn = self.turn(from.is_shared);
        // SAFETY: as for `write_texture`.
        unsafe { textures.read(from.pointer, to) }
    }

    unsafe fn copy_to_texture(
        &self,
        stream: StreamId,
        from: Place,
        to: Place,
        shape: &TextureShape,
    ) -> Result<(), Error> {
        let Some(textures) = self.engine.textures() else {
            // SAFETY: as for `write_texture`.
            return unsafe { self.copy(stream, from, to, shape.bytes()) };
        };
        let _turn = self.turn(from.is_shared || to.is_shared);
        // SAFETY: as for `write_texture`.
        unsafe { textures.copy(from.pointer, to.pointer, shape.bytes()) }
    }
}

impl<E: Engine> Streams for Immediate<E> {
    fn open_stream(&self, _: Priority) -> Result<StreamId, Error> {
        Ok(STREAM)
    }

    fn close_stream(&self, _: StreamId) {}

    fn record(&self, _: StreamId) -> Result<Mark, Error> {
        Ok(Mark::Reached(Instant::now()))
    }

    /// Does nothing: what came before the mark has finished.
    fn wait(&self, _: StreamId, _: &Mark) -> Result<(), Error> {
        Ok(())
    }

    fn elapsed(&self, from: &Mark, to: &Mark) -> Result<Duration, Error> {
        match (from, to) {
            (Mark::Reached(from), Mark::Reached(to)) => Ok(to.saturating_duration_since(*from)),
            // Others make those.
            _ => Ok(Duration::ZERO),
        }
    }

    fn forget(&self, _: &Mark) {}

    fn call_host(&self, _: StreamId, call: Arc<HostCall>, _: &[Access]) -> Result<(), Error> {
        call.run();
        Ok(())
    }

    fn call_in_turn(&self, _: StreamId, _: &[Access], is_shared: bool, call: &mut dyn FnMut()) {
        let _turn = self.turn(is_shared);
        call();
    }

    fn synchronize(&self, _: StreamId) -> Result<(), Error> {
        self.engine.report()?;
        self.failure.take()
    }
}

impl<E: Engine> Kernels for Immediate<E> {
    fn load(&self, code: &'static Code) -> Result<Loaded, Error> {
        Ok(Arc::new(self.engine.load(code)?))
    }

    fn attributes(&self, kernel: &dyn LoadedKernel) -> Result<Attributes, Error> {
        Ok(self.engine.attributes(self.kernel(kernel, "attributes")?))
    }

    fn occupancy(&self, kernel: &dyn LoadedKernel, threads: usize, bytes: usize) -> Result<Occupancy, Error> {
        Ok(self.engine.occupancy(self.kernel(kernel, "occupancy")?, threads, bytes))
    }

    fn most_groups_in_cluster(&self, _: &dyn LoadedKernel, _: &LaunchSizes) -> Result<usize, Error> {
        Ok(self.engine.most_groups_in_cluster())
    }
}

impl<E: Engine> Launches for Immediate<E> {
    unsafe fn launch(&self, _: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        let kernel = self.kernel(&**launch.kernel, "launch")?;
        let _turn = self.turn(launch.is_shared);
        // SAFETY: the caller checked sizes and arguments, and borrowed their memory or has the turn; `kernel` is the launch's.
        match unsafe { self.engine.launch(kernel, launch) }? {
            Ran::ToItsEnd => {}
            Ran::Failed(error) => self.failure.add(error),
        }
        Ok(())
    }
}

impl<E: Engine> Graphs for Immediate<E> {
    fn make_graph(&self, _: &Work) -> Result<GraphId, Error> {
        Ok(GRAPH)
    }

    unsafe fn replay(&self, stream: StreamId, _: GraphId, work: &Arc<Work>) -> Result<(), Error> {
        let _turn = self.turn(true);
        // SAFETY: the caller made the graph of this work, whose operations were checked; others wait for their turn.
        unsafe { self.run_in_order(stream, work) }
    }

    fn update_graph(&self, _: GraphId, _: &Work, _: usize) -> Result<(), Error> {
        Ok(())
    }

    fn drop_graph(&self, _: GraphId) {}

    fn turn_of_peers(&self) -> MutexGuard<'_, ()> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Engine> Peers for Immediate<E> {
    fn can_access_peer(&self, peer: &dyn Backend) -> Result<bool, Error> {
        Ok(self.engine.shares_memory() && peer.kind() == E::KIND)
    }
}
