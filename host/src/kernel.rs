use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use gridwright_core::{Description, GroupExtent, LaunchConfig, ParamList, Sets, WorkgroupMemory};
use gridwright_device::arch::{self, Raw, Signature};

use crate::backend::{Code, Launch, Loaded};
use crate::{Arguments, Device, Error, Stream};

/// A kernel that is ready to be launched on a device: what `my_kernel::load(&device)` gives.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn double(t: Thread, mut x: PerThread<[f32]>) {
///     if let Some(x) = x.get_mut(t) {
///         *x *= 2.0;
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let mut x = stream.upload(&[1.0, 2.0, 3.0])?;
/// let kernel = double::load(&device)?;
/// kernel.launch(&stream, LaunchConfig::threads(3), (&mut x,))?;
/// assert_eq!(stream.download(&x)?, [2.0, 4.0, 6.0]);
/// # Ok(())
/// # }
/// ```
pub struct Kernel<K> {
    device: Device,
    loaded: Loaded,
    pace: Arc<AtomicU64>,
    _kernel: PhantomData<fn() -> K>,
}

/// Prepares a kernel for a device. Programs call the kernel's own `load`.
///
/// # Errors
/// None on the CPU, whose code is part of the program. On a GPU, [`Error::ImageMissing`] if the program has no
/// image for the device, and [`Error::Backend`] if the driver refuses it.
pub fn load<K: Signature>(device: &Device) -> Result<Kernel<K>, Error> {
    let loaded = device.backend().load(Code::of::<K>())?;
    Ok(Kernel { device: device.clone(), loaded, pace: Arc::default(), _kernel: PhantomData })
}

impl<K: Signature> Kernel<K> {
    /// Runs the kernel after the work that the stream has, with a tuple of arguments: one for each
    /// parameter except the thread or the group, and workgroup memory, whose sizes the config gives.
    ///
    /// The kernel's panics are reported by the next call that synchronises. A panic ends the launch: what threads and
    /// groups wrote before is in the buffers, and of the others some haven't run.
    ///
    /// # Errors
    /// Nothing is launched after one of these:
    /// - [`Error::ForeignStream`], [`Error::ForeignBuffer`]: of another device than the kernel;
    /// - [`Error::InvalidConfig`]: a size that is zero or over a limit, or a block other than the kernel's;
    /// - [`Error::WorkgroupMemory`]: workgroup memory whose size is zero or over the device's limit;
    /// - [`Error::Requirement`]: a condition of `requires = …` doesn't hold;
    /// - [`Error::UnevenArrays`]: a buffer that doesn't divide into the parameter's arrays.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # fn double(t: Thread, mut x: PerThread<[f32]>) { if let Some(x) = x.get_mut(t) { *x *= 2.0; } }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let mut x = stream.upload(&[1.0, 2.0, 3.0])?;
    /// let kernel = double::load(&device)?;
    /// kernel.launch(&stream, LaunchConfig::threads(x.len()), (&mut x,))?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn launch<W, A>(&self, stream: &Stream, config: LaunchConfig<W>, arguments: A) -> Result<(), Error>
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
        // - the kernel was loaded by this device.
        unsafe { self.device.backend().launch(&launch) }
    }

    /// The device that the kernel is prepared for.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # fn nothing(_t: Thread) {}
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let kernel = nothing::load(&Device::cpu()?)?;
    /// println!("on {}", kernel.device().name());
    /// # Ok(())
    /// # }
    /// ```
    pub fn device(&self) -> &Device {
        &self.device
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

impl<K> Clone for Kernel<K> {
    fn clone(&self) -> Self {
        Self {
            device: self.device.clone(),
            loaded: self.loaded,
            pace: Arc::clone(&self.pace),
            _kernel: PhantomData,
        }
    }
}

impl<K: Signature> fmt::Debug for Kernel<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").field("name", &K::NAME).field("device", &self.device.name()).finish()
    }
}
