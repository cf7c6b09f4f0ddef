//! The launch: what safe and unsafe kernels share. Everything that a launch can get wrong is checked here, and then it is submitted.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use gridwright_core::{
    Bounds, Description, Dim, GroupExtent, LaunchAttributes, LaunchConfig, LaunchSizes, ParamList, Raw, Sets,
    Signature, WorkgroupMemory, grid_bytes,
};

use crate::accesses::Accesses;
use crate::profile::Piece;
use crate::run::Ready;
use crate::submission::{Code, KernelTask, Launch, Loaded, Operation, Order, Task};
use crate::{
    Arguments, Attributes, Buffer, Device, DeviceKind, Error, Occupancy, OffloadArguments, Stream, WriteTo,
};

/// What safe and unsafe kernels share: a kernel that a device has loaded, and its launch.
pub(crate) struct Prepared<K> {
    device: Device,
    pub(crate) loaded: Loaded,
    /// The threads of a workgroup where the launch doesn't say, if the device thinks some best.
    best_block: Option<usize>,
    _kernel: PhantomData<fn() -> K>,
}

/// A launch that nothing is wrong with.
struct Checked<K: Signature> {
    raw: Raw<K>,
    sizes: LaunchSizes,
    attributes: LaunchAttributes,
}

impl<K: Signature> Prepared<K> {
    /// The kernel as it was loaded before.
    pub(crate) fn of(device: Device, loaded: Loaded) -> Self {
        let best_block = loaded.best_block();
        Self { device, loaded, best_block, _kernel: PhantomData }
    }

    pub(crate) fn load(device: &Device) -> Result<Self, Error> {
        let loaded = device.backend().load(Code::of::<K>())?;
        Ok(Self::of(device.clone(), loaded))
    }

    /// Whether anybody may launch the kernel.
    pub(crate) const fn is_safe() -> bool {
        !K::IS_UNSAFE
    }

    /// Checks everything that a launch can get wrong, and then launches.
    ///
    /// # Safety
    /// If the kernel is unsafe, what its author asks of callers, and where the stream is captured in each replay.
    pub(crate) unsafe fn launch<W, A>(
        &self,
        stream: &Stream,
        config: LaunchConfig<W>,
        arguments: A,
    ) -> Result<(), Error>
    where
        W: Sets<K::Sizes>,
        A: Arguments<K::Params>,
    {
        // SAFETY: the caller promises what the kernel's author asks.
        unsafe { self.submit(stream, config, arguments, false) }
    }

    /// Launches, and says whether the caller waits for the end next.
    ///
    /// # Safety
    /// As for `launch`.
    #[inline(always)]
    pub(crate) unsafe fn submit<W, A>(
        &self,
        stream: &Stream,
        config: LaunchConfig<W>,
        arguments: A,
        is_awaited: bool,
    ) -> Result<(), Error>
    where
        W: Sets<K::Sizes>,
        A: Arguments<K::Params>,
    {
        self.check_device(stream.device(), "stream")?;
        if stream.is_recorded("launch")? {
            return stream.record_call(|draft| {
                // SAFETY: if the kernel is unsafe, the caller promises for each replay what its author asks: see
                // `UnsafeKernel::launch`.
                let operation = unsafe { self.record(stream.device(), config, arguments) }?;
                Ok(draft.push(operation))
            });
        }
        let mut accesses = Accesses::new();
        let Checked { raw, sizes, attributes } = self.check(config, arguments, &mut accesses)?;
        let arguments = (&raw const raw).cast();
        let (code, kernel) = (Code::of::<K>(), &self.loaded);
        let memory = if self.meets() { Some(self.meeting(stream, &sizes, &mut accesses)?) } else { None };
        let meeting = memory.as_ref().map(|memory| memory.place().pointer.as_ptr() as u64);
        let (accesses, is_shared, peers) = (accesses.as_slice(), accesses.is_shared(), accesses.peers());
        let launch =
            Launch { code, kernel, sizes, attributes, arguments, accesses, is_shared, is_awaited, meeting };
        // SAFETY:
        // - the raw arguments live until this returns. They point at memory that `arguments` borrowed, exclusively where
        //   the kernel writes, and that is in `accesses` or `peers`: a backend that hasn't finished when this returns keeps later uses
        //   of that memory, and its end, behind this one;
        // - what `check` says;
        // - what an unsafe kernel does with all that is the caller's responsibility.
        let submit = || unsafe {
            if peers.is_empty() {
                self.device.backend().launch(stream.id(), &launch)
            } else {
                stream.launch_with_peers(&launch, peers)
            }
        };
        stream.timed(accesses, Piece::kernel::<K>, submit)
    }

