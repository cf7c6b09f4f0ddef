use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use gridwright_core::{HeapUsage, Limits};

use crate::backend::{Backend, Cpu};
use crate::profile::Profiles;
use crate::submission::{HostPanics, is_running};
use crate::{DeviceInfo, DeviceKind, Error, Priorities, Priority, Stream, drivers};

/// The environment variable that picks the device of [`Device::from_env`].
const VARIABLE: &str = "GRIDWRIGHT_DEVICE";

/// A device that kernels run on: a GPU, the CPU, or an emulated GPU.
///
/// Clones are the same device. Opening again gives another one: its buffers and streams don't mix with
/// the first one's, even where both are the same hardware.
///
/// ```
/// use gridwright::prelude::*;
///
/// let device = Device::from_env()?;
/// println!("running on {}", device.name());
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// The number that `cudaSetDevice` takes. There is no current device: streams, buffers and kernels know
/// theirs.
#[derive(Clone, Debug)]
pub struct Device(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    number: u64,
    backend: Box<dyn Backend>,
    /// The numbers of the devices whose memory this device's kernels reach.
    peers: RwLock<Vec<u64>>,
    host_panics: Arc<HostPanics>,
    profiles: Profiles,
}

impl Device {
    /// The device that `GRIDWRIGHT_DEVICE` names (`cpu`, `cuda:0`, `hip:0`, `emulator`), or without it the best one present: an
    /// NVIDIA GPU, else one of AMD's, else the CPU.
    ///
    /// # Errors
    /// [`Error::NoDevice`] for a name that means nothing, or a device that isn't there. It lists what there is.
    /// [`Error::DriverMissing`] if a GPU was named and its driver isn't there.
    ///
    /// ```
    /// let device = gridwright::Device::from_env()?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaSetDevice`, with the number from the environment.
    pub fn from_env() -> Result<Self, Error> {
        match std::env::var_os(VARIABLE) {
            Some(name) if !name.is_empty() => Self::named(&name.to_string_lossy()),
            _ if drivers::cuda_devices() > 0 => Self::cuda(0),
            _ if drivers::hip_devices() > 0 => Self::hip(0),
            _ => Self::cpu(),
        }
    }

    fn named(name: &str) -> Result<Self, Error> {
        let (kind, index) = name.split_once(':').map_or((name, None), |(kind, index)| (kind, Some(index)));
        match (kind, index.map(str::parse)) {
            ("cpu", None) => Self::cpu(),
            ("cuda", None) => Self::cuda(0),
            ("cuda", Some(Ok(index))) => Self::cuda(index),
            ("emulator", None) => Self::emulator(),
            #[cfg(feature = "toy")]
            ("toy", None) => Self::opened(crate::backend::Toy::open()),
            ("hip", None) => Self::hip(0),
            ("hip", Some(Ok(index))) => Self::hip(index),
            _ => Err(drivers::no_device(name, "no device has such a name")),
        }
    }

