use std::fmt;

use gridwright_core::{Dim, LaunchConfig, Sets, Signature};

use crate::kernel::queries;
use crate::launch::Prepared;
use crate::{Arguments, Attributes, Device, Error, Occupancy, OffloadArguments, Stream};

/// A kernel that is an `unsafe fn`, ready to be launched on a device: what `my_kernel::load(&device)` gives.
///
/// A kernel of a thread takes raw pointers, its threads share workgroup memory and wait for each other with
/// `sync_threads`. One of a group, a cluster or a grid is written as a safe kernel, and trusts what its author asks of callers, such as
/// that a length isn't larger than a buffer.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// # Safety
/// /// `x` has `n` elements.
/// #[gpu_kernel]
/// unsafe fn double(t: Thread, x: *mut f32, n: usize) {
///     if t.col() < n {
///         unsafe { *x.add(t.col()) *= 2.0 };
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let mut x = stream.upload(&[1.0, 2.0, 3.0])?;
/// let kernel = double::load(&device)?;
/// // SAFETY: the buffer has as many elements.
/// unsafe { kernel.launch(&stream, LaunchConfig::threads(3), (&mut x, 3))? };
/// assert_eq!(stream.download(&x)?, [2.0, 4.0, 6.0]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// A `__global__` function with pointers, ported line by line. `sync_threads` is `__syncthreads`.
pub struct UnsafeKernel<K>(Prepared<K>);

/// Prepares a kernel that is an `unsafe fn` for a device. Programs call the kernel's own `load`.
///
/// # Errors
/// On a GPU, those of a safe kernel. On the CPU, [`Error::ImageMissing`] if the program is compiled for a target on which
/// threads can't wait for each other.
///
/// # From CUDA
/// `cuModuleLoadData` and `cuModuleGetFunction`, which CUDA's runtime calls by itself.
pub fn load_unsafe<K: Signature>(device: &Device) -> Result<UnsafeKernel<K>, Error> {
    Prepared::load(device).map(UnsafeKernel)
}

impl<K: Signature> UnsafeKernel<K> {
    /// Prepares a kernel for a device, as the kernel's own `load` does: for code that is generic over kernels. A safe kernel may be
    /// loaded so too.
    ///
    /// # Errors
    /// Those of the kernel's own `load`.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright::launch::{Signature, UnsafeKernel};
    ///
    /// # #[gpu_kernel]
    /// # unsafe fn nothing(_t: Thread) {}
    /// fn load_any<K: Signature>(device: &Device) -> Result<UnsafeKernel<K>, gridwright::Error> {
    ///     UnsafeKernel::load(device)
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// load_any::<nothing>(&Device::cpu()?)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cuModuleLoadData` and `cuModuleGetFunction`.
    pub fn load(device: &Device) -> Result<Self, Error> {
        load_unsafe(device)
    }

    /// Submits the kernel to run after the work that the stream has, with a tuple of arguments: one for each parameter except the
    /// thread, and workgroup memory, whose sizes the config gives. `*const T` takes a `&Buffer<T>`, `*mut T` a
    /// `&mut Buffer<T>`.
    ///
    /// Workgroups are whole: more threads run than the config asks for where their number isn't a multiple of a
    /// workgroup's.
    ///
    /// All that is checked at the launch of a safe kernel is checked here, and panics are reported in the same way.
    ///
    /// # Safety
    /// What the kernel's author asks of callers. In any case, for these arguments and sizes, no thread
    /// - accesses what is beyond the memory that its pointers were given, or writes through a `*const T`;
    /// - accesses what another one writes, unless a barrier or an atomic operation orders the two;
    /// - waits at a barrier that others of its group don't reach, as `sync_threads` asks;
    /// - on a GPU, in a launch with [`programmatic_dependent`](LaunchConfig::programmatic_dependent), accesses memory or ends
    ///   before it has executed `griddepcontrol.wait` (`cudaGridDependencySynchronize` in CUDA C): what the launches before it
    ///   do would still go on, also for those that come after it. Kernels written in Rust have no such operation yet, so that this
    ///   is for kernels of other compilers.
    ///
    /// A launch that is recorded in a graph runs in each replay, and the promise is for all of them.
    ///
    /// # Errors
    /// Nothing is launched after one of these, which are those of [`Kernel::launch`](crate::Kernel::launch):
    /// [`Error::ForeignStream`], [`Error::ForeignBuffer`], [`Error::InvalidConfig`], [`Error::AttributeUnsupported`], [`Error::WorkgroupMemory`],
    /// [`Error::Requirement`], [`Error::UnevenArrays`], [`Error::LaunchRefused`] and [`Error::DeviceLost`].
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # unsafe fn double(t: Thread, x: *mut f32, n: usize) { if t.col() < n { unsafe { *x.add(t.col()) *= 2.0 } } }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let mut x = stream.upload(&[1.0, 2.0, 3.0])?;
    /// let kernel = double::load(&device)?;
    /// let n = x.len();
    /// // SAFETY: the buffer has as many elements.
    /// unsafe { kernel.launch(&stream, LaunchConfig::threads(n), (&mut x, n))? };
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `kernel<<<grid, block, bytes, stream>>>(…)`. Number, types and memory of arguments are checked.
    pub unsafe fn launch<W, A>(
        &self,
        stream: &Stream,
        config: LaunchConfig<W>,
        arguments: A,
    ) -> Result<(), Error>
    where
        W: Sets<K::Sizes>,
        A: Arguments<K::Params>,
    {
        // SAFETY: the caller promises what the kernel's author asks, and in each replay where the launch is recorded.
        unsafe { self.0.launch(stream, config, arguments) }
    }

    /// Runs the kernel on memory of the host, as [`Kernel::run`](crate::Kernel::run) does.
    ///
    /// # Safety
    /// As for [`launch`](Self::launch).
    ///
    /// # Errors
    /// Those of [`Kernel::run`](crate::Kernel::run).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # unsafe fn double(t: Thread, x: *mut f32, n: usize) { if t.col() < n { unsafe { *x.add(t.col()) *= 2.0 } } }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// let mut x = [1.0, 2.0, 3.0];
    /// // SAFETY: there are as many elements.
    /// unsafe { double::load(&device)?.run(&device, LaunchConfig::threads(3), (InOut(&mut x), 3))? };
    /// assert_eq!(x, [2.0, 4.0, 6.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc`, `cudaMemcpy` to the device, `<<<…>>>`, `cudaMemcpy` to the host and `cudaFree`.
    pub unsafe fn run<W, A>(
        &self,
        device: &Device,
        config: LaunchConfig<W>,
        arguments: A,
    ) -> Result<(), Error>
    where
        W: Sets<K::Sizes>,
        A: OffloadArguments<K::Params>,
    {
        // SAFETY: the caller promises what the kernel's author asks, for these arguments and sizes.
        unsafe { self.0.run(device, config, arguments) }
    }
}

queries!(UnsafeKernel, "# #[gpu_kernel]\n# unsafe fn nothing(_t: Thread) {}");
