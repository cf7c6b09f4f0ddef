//! A GPU in the program: the compiled PTX, instruction by instruction, with checks. What is submitted has finished when the
//! call returns.

use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gridwright_core::{HeapUsage, Image, ImageEntry, Limits};
use gridwright_device::arch;
use gridwright_emulator as emulator;

use super::gpu::{Arguments, Launched};
use super::ptx::images;
use super::{
    Attribute, Backend, Code, Contents, GraphId, Home, Kind, Launch, Loaded, Mark, Memory, MemoryId, Place,
    StreamId, Textures, Ticket, Work, host,
};
use crate::host_call::HostCall;
use crate::printed::Printed;
use crate::{Attributes, DeviceInfo, DeviceKind, Error, Occupancy, Priority};

mod findings;
mod record;
mod settings;
mod textures;

use findings::Verdict;
use record::{Records, Running};
use settings::Checked;

/// The device's name, as its driver would say.
const NAME: &str = "emulated NVIDIA GPU (sm_90)";

/// The architecture that the emulator runs: PTX for this one and for older ones.
const CAPABILITY: usize = 90;

/// Threads and groups of a multiprocessor. Source: CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability".
const THREADS: usize = 2048;
const GROUPS: usize = 32;
/// Groups of a cluster at most.
const MOST_GROUPS_OF_CLUSTER: usize = 16;

/// The numbers of the one stream and of graphs, and the ticket of what is always done.
const STREAM: StreamId = StreamId(0);
const GRAPH: GraphId = GraphId(0);
const DONE: Ticket = Ticket { stream: 0, number: 0 };

#[derive(Debug)]
pub(crate) struct Emulator {
    device: emulator::Device,
    limits: Limits,
    checked: Checked,
    printed: Printed,
    records: Mutex<Records>,
    running: Running,
    state: Mutex<State>,
    /// A lock that is held while memory is used that graphs use too.
    shared: Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    /// Loaded images by the address of their bytes.
    modules: HashMap<usize, Arc<emulator::Loaded>>,
    kernels: Vec<Kernel>,
    /// The error that the next call that waits is told.
    failure: Option<Error>,
    arguments: Arguments,
    /// The kernels whose panics may not be told yet.
    launched: Launched,
}

#[derive(Clone, Debug)]
struct Kernel {
    module: Arc<emulator::Loaded>,
    entry: &'static ImageEntry,
}

impl Emulator {
    /// # Errors
    /// [`Error::Environment`].
    pub(crate) fn open() -> Result<Self, Error> {
        let approximations = settings::approximations()?;
        let options = emulator::DeviceOptions { approximations, ..emulator::DeviceOptions::default() };
        let device = emulator::Device::with_options(options);
        let workgroup_memory = device.options().workgroup_memory as usize;
        Ok(Self {
            device,
            limits: Limits { workgroup_memory, ..Limits::PORTABLE },
            checked: settings::checked()?,
            printed: Printed::new()?,
            records: Mutex::default(),
            running: Running::default(),
            state: Mutex::default(),
            shared: Mutex::default(),
        })
    }