    /// The CPU.
    ///
    /// A launch uses all cores, or as many threads as `GRIDWRIGHT_CPU_THREADS` says; the widest instruction set
    /// of the machine, or the one that `GRIDWRIGHT_CPU_ISA` names.
    ///
    /// # Errors
    /// [`Error::Environment`] if one of these variables, or `GRIDWRIGHT_PRINT_BYTES`, has a value that means nothing.
    ///
    /// ```
    /// let device = gridwright::Device::cpu()?;
    /// assert!(device.name().starts_with("CPU"));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn cpu() -> Result<Self, Error> {
        Self::opened(Cpu::open())
    }

    /// The NVIDIA GPU of an index.
    ///
    /// # Errors
    /// [`Error::DriverMissing`] without NVIDIA's driver, [`Error::NoDevice`] without such a device, or without the
    /// feature `cuda`.
    ///
    /// ```
    /// match gridwright::Device::cuda(0) {
    ///     Ok(device) => println!("{}", device.name()),
    ///     Err(error) => println!("{error}"), // says what is missing, and what to do
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cudaSetDevice(index)`. It retains the device's primary context, as CUDA's runtime does.
    pub fn cuda(index: usize) -> Result<Self, Error> {
        #[cfg(feature = "cuda")]
        return Self::opened(crate::backend::Cuda::open(index));
        #[cfg(not(feature = "cuda"))]
        Err(drivers::no_device(&format!("cuda:{index}"), "gridwright is built without its feature `cuda`"))
    }

    /// An NVIDIA GPU in the program itself: runs the compiled PTX on the CPU, instruction by instruction, and reports accesses out
    /// of bounds, races between threads, barriers that not all threads reach, and reads of memory that nothing wrote, as
    /// [`Error::KernelFault`] when the launch is waited for. For tests: it is some hundred times slower than the CPU backend.
    ///
    /// `GRIDWRIGHT_EMULATOR_CHECKS` says what becomes of what is found: `error`, the default; `warn`, written to standard
    /// error; or `off`. A panic ends its thread only and is an [`Error::KernelPanic`] when the launch is waited for. In a launch
    /// with a panic, what checks find may follow from what that thread left undone: it is written to standard error.
    ///
    /// `GRIDWRIGHT_EMULATOR_COUNTS` names a file to which is appended what each launch executes, by line of the PTX; `cargo
    /// gridwright inspect` shows it. Without the variable nothing is counted.
    ///
    /// # Errors
    /// [`Error::Environment`] if one of them has a value that means nothing.
    ///
    /// ```
    /// let device = gridwright::Device::emulator()?;
    /// assert!(device.name().starts_with("emulated"));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `compute-sanitizer` and its tools `memcheck`, `racecheck`, `synccheck` and `initcheck`, but without a
    /// GPU.
    pub fn emulator() -> Result<Self, Error> {
        #[cfg(feature = "emulator")]
        return Self::opened(crate::backend::Emulator::open());
        #[cfg(not(feature = "emulator"))]
        Err(drivers::no_device("emulator", "gridwright is built without its feature `emulator`"))
    }

    /// The AMD GPU of an index, by HIP.
    ///
    /// # Errors
    /// [`Error::DriverMissing`] without HIP's runtime, [`Error::NoDevice`] without such a device, or without the feature `hip`;
    /// [`Error::Backend`].
    ///
    /// ```
    /// match gridwright::Device::hip(0) {
    ///     Ok(device) => println!("{}", device.name()),
    ///     Err(error) => println!("{error}"), // says what is missing, and what to do
    /// }
    /// ```
    pub fn hip(index: usize) -> Result<Self, Error> {
        #[cfg(feature = "hip")]
        return Self::opened(crate::backend::Hip::open(index));
        #[cfg(not(feature = "hip"))]
        Err(drivers::no_device(&format!("hip:{index}"), "gridwright is built without its feature `hip`"))
    }

    /// Every device that can be opened: NVIDIA GPUs in the driver's order, then AMD's, and then the CPU, which is always there, so
    /// that the last one is the CPU. Emulated GPUs in the program are not among them.
    ///
    /// A GPU that can't be opened is left out, and hides no other; [`cuda`](Self::cuda) or [`hip`](Self::hip) with its
    /// index says what is wrong with it.
    ///
    /// # Errors
    /// As for [`cpu`](Self::cpu).
    ///
    /// ```
    /// let devices = gridwright::Device::all()?;
    /// for device in &devices {
    ///     println!("{}", device.name());
    /// }
    /// assert!(devices.last().is_some_and(|device| device.name().starts_with("CPU")));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGetDeviceCount`, and `cudaSetDevice` for each number.
    pub fn all() -> Result<Vec<Self>, Error> {
        let cpu = Self::cpu()?;
        let (cuda, hip) =
            ((0..drivers::cuda_devices()).map(Self::cuda), (0..drivers::hip_devices()).map(Self::hip));
        Ok(in_order(cuda.chain(hip), cpu))
    }

    /// The device's name, for people.
    ///
    /// ```
    /// println!("{}", gridwright::Device::cpu()?.name()); // CPU, 2 threads, avx2
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaDeviceProp::name`, from `cudaGetDeviceProperties`.
    pub fn name(&self) -> &str {
        self.0.backend.name()
    }

    /// The kind of the device.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// // All devices of the kind that `GRIDWRIGHT_DEVICE` names, or of the best there is.
    /// let kind = Device::from_env()?.kind();
    /// let devices = Device::all()?.into_iter().filter(|device| device.kind() == kind);
    /// println!("{} of kind {kind}", devices.count());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn kind(&self) -> DeviceKind {
        self.0.backend.kind()
    }

    /// Has the lines that kernels print handed to `reader`, one a call and without its end, rather than written to
    /// standard output. It is called by whoever waits for the device.
    ///
    /// ```
    /// let device = gridwright::Device::cpu()?;
    /// device.on_print(|line| eprintln!("kernel: {line}"));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `printf` in kernels, whose lines CUDA writes to standard output alone.
    pub fn on_print(&self, reader: impl Fn(&str) + Send + Sync + 'static) {
        self.0.backend.printed().read_by(Arc::new(reader));
    }

    /// Lets the heap from which kernels allocate have at least as many bytes, 8 MiB unless this is called, and takes back what kernels
    /// didn't free. It waits for what runs on the device. On the CPU it does nothing: kernels allocate as the program
    /// does.
    ///
    /// The heap is there once a kernel was loaded of a package that has the feature `alloc`: then the bytes are changed at
    /// once, else when it is made. It has 64 KiB at least and 64 GiB at most.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], and kernels have no heap until another call succeeds; [`Error::DeviceLost`], [`Error::Backend`].
    ///
    /// ```
    /// let device = gridwright::Device::from_env()?;
    /// device.set_heap_bytes(64 << 20)?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes)`, but also after kernels that allocate have run.
    pub fn set_heap_bytes(&self, bytes: usize) -> Result<(), Error> {
        self.0.backend.set_heap_bytes(bytes)
    }

    /// The memory that kernels have of their heap: what they never freed. The call waits for what runs on the
    /// device. The capacity is zero where no heap is there: on the CPU, and before a kernel was loaded that
    /// may allocate.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::Backend`].
    ///
    /// ```
    /// let device = gridwright::Device::from_env()?;
    /// assert_eq!(device.heap_usage()?.blocks, 0);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn heap_usage(&self) -> Result<HeapUsage, Error> {
        self.0.backend.heap_usage()
    }

    /// The limits of what the device can launch.
    ///
    /// ```
    /// let most = gridwright::Device::cpu()?.limits().threads_per_group;
    /// assert!(most >= 1024);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGetDeviceProperties`, as far as launches need it.
    pub fn limits(&self) -> &Limits {
        self.0.backend.limits()
    }

    /// A new stream: what is submitted to it runs in order.
    ///
    /// # Errors
    /// None on the CPU; on a GPU [`Error::DeviceLost`] or [`Error::Backend`].
    ///
    /// ```
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// stream.synchronize()?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaStreamCreateWithFlags` with `cudaStreamNonBlocking`. There is no default stream.
    pub fn stream(&self) -> Result<Stream, Error> {
        Stream::open(self.clone())
    }

    /// What the device is: its architecture, its processors, its memory.
    ///
    /// # Errors
    /// None on the CPU; on a GPU [`Error::DeviceLost`] or [`Error::Backend`].
    ///
    /// ```
    /// for device in gridwright::Device::all()? {
    ///     println!("{}: {}", device.name(), device.info()?.architecture);
    /// }
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaGetDeviceProperties`.
    pub fn info(&self) -> Result<DeviceInfo, Error> {
        self.backend().info()
    }

    /// A new stream, as [`stream`](Self::stream) gives, whose work comes before or behind that of others. The device takes the
    /// nearest priority that it has, which [`Stream::priority`] tells.
    ///
    /// A graph's work has the priority of the stream that it is launched on.
    ///
    /// # Errors
    /// None on the CPU; on a GPU [`Error::DeviceLost`] or [`Error::Backend`].
    ///
    /// ```
    /// use gridwright::Priority;
    /// use gridwright::prelude::*;
    ///
    /// let device = Device::from_env()?;
    /// let background = device.stream()?;
    /// let urgent = device.stream_with_priority(Priority::HIGHEST)?;
    /// assert!(urgent.priority() >= background.priority());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaStreamCreateWithPriority`, with `cudaStreamNonBlocking`.
    pub fn stream_with_priority(&self, priority: Priority) -> Result<Stream, Error> {
        Stream::open_with(self.clone(), self.backend().priorities().nearest(priority))
    }

    /// The priorities that the device's streams can have, from the lowest to the highest.
    ///
    /// ```
    /// use gridwright::Priority;
    /// use gridwright::prelude::*;
    ///
    /// assert!(Device::from_env()?.priorities().contains(&Priority::NORMAL));
    /// assert_eq!(Device::cpu()?.priorities(), Priority::NORMAL..=Priority::NORMAL);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaDeviceGetStreamPriorityRange`.
    pub fn priorities(&self) -> RangeInclusive<Priority> {
        let Priorities { lowest, highest } = self.backend().priorities();
        lowest..=highest
    }

    /// A device whose backend was opened. An error without devices gets those that there are.
    fn opened(backend: Result<impl Backend, Error>) -> Result<Self, Error> {
        match backend {
            Ok(backend) => Ok(Self::new(Box::new(backend))),
            Err(Error::NoDevice { asked, reason, .. }) => Err(drivers::no_device(&asked, &reason)),
            Err(error) => Err(error),
        }
    }

    fn new(backend: Box<dyn Backend>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (peers, host_panics, profiles) = (RwLock::default(), Arc::default(), Profiles::default());
        Self(Arc::new(Inner { number, backend, peers, host_panics, profiles }))
    }

    pub(crate) fn profiles(&self) -> &Profiles {
        &self.0.profiles
    }

    /// The panics of host functions of streams and graphs.
    pub(crate) fn host_panics(&self) -> &Arc<HostPanics> {
        &self.0.host_panics
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        &*self.0.backend
    }

    /// Whether two are one device, opened once: what is made with one works with the other.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// let device = Device::cpu()?;
    /// assert!(device.is_same(device.stream()?.device()));
    /// assert!(!device.is_same(&Device::cpu()?));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// Two equal numbers of devices.
    pub fn is_same(&self, other: &Self) -> bool {
        self.is(other)
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        self.0.number == other.0.number
    }

    pub(crate) fn number(&self) -> u64 {
        self.0.number
    }

    /// Whether this device's kernels were let reach another's memory.
    pub(crate) fn reaches(&self, other: &Self) -> bool {
        self.0.peers.read().unwrap_or_else(PoisonError::into_inner).contains(&other.0.number)
    }

    pub(crate) fn add_peer(&self, other: &Self) {
        let mut peers = self.0.peers.write().unwrap_or_else(PoisonError::into_inner);
        if !peers.contains(&other.0.number) {
            peers.push(other.0.number);
        }
    }

    /// Gives something back to the device, from a thread of its own where this one runs a host function.
    pub(crate) fn outside_host_calls(&self, give_back: impl FnOnce(&Self) + Send + 'static) {
        if is_running() {
            let device = self.clone();
            // Without a thread it is given back when the program ends.
            let _ = std::thread::Builder::new().spawn(move || give_back(&device));
        } else {
            give_back(self);
        }
    }

    /// The name with what tells two openings apart.
    pub(crate) fn identity(&self) -> String {
        format!("{}, opened as number {}", self.name(), self.0.number)
    }
}

/// The GPUs that could be opened, and the CPU behind them.
fn in_order(gpus: impl Iterator<Item = Result<Device, Error>>, cpu: Device) -> Vec<Device> {
    gpus.flatten().chain([cpu]).collect()
}

#[cfg(test)]
mod tests {
    use super::{Device, in_order};

    #[test]
    fn a_gpu_that_cannot_be_opened_hides_no_other_device() {
        let open = || Device::cpu().unwrap();
        let (first, third, cpu) = (open(), open(), open());
        let opened = [Ok(first.clone()), Device::hip(usize::MAX), Ok(third.clone())];
        let all = in_order(opened.into_iter(), cpu.clone());
        assert!(all.len() == 3 && all[0].is(&first) && all[1].is(&third) && all[2].is(&cpu));
    }
}
