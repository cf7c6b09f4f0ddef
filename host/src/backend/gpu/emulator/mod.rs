//! A GPU in the program: the compiled PTX, instruction by instruction, with checks. What is submitted has finished when the
//! call returns.

use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard};

use gridwright_core::{HeapUsage, Image, ImageEntry, LaunchSizes, Limits};
use gridwright_emulator as emulator;

use super::images::{Loadable, loaded_bytes, ptx};
use super::{Arguments, Launched};
use crate::backend::Printed;
use crate::backend::queued::{Engine, Queued, Ran, TextureEngine};
use crate::submission::{Code, Contents, Launch, LoadedKernel};
use crate::{Attributes, DeviceInfo, DeviceKind, Error, Occupancy};

mod counts;
mod findings;
mod record;
mod settings;
mod textures;

use counts::CountsFile;
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

/// The emulator as a device.
pub(crate) type Emulator = Queued<EmulatedGpu>;

#[derive(Debug)]
pub(crate) struct EmulatedGpu {
    device: emulator::Device,
    limits: Limits,
    checked: Checked,
    /// File for what launches execute, where somebody asks.
    counts: Option<CountsFile>,
    printed: Printed,
    records: Mutex<Records>,
    running: Running,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Modules by what they were loaded of.
    modules: HashMap<Loadable, Arc<emulator::Loaded>>,
    arguments: Arguments,
    /// The kernels whose panics may not be told yet.
    launched: Launched,
}

/// A kernel of a loaded image.
#[derive(Debug)]
pub(crate) struct Kernel {
    code: &'static Code,
    image: &'static Image,
    module: Arc<emulator::Loaded>,
    entry: &'static ImageEntry,
}

impl LoadedKernel for Kernel {
    fn architecture(&self) -> Option<&'static str> {
        Some(self.image.compiled_for)
    }
}

impl Emulator {
    /// # Errors
    /// [`Error::Environment`].
    pub(crate) fn open() -> Result<Self, Error> {
        let approximations = settings::approximations()?;
        let options = emulator::DeviceOptions { approximations, ..emulator::DeviceOptions::default() };
        let device = emulator::Device::with_options(options);
        let workgroup_memory = device.options().workgroup_memory as usize;
        let gpu = EmulatedGpu {
            device,
            limits: Limits { workgroup_memory, ..Limits::PORTABLE },
            checked: settings::checked()?,
            counts: CountsFile::open()?,
            printed: Printed::new()?,
            records: Mutex::default(),
            running: Running::default(),
            state: Mutex::default(),
        };
        Ok(Self::new(gpu, false))
    }
}