    /// The launch as an operation of a graph, which has the memory too.
    ///
    /// # Safety
    /// If the kernel is unsafe, what its author asks of callers, in each replay.
    #[cold]
    pub(crate) unsafe fn record<W, A>(
        &self,
        device: &Device,
        config: LaunchConfig<W>,
        arguments: A,
    ) -> Result<Operation, Error>
    where
        W: Sets<K::Sizes>,
        A: Arguments<K::Params>,
    {
        self.check_device(device, "stream")?;
        self.check_recorded(&config.attributes(), self.meets())?;
        let mut accesses = Accesses::of_graph();
        let Checked { raw, sizes, attributes } = self.check(config, arguments, &mut accesses)?;
        let task = Task::Launch(Box::new(KernelTask {
            code: Code::of::<K>(),
            loaded: Arc::clone(&self.loaded),
            sizes,
            attributes,
            arguments: Box::new(raw),
        }));
        Ok(Operation {
            task,
            accesses: accesses.as_slice().into(),
            order: Order::Memory,
            after: Vec::new(),
            _owners: accesses.into_owners(),
        })
    }

    fn check_device(&self, device: &Device, what: &'static str) -> Result<(), Error> {
        if self.device.is(device) {
            return Ok(());
        }
        Err(Error::ForeignStream {
            place: format!("kernel `{}`", K::NAME),
            what,
            device: self.device.identity(),
            other: device.identity(),
        })
    }

    /// Checks everything that a launch can get wrong. Then
    /// - the geometry is of at most the parameters' rank, and has the block that the kernel declares, if it does;
    /// - the memory has a length for each of the kernel's partitions, in their order, and room for them;
    /// - the kernel was loaded by this device.
    #[inline(always)]
    fn check<W, A>(
        &self,
        config: LaunchConfig<W>,
        arguments: A,
        accesses: &mut Accesses,
    ) -> Result<Checked<K>, Error>
    where
        W: Sets<K::Sizes>,
        A: Arguments<K::Params>,
    {
        let limits = self.device.limits();
        let invalid = |reason| Error::InvalidConfig { kernel: K::NAME, reason };
        let geometry = match self.best_block {
            None => config.resolve(&K::BOUNDS, limits),
            Some(best) => config.resolve_with(&K::BOUNDS, limits, best),
        };
        let geometry = geometry.map_err(invalid)?;
        let group = GroupExtent { len: geometry.block.iter().product() };
        let memory = config
            .workgroup_memory::<K::Sizes>(K::PARTITIONS, K::FIXED_BYTES, group.len, limits)
            .map_err(|reason| Error::WorkgroupMemory { kernel: K::NAME, reason })?;
        let raw = arguments.pass(K::NAME, K::PARAMETERS, &self.device, accesses)?;
        K::require(&raw, group, memory.lens()).map_err(|condition| Error::Requirement {
            kernel: K::NAME,
            condition,
            arguments: describe::<K>(&raw, group, &memory),
        })?;
        let mut attributes = config.attributes();
        // A cluster of one is what each group is anyway.
        attributes.cluster = attributes.cluster.filter(|cluster| cluster.axes() != [1; 3]);
        // Its kernels are of one dimension, and so are its launches, which clusters divide.
        let cluster = attributes.cluster.filter(|_| K::CPU.is_of_clusters()).map_or(1, |cluster| cluster.x);
        let sizes = LaunchSizes { geometry, memory, cluster };
        if K::CPU.is_grid() {
            // On the CPU all groups are one thread's.
            attributes.cooperative = self.meets();
        }
        if !attributes.is_plain() {
            self.check_attributes(&attributes, &sizes)?;
        }
        Ok(Checked { raw, sizes, attributes })
    }