    /// Keeps replays, and other uses of memory that graphs use too, away until it is dropped.
    fn turn(&self, is_shared: bool) -> Option<MutexGuard<'_, ()>> {
        is_shared.then(|| self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Whoever panicked with it left it whole.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The module of an image, parsed once.
    fn module(
        &self,
        records: &mut Records,
        state: &mut State,
        image: &'static Image,
    ) -> Result<Arc<emulator::Loaded>, Error> {
        let key = image.bytes.as_ptr() as usize;
        if let Some(module) = state.modules.get(&key) {
            return Ok(Arc::clone(module));
        }
        let refused = |log: String| self.backend_error("load", log);
        let ptx = std::str::from_utf8(image.bytes).map_err(|e| refused(e.to_string()))?;
        let module = emulator::Module::parse(ptx).map_err(|e| refused(e.to_string()))?;
        let module = Arc::new(self.device.load(&module).map_err(|e| refused(e.to_string()))?);
        self.record_for(records, &module, image)?;
        state.modules.insert(key, Arc::clone(&module));
        Ok(module)
    }

    fn backend_error(&self, call: &'static str, message: String) -> Error {
        Error::Backend { device: NAME.into(), call, message }
    }

    fn memory_error(&self, call: &'static str, error: emulator::MemoryError) -> Error {
        match error {
            emulator::MemoryError::OutOfMemory { asked, free, capacity } => Error::OutOfMemory {
                device: NAME.into(),
                requested: u128::from(asked),
                free: usize::try_from(free).ok(),
                total: usize::try_from(capacity).ok(),
            },
            other => self.backend_error(call, other.to_string()),
        }
    }

    /// Fills `parameters` with what the entry is called with.
    ///
    /// # Safety
    /// As for [`Backend::launch`].
    unsafe fn parameters(&self, state: &mut State, launch: &Launch<'_>, entry: &ImageEntry) -> Vec<u8> {
        // SAFETY: the launch's own raw arguments.
        let pointers = unsafe { state.arguments.gather(launch, 0) };
        let mut bytes = Vec::new();
        for (pointer, parameter) in pointers.iter().zip(entry.parameters) {
            let (offset, size) = (parameter.offset as usize, parameter.size as usize);
            bytes.resize(offset, 0);
            // SAFETY: each points at a value of its parameter, whose size was compared with the host's when the program
            // was built.
            bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), size) });
        }
        bytes
    }
}

fn address(place: NonNull<u8>) -> u64 {
    place.as_ptr().addr() as u64
}

