use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use gridwright_core::{Description, GroupExtent, LaunchConfig, ParamList, Sets, WorkgroupMemory};
use gridwright_device::arch::{self, Raw, Signature};

use crate::backend::{Code, Launch, Loaded};
use crate::offload::Ready;
use crate::{Arguments, Device, Error, OffloadArguments, Stream};

/// What safe and unsafe kernels share: a kernel that a device has loaded, and its launch.
pub(crate) struct Prepared<K> {
    device: Device,
    loaded: Loaded,
    pace: Arc<AtomicU64>,
    _kernel: PhantomData<fn() -> K>,
}

impl<K: Signature> Prepared<K> {
    pub(crate) fn load(device: &Device) -> Result<Self, Error> {
        let loaded = device.backend().load(Code::of::<K>())?;
        Ok(Self { device: device.clone(), loaded, pace: Arc::default(), _kernel: PhantomData })
    }

    /// Whether anybody may launch it.
    pub(crate) const fn is_safe() -> bool {
        const { K::CPU.is_safe() }
    }

    /// Checks everything that a launch can get wrong, and then launches.
    ///
    /// # Safety
    /// If the kernel is unsafe, what its author asks of callers.
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
        if !self.device.is(stream.device()) {
            return Err(Error::ForeignStream {
                place: format!("kernel `{}`", K::NAME),
                what: "stream",
                device: self.device.identity(),
                other: stream.device().identity(),
            });
        }
        let limits = self.device.limits();
        let geometry = config
            .resolve(&K::BOUNDS, limits)
            .map_err(|reason| Error::InvalidConfig { kernel: K::NAME, reason })?;
        let group = GroupExtent { len: geometry.block.iter().product() };
        let memory = config
            .workgroup_memory::<K::Sizes>(K::PARTITIONS, K::FIXED_BYTES, group.len, limits)
            .map_err(|reason| Error::WorkgroupMemory { kernel: K::NAME, reason })?;
        let raw = arguments.pass(K::NAME, K::PARAMETERS, &self.device)?;
        K::require(&raw, group, memory.lens()).map_err(|condition| Error::Requirement {
            kernel: K::NAME,
            condition,
            arguments: describe::<K>(&raw, group, &memory),
        })?;
        let arguments = (&raw const raw).cast();
        let (code, loaded, pace) = (Code::of::<K>(), self.loaded, &*self.pace);
        let sizes = arch::Launch { geometry, memory };
        let launch = Launch { code, loaded, sizes, arguments, pace };
        // SAFETY:
        // - the raw arguments point at memory that `arguments` borrowed, exclusively where the kernel writes; they
        //   and their borrows live until this returns, and every backend has finished the launch then;
        // - the geometry is of at most the parameters' rank, and has the block that the kernel declares, if it does;
        // - the memory has a length for each of the kernel's partitions, in their order, and room for them;
        // - the kernel was loaded by this device;
        // - what an unsafe kernel does with all that is the caller's responsibility.
        unsafe { self.device.backend().launch(&launch) }
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
        if !self.device.is(device) {
            return Err(Error::ForeignStream {
                place: format!("kernel `{}`", K::NAME),
                what: "device",
                device: self.device.identity(),
                other: device.identity(),
            });
        }
        // SAFETY: the caller's contract.
        unsafe { arguments.launch_staged(&Ready(self), &device.stream()?, config) }
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// As the type of this name.
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
            loaded: self.loaded,
            pace: Arc::clone(&self.pace),
            _kernel: PhantomData,
        }
    }
}