    /// Whether groups of a launch meet, in memory that the launch gives them.
    fn meets(&self) -> bool {
        K::CPU.is_grid() && self.device.kind() != DeviceKind::Cpu
    }

    /// The memory in which groups of a launch meet.
    #[cold]
    fn meeting(
        &self,
        stream: &Stream,
        sizes: &LaunchSizes,
        accesses: &mut Accesses,
    ) -> Result<Buffer<u64>, Error> {
        let bytes = grid_bytes(sizes.geometry.groups.iter().product()).unwrap_or(usize::MAX);
        let mut memory = stream.alloc_zeroed::<u64>(bytes.div_ceil(size_of::<u64>()))?;
        accesses.add(&memory.region_mut(), || format!("kernel `{}`", K::NAME))?;
        Ok(memory)
    }

    pub(crate) fn attributes(&self) -> Result<Attributes, Error> {
        self.device.backend().attributes(&*self.loaded)
    }

    pub(crate) fn occupancy(&self, block: Dim) -> Result<Occupancy, Error> {
        // All of its dimensions are the kernel's business only with a grid.
        let bounds = Bounds { rank: 3, ..K::BOUNDS };
        let geometry = LaunchConfig::grid(1, block)
            .resolve(&bounds, self.device.limits())
            .map_err(|reason| Error::InvalidConfig { kernel: K::NAME, reason })?;
        let threads = geometry.block.iter().product();
        self.device.backend().occupancy(&*self.loaded, threads, K::FIXED_BYTES)
    }

    /// Launches on memory of the host.
    ///
    /// # Safety
    /// As for `launch`.
    pub(crate) unsafe fn run<W, A>(
        &self,
        device: &Device,
        config: LaunchConfig<W>,
        arguments: A,
    ) -> Result<(), Error>
    where
        W: Sets<K::Sizes>,
        A: OffloadArguments<K::Params>,
    {
        self.check_device(device, "device")?;
        // SAFETY: if the kernel is unsafe, the caller promises what its author asks, for these arguments and sizes.
        unsafe { arguments.launch_staged(&Ready(self), &device.stream()?, config) }
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// Writes the kernel for debugging, as the type of this name.
    pub(crate) fn debug(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name).field("name", &K::NAME).field("device", &self.device.name()).finish()
    }
}

/// The arguments with their sizes: `x: 1000 elements, scratch: 256 elements, groups of 256 threads`.
fn describe<K: Signature>(raw: &Raw<K>, group: GroupExtent, memory: &WorkgroupMemory) -> String {
    let mut names = K::PARAMETERS.iter();
    let mut parts = Vec::new();
    K::Params::describe(raw, |description| {
        parts.push(format!("{}: {description}", names.next().copied().unwrap_or("?")));
    });
    let partitions = K::PARTITIONS.iter().zip(memory.lens());
    parts.extend(partitions.map(|(layout, &len)| format!("{}: {}", layout.name, Description::Slice { len })));
    if K::BOUNDS.whole_groups {
        parts.push(format!("groups of {} threads", group.len));
    }
    parts.join(", ")
}

impl<K> Clone for Prepared<K> {
    fn clone(&self) -> Self {
        Self {
            device: self.device.clone(),
            loaded: Arc::clone(&self.loaded),
            best_block: self.best_block,
            _kernel: PhantomData,
        }
    }
}