impl Backend for Emulator {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Emulator
    }

    fn name(&self) -> &str {
        NAME
    }

    fn info(&self) -> Result<DeviceInfo, Error> {
        let architecture = format!("sm_{CAPABILITY}");
        Ok(DeviceInfo { architecture, processors: 1, memory_bytes: None })
    }

    fn printed(&self) -> &Printed {
        &self.printed
    }

    fn set_heap_bytes(&self, bytes: usize) -> Result<(), Error> {
        self.resize_heap(bytes)
    }

    fn heap_usage(&self) -> Result<HeapUsage, Error> {
        self.usage_of_heap()
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn open_stream(&self, _: Priority) -> Result<StreamId, Error> {
        Ok(STREAM)
    }

    fn close_stream(&self, _: StreamId) {}

    fn allocate(&self, _: StreamId, bytes: usize, contents: Contents) -> Result<Memory, Error> {
        let address = self.device.alloc(bytes as u64).map_err(|e| self.memory_error("allocate", e))?;
        if contents == Contents::Zero {
            self.device.fill(address, &[0], bytes as u64).map_err(|e| self.memory_error("allocate", e))?;
        }
        // The emulator's addresses aren't this program's.
        let pointer = NonNull::new(std::ptr::without_provenance_mut(address as usize));
        let none = || self.backend_error("allocate", "the emulator gave no address".into());
        Ok(Memory { pointer: pointer.ok_or_else(none)?, id: MemoryId(0), home: Home::Device })
    }

    fn allocate_unified(&self, bytes: usize, home: Home) -> Result<Memory, Error> {
        let pointer = self.allocate_pinned(bytes)?;
        // SAFETY: valid until `free` has unmapped it, when no launch uses it: they are over when they return. What the host
        // does meanwhile, it does by borrows that exclude launches which write what it reads, or use what it writes.
        if let Err(error) = unsafe { self.device.map(pointer.as_ptr(), bytes) } {
            // SAFETY: just allocated, and nobody else knows of it.
            unsafe { host::give_back(pointer, bytes) };
            return Err(self.memory_error("map", error));
        }
        Ok(Memory { pointer, id: MemoryId(0), home })
    }

    fn wait_for_memory(&self, _: MemoryId, _: Kind) -> Result<(), Error> {
        self.synchronize(STREAM)
    }

    unsafe fn free(&self, memory: Memory, bytes: usize) {
        // There is nobody to tell, and nothing can be wrong with memory that `allocate` gave.
        if memory.home == Home::Texture {
            // SAFETY: `allocate_texture` gave it, by contract.
            unsafe { self.free_texture(memory.pointer) };
        } else if memory.home == Home::Device {
            let _ = self.device.free(address(memory.pointer));
        } else if self.device.unmap(address(memory.pointer)).is_ok() {
            // SAFETY: `allocate_unified` got it so, by contract, and no launch reaches it any more.
            unsafe { host::give_back(memory.pointer, bytes) };
        }
    }

    unsafe fn write(&self, _: StreamId, to: Place, from: &[u8]) -> Result<(), Error> {
        let _turn = self.turn(to.is_shared);
        self.device.write(address(to.pointer), from).map_err(|e| self.memory_error("write", e))
    }

    unsafe fn read(&self, stream: StreamId, from: Place, to: &mut [u8]) -> Result<(), Error> {
        self.synchronize(stream)?;
        let _turn = self.turn(from.is_shared);
        self.device.read(address(from.pointer), to).map_err(|e| self.memory_error("read", e))
    }

    unsafe fn fill(&self, _: StreamId, to: Place, pattern: &[u8], count: usize) -> Result<(), Error> {
        let _turn = self.turn(to.is_shared);
        let filled = self.device.fill(address(to.pointer), pattern, count as u64);
        filled.map_err(|e| self.memory_error("fill", e))
    }

    unsafe fn copy(&self, _: StreamId, from: Place, to: Place, bytes: usize) -> Result<(), Error> {
        let _turn = self.turn(from.is_shared || to.is_shared);
        let copied = self.device.copy(address(from.pointer), address(to.pointer), bytes as u64);
        copied.map_err(|e| self.memory_error("copy", e))
    }

    fn textures(&self) -> &dyn Textures {
        self
    }

    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        host::zeroed(bytes).ok_or_else(|| Error::OutOfMemory {
            device: NAME.into(),
            requested: bytes as u128,
            free: None,
            total: None,
        })
    }

    unsafe fn free_pinned(&self, memory: NonNull<u8>, bytes: usize, _: Option<Ticket>) {
        // SAFETY: `allocate_pinned` gave it, by contract; copies have finished when they return.
        unsafe { host::give_back(memory, bytes) };
    }

    unsafe fn write_pinned(
        &self,
        stream: StreamId,
        to: Place,
        from: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        // SAFETY: there are as many bytes, which stay as they are, by contract.
        unsafe { self.write(stream, to, std::slice::from_raw_parts(from.as_ptr(), bytes))? };
        Ok(DONE)
    }

    unsafe fn read_pinned(
        &self,
        _: StreamId,
        from: Place,
        to: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        // SAFETY: there is room for as many bytes, at which nobody looks, by contract.
        let to = unsafe { std::slice::from_raw_parts_mut(to.as_ptr(), bytes) };
        let _turn = self.turn(from.is_shared);
        self.device.read(address(from.pointer), to).map_err(|e| self.memory_error("read", e))?;
        Ok(DONE)
    }

    fn is_done(&self, _: Ticket) -> Result<bool, Error> {
        Ok(true)
    }

    fn wait_until_done(&self, _: Ticket) -> Result<(), Error> {
        self.synchronize(STREAM)
    }

    fn load(&self, code: &'static Code) -> Result<Loaded, Error> {
        let image = images::best(code, NAME, CAPABILITY, false)?;
        let records = &mut *self.records();
        let state = &mut *self.state();
        let module = self.module(records, state, image)?;
        let missing = || self.backend_error("load", format!("the image has no kernel `{}`", code.symbol));
        let entry = image.entry(code.symbol).ok_or_else(missing)?;
        let is_it = |loaded: &Kernel| Arc::ptr_eq(&loaded.module, &module) && loaded.entry.name == entry.name;
        let function = state.kernels.iter().position(is_it).unwrap_or_else(|| {
            state.kernels.push(Kernel { module: Arc::clone(&module), entry });
            state.kernels.len() - 1
        });
        Ok(Loaded { function, best_block: None })
    }

    fn attributes(&self, code: &'static Code, loaded: Loaded) -> Result<Attributes, Error> {
        let kernel = self.state().kernels.get(loaded.function).cloned();
        let entry = kernel.as_ref().and_then(|kernel| kernel.module.module().entry(kernel.entry.name));
        let most = self.limits.threads_per_group;
        let shared = entry.map_or(0, |entry| entry.shared_bytes() as usize);
        Ok(Attributes {
            // PTX has as many as it likes.
            registers: None,
            local_bytes: entry.map_or(0, |entry| entry.local_bytes() as usize),
            constant_bytes: 0,
            workgroup_bytes: shared.saturating_add(code.fixed_bytes),
            most_threads: code.bounds.most_threads.unwrap_or(most).min(most),
        })
    }

    fn occupancy(
        &self,
        _: &'static Code,
        _: Loaded,
        threads: usize,
        bytes: usize,
    ) -> Result<Occupancy, Error> {
        let by_memory = self.limits.workgroup_memory.checked_div(bytes).unwrap_or(GROUPS);
        Ok(Occupancy {
            groups_per_processor: (THREADS / threads.max(1)).min(by_memory).min(GROUPS),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            threads_per_group: threads,
            most_threads_per_processor: THREADS,
        })
    }

    fn has_cooperative_launches(&self) -> bool {
        true
    }

    /// A launch has ended when the next one comes, and there are no caches.
    fn lacks(&self, _: Attribute) -> Option<String> {
        None
    }

    fn architecture(&self, code: &'static Code) -> Result<Option<&'static str>, Error> {
        Ok(Some(images::best(code, NAME, CAPABILITY, false)?.architecture))
    }

    fn most_groups_in_cluster(&self, _: Loaded, _: &arch::Launch) -> Result<usize, Error> {
        Ok(MOST_GROUPS_OF_CLUSTER)
    }

    unsafe fn launch(&self, _: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        let (kernel, parameters) = {
            let state = &mut *self.state();
            let missing = || self.backend_error("launch", "no such kernel is loaded".into());
            let kernel = state.kernels.get(launch.loaded.function).cloned().ok_or_else(missing)?;
            // SAFETY: the caller's contract.
            let parameters = unsafe { self.parameters(state, launch, kernel.entry) };
            (kernel, parameters)
        };
        let _turn = self.turn(launch.is_shared);
        let size = |sizes: [usize; 3]| sizes.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        let arch::Launch { geometry, memory, .. } = &launch.sizes;
        let mut emulated = emulator::Launch::new(size(geometry.groups), size(geometry.block), &parameters);
        emulated.dynamic_shared = u32::try_from(memory.bytes).unwrap_or(u32::MAX);
        emulated.cooperative = launch.attributes.cooperative;
        emulated.cluster = launch.attributes.cluster.map_or([1; 3], |cluster| size(cluster.axes()));
        emulated.checks = self.checked.checks();
        let panics = self.panics()?;
        let result = {
            let _running = self.running.launch();
            self.state().launched.add(launch.code.name);
            self.device.launch(&kernel.module, kernel.entry.name, &emulated)
        };
        // Of another kernel too, if that ran meanwhile.
        let has_panicked = self.panics()? != panics;
        match findings::verdict(launch.code.name, result, self.checked, has_panicked) {
            Verdict::Ran => Ok(()),
            Verdict::NotLaunched(message) => Err(self.backend_error("launch", message)),
            Verdict::Failed(error) => {
                self.state().failure.get_or_insert(error);
                Ok(())
            }
        }
    }

    fn call_host(&self, _: StreamId, call: Arc<HostCall>) -> Result<(), Error> {
        call.run();
        Ok(())
    }

    fn make_graph(&self, _: &Work) -> Result<GraphId, Error> {
        Ok(GRAPH)
    }

    unsafe fn replay(&self, stream: StreamId, _: GraphId, work: &Work) -> Result<(), Error> {
        let _turn = self.turn(true);
        // SAFETY: the caller's contract; others wait for their turn.
        unsafe { work.run_in_order(self, stream) }
    }

    fn update_graph(&self, _: GraphId, _: &Work, _: usize) -> Result<(), Error> {
        Ok(())
    }

    fn turn_of_peers(&self) -> MutexGuard<'_, ()> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn drop_graph(&self, _: GraphId) {}

    fn record(&self, _: StreamId) -> Result<Mark, Error> {
        Ok(Mark::Reached(Instant::now()))
    }

    fn wait(&self, _: StreamId, _: &Mark) -> Result<(), Error> {
        Ok(())
    }

    fn elapsed(&self, from: &Mark, to: &Mark) -> Result<Duration, Error> {
        Ok(from.until(to))
    }

    fn forget(&self, _: &Mark) {}

    fn synchronize(&self, _: StreamId) -> Result<(), Error> {
        self.take_records()?;
        self.state().failure.take().map_or(Ok(()), Err)
    }
}