impl EmulatedGpu {
    fn state(&self) -> MutexGuard<'_, State> {
        // Whoever panicked with it left it whole.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The module of an entry, parsed once.
    fn module(
        &self,
        records: &mut Records,
        state: &mut State,
        image: &'static Image,
        entry: &'static ImageEntry,
    ) -> Result<Arc<emulator::Loaded>, Error> {
        let loadable = Loadable::of(image, entry);
        if let Some(module) = state.modules.get(&loadable) {
            return Ok(Arc::clone(module));
        }
        let refused = |log: String| self.backend_error("load", log);
        let ptx = String::from_utf8(ptx::in_place(image, entry)).map_err(|e| refused(e.to_string()))?;
        let module = emulator::Module::parse(&ptx).map_err(|e| refused(e.to_string()))?;
        let module = Arc::new(self.device.load(&module).map_err(|e| refused(e.to_string()))?);
        self.record_for(records, &module, image)?;
        state.modules.insert(loadable, Arc::clone(&module));
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
    /// As for [`Launches::launch`](crate::backend::Launches::launch).
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

/// Bytes of the program as a slice.
///
/// # Safety
/// They are there, and nobody writes them as long as the slice is used.
unsafe fn slice<'b>(bytes: NonNull<u8>, len: usize) -> &'b [u8] {
    // SAFETY: the caller says that so many bytes are there, which nobody writes.
    unsafe { NonNull::slice_from_raw_parts(bytes, len).as_ref() }
}

impl Engine for EmulatedGpu {
    type Kernel = Kernel;

    const KIND: DeviceKind = DeviceKind::Emulator;

    fn name(&self) -> &str {
        NAME
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn info(&self) -> DeviceInfo {
        DeviceInfo { architecture: format!("sm_{CAPABILITY}"), processors: 1, memory_bytes: None }
    }

    fn has_cooperative_launches(&self) -> bool {
        true
    }

    fn allocate(&self, bytes: usize, contents: Contents) -> Result<NonNull<u8>, Error> {
        let address = self.device.alloc(bytes as u64).map_err(|e| self.memory_error("allocate", e))?;
        if contents == Contents::Zero {
            self.device.fill(address, &[0], bytes as u64).map_err(|e| self.memory_error("allocate", e))?;
        }
        // The emulator's addresses aren't this program's.
        let pointer = NonNull::new(std::ptr::without_provenance_mut(address as usize));
        pointer.ok_or_else(|| self.backend_error("allocate", "the emulator gave no address".into()))
    }

    unsafe fn free(&self, memory: NonNull<u8>, _: usize) {
        // There is nobody to tell, and nothing can be wrong with memory that `allocate` gave.
        let _ = self.device.free(address(memory));
    }

    unsafe fn map(&self, memory: NonNull<u8>, bytes: usize) -> Result<(), Error> {
        // SAFETY: the caller says that the memory stays until it is unmapped, and keeps the host from what launches use.
        let mapped = unsafe { self.device.map(memory.as_ptr(), bytes) };
        mapped.map(|_| ()).map_err(|e| self.memory_error("map", e))
    }

    fn unmap(&self, memory: NonNull<u8>) -> bool {
        self.device.unmap(address(memory)).is_ok()
    }

    unsafe fn write(&self, to: NonNull<u8>, from: NonNull<u8>, bytes: usize) -> Result<(), Error> {
        // SAFETY: the caller says that as many bytes are there, which nobody writes.
        let from = unsafe { slice(from, bytes) };
        self.device.write(address(to), from).map_err(|e| self.memory_error("write", e))
    }

    unsafe fn read(&self, from: NonNull<u8>, to: NonNull<u8>, bytes: usize) -> Result<(), Error> {
        // SAFETY: the caller says that there is room for as many bytes, at which nobody looks.
        let to = unsafe { NonNull::slice_from_raw_parts(to, bytes).as_mut() };
        self.device.read(address(from), to).map_err(|e| self.memory_error("read", e))
    }

    unsafe fn copy(&self, from: NonNull<u8>, to: NonNull<u8>, bytes: usize) -> Result<(), Error> {
        let copied = self.device.copy(address(from), address(to), bytes as u64);
        copied.map_err(|e| self.memory_error("copy", e))
    }

    unsafe fn fill(&self, to: NonNull<u8>, pattern: &[u8], count: usize) -> Result<(), Error> {
        let filled = self.device.fill(address(to), pattern, count as u64);
        filled.map_err(|e| self.memory_error("fill", e))
    }

    fn host_address(&self, _: NonNull<u8>) -> Option<NonNull<u8>> {
        None
    }

    fn textures(&self) -> Option<&dyn TextureEngine> {
        Some(self)
    }

    fn load(&self, code: &'static Code) -> Result<Kernel, Error> {
        let image = ptx::best(code, NAME, CAPABILITY, false)?;
        let records = &mut *self.records();
        let missing = || self.backend_error("load", format!("the image has no kernel `{}`", code.path));
        let entry = image.entry(code.path).ok_or_else(missing)?;
        let module = self.module(records, &mut self.state(), image, entry)?;
        Ok(Kernel { code, image, module, entry })
    }

    fn attributes(&self, kernel: &Kernel) -> Attributes {
        let (code, entry) = (kernel.code, kernel.module.module().entry(kernel.entry.name));
        let most = self.limits.threads_per_group;
        let shared = entry.map_or(0, |entry| entry.shared_bytes() as usize);
        Attributes {
            // PTX has as many as it likes.
            registers: None,
            local_bytes: entry.map_or(0, |entry| entry.local_bytes() as usize),
            constant_bytes: 0,
            workgroup_bytes: shared.saturating_add(code.fixed_bytes),
            loaded_bytes: loaded_bytes(kernel.image, kernel.entry),
            most_threads: code.bounds.most_threads.unwrap_or(most).min(most),
        }
    }

    fn occupancy(&self, _: &Kernel, threads: usize, bytes: usize) -> Occupancy {
        let by_memory = self.limits.workgroup_memory.checked_div(bytes).unwrap_or(GROUPS);
        Occupancy {
            groups_per_processor: (THREADS / threads.max(1)).min(by_memory).min(GROUPS),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            threads_per_group: threads,
            most_threads_per_processor: THREADS,
        }
    }

    fn most_groups_in_cluster(&self) -> usize {
        MOST_GROUPS_OF_CLUSTER
    }

    unsafe fn launch(&self, kernel: &Kernel, launch: &Launch<'_>) -> Result<Ran, Error> {
        // SAFETY: the arguments are the launch's own raw ones, which live until this returns.
        let parameters = unsafe { self.parameters(&mut self.state(), launch, kernel.entry) };
        let size = |sizes: [usize; 3]| sizes.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        let LaunchSizes { geometry, memory, .. } = &launch.sizes;
        let mut emulated = emulator::Launch::new(size(geometry.groups), size(geometry.block), &parameters);
        emulated.dynamic_shared = u32::try_from(memory.bytes).unwrap_or(u32::MAX);
        emulated.cooperative = launch.attributes.cooperative;
        emulated.cluster = launch.attributes.cluster.map_or([1; 3], |cluster| size(cluster.axes()));
        emulated.checks = self.checked.checks();
        emulated.count_lines = self.counts.is_some();
        let panics = self.panics()?;
        let result = {
            let _running = self.running.launch();
            self.state().launched.add(launch.code.name);
            self.device.launch(&kernel.module, kernel.entry.name, &emulated)
        };
        if let Some(counts) = &self.counts {
            let sizes = [emulated.grid, emulated.block];
            let appended = counts.append(kernel.image, kernel.entry.name, sizes, &result);
            appended.map_err(|error| self.backend_error("counts", error.to_string()))?;
        }
        // Of another kernel too, if that ran meanwhile.
        let has_panicked = self.panics()? != panics;
        match findings::verdict(launch.code.name, result, self.checked, has_panicked) {
            Verdict::Ran => Ok(Ran::ToItsEnd),
            Verdict::NotLaunched(message) => Err(self.backend_error("launch", message)),
            Verdict::Failed(error) => Ok(Ran::Failed(error)),
        }
    }

    fn printed(&self) -> &Printed {
        &self.printed
    }

    fn report(&self) -> Result<(), Error> {
        self.take_records()
    }

    fn set_heap_bytes(&self, bytes: usize) -> Result<(), Error> {
        self.resize_heap(bytes)
    }

    fn heap_usage(&self) -> Result<HeapUsage, Error> {
        self.usage_of_heap()
    }
}
