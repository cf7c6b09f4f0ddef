use std::fmt;

use gridwright_core::{Dim, LaunchConfig, Sets, Signature};

use crate::launch::Prepared;
use crate::{Arguments, Attributes, Device, Error, Occupancy, OffloadArguments, Stream};

/// What kernels can be asked, safe ones and others: methods of `$kernel`, with examples of the kernel that is declared so.
macro_rules! queries {
    ($kernel:ident, $declaration:literal) => {
        impl<K: Signature> $kernel<K> {
            /// The device that the kernel is prepared for.
            ///
            /// ```
            /// # use gridwright::prelude::*;
            #[doc = $declaration]
            /// # fn main() -> Result<(), gridwright::Error> {
            /// let kernel = nothing::load(&Device::cpu()?)?;
            /// println!("on {}", kernel.device().name());
            /// # Ok(())
            /// # }
            /// ```
            pub fn device(&self) -> &Device {
                self.0.device()
            }

            /// What a thread and a workgroup of the kernel take of the device.
            ///
            /// # Errors
            /// None on the CPU; on a GPU [`Error::DeviceLost`] or [`Error::Backend`].
            ///
            /// ```
            /// # use gridwright::prelude::*;
            #[doc = $declaration]
            /// # fn main() -> Result<(), gridwright::Error> {
            /// let kernel = nothing::load(&Device::cpu()?)?;
            /// assert!(kernel.attributes()?.most_threads >= 1024);
            /// # Ok(())
            /// # }
            /// ```
            ///
            /// # From CUDA
            /// `cudaFuncGetAttributes`.
            pub fn attributes(&self) -> Result<Attributes, Error> {
                self.0.attributes()
            }

            /// How many workgroups of a block the device runs at the same time. Launch-sized workgroup memory isn't counted.
            ///
            /// # Errors
            /// [`Error::InvalidConfig`] for a block that the kernel can't have; on a GPU also [`Error::DeviceLost`] or
            /// [`Error::Backend`].
            ///
            /// ```
            /// # use gridwright::prelude::*;
            #[doc = $declaration]
            /// # fn main() -> Result<(), gridwright::Error> {
            /// let kernel = nothing::load(&Device::cpu()?)?;
            /// println!("{} groups at the same time", kernel.occupancy(256)?.groups());
            /// assert!(kernel.occupancy(0).is_err());
            /// # Ok(())
            /// # }
            /// ```
            ///
            /// # From CUDA
            /// `cudaOccupancyMaxActiveBlocksPerMultiprocessor`, with no dynamic shared memory.
            pub fn occupancy(&self, block: impl Into<Dim>) -> Result<Occupancy, Error> {
                self.0.occupancy(block.into())
            }

            pub(crate) fn prepared(&self) -> &Prepared<K> {
                &self.0
            }
        }

        impl<K> Clone for $kernel<K> {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<K: Signature> fmt::Debug for $kernel<K> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.debug(stringify!($kernel), f)
            }
        }
    };
}

pub(crate) use queries;

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
///
/// # From CUDA
/// A `__global__` function, once it is loaded: `cudaFunction_t`.
pub struct Kernel<K>(Prepared<K>);

/// Prepares a kernel for a device. Programs call the kernel's own `load`.
///
/// # Errors
/// None on the CPU, whose code is part of the program. On a GPU, [`Error::ImageMissing`] if the program has no
/// image for the device, [`Error::ImageRefused`] if the driver doesn't take it, and [`Error::LayoutMismatch`] if it is another
/// one than the program was built with.
///
/// # From CUDA
/// `cuModuleLoadData` and `cuModuleGetFunction`, which CUDA's runtime calls by itself.
/// It also gives the kernel leave for all workgroup memory, as `cudaFuncSetAttribute` with
/// `cudaFuncAttributeMaxDynamicSharedMemorySize` does.
pub fn load<K: Signature>(device: &Device) -> Result<Kernel<K>, Error> {
    const { assert!(Prepared::<K>::is_safe(), "a kernel that is an `unsafe fn` is loaded as an `UnsafeKernel`") };
    Prepared::load(device).map(Kernel)
}

impl<K: Signature> Kernel<K> {
    /// Prepares a kernel for a device, as the kernel's own `load` does: for code that is generic over kernels.
    ///
    /// # Errors
    /// Those of the kernel's own `load`: none on the CPU, and on a GPU those of images.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// use gridwright::launch::Signature;
    ///
    /// # #[gpu_kernel]
    /// # fn nothing(_t: Thread) {}
    /// fn load_any<K: Signature>(device: &Device) -> Result<Kernel<K>, gridwright::Error> {
    ///     Kernel::load(device)
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
        load(device)
    }

    /// Submits the kernel to run after the work that the stream has, with a tuple of arguments: one for each
    /// parameter except the thread or the group, and workgroup memory, whose sizes the config gives.
    ///
    /// On a GPU it returns before the kernel has run. Buffers may be used, written and dropped at once: what comes later on
    /// whatever stream waits for the kernel where it must.
    ///
    /// The kernel's panics are reported by the next call that synchronises. A panic ends the launch: what threads and
    /// groups wrote before is in the buffers, and of the others some haven't run.
    ///
    /// # Errors
    /// Nothing is launched after one of these:
    /// - [`Error::ForeignStream`], [`Error::ForeignBuffer`]: of another device than the kernel;
    /// - [`Error::InvalidConfig`]: a size that is zero or over a limit, a block other than the kernel's, a cooperative
    ///   launch that the device can't run at once, clusters that don't divide the workgroups or are larger than the device's, or
    ///   a programmatic dependent launch;
    /// - [`Error::AttributeUnsupported`]: a cluster or a preferred size of memory that the device or its driver knows nothing of;
    /// - [`Error::WorkgroupMemory`]: workgroup memory whose size is zero or over the device's limit;
    /// - [`Error::Requirement`]: a condition of `requires = …` doesn't hold;
    /// - [`Error::UnevenArrays`]: a buffer that doesn't divide into the parameter's arrays;
    /// - [`Error::LaunchRefused`], [`Error::DeviceLost`]: the driver doesn't take it, or no more.
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
    ///
    /// # From CUDA
    /// `kernel<<<grid, block, bytes, stream>>>(…)` and `cudaLaunchKernelExC`.
    /// There is no `cudaGetLastError` behind it: what is wrong with the launch is its error.
    pub fn launch<W, A>(&self, stream: &Stream, config: LaunchConfig<W>, arguments: A) -> Result<(), Error>
    where
        W: Sets<K::Sizes>,
        A: Arguments<K::Params>,
    {
        // SAFETY: the kernel is safe: `load` gives no others.
        unsafe { self.0.launch(stream, config, arguments) }
    }

    /// Runs the kernel on memory of the host: copies it to the device, launches, waits, and copies back. Arguments are as for
    /// [`launch`](Self::launch), with slices, arrays and vectors where that takes buffers: `&x` for what is only read,
    /// [`InOut(&mut y)`](crate::InOut) for what goes both ways, [`Out(&mut z)`](crate::Out) for what only comes back. Matrices
    /// and volumes are [`AsMatrix(rows, cols, &m)`](crate::AsMatrix) and [`AsVolume`](crate::AsVolume).
    ///
    /// # Errors
    /// Those of [`launch`](Self::launch), [`Error::KernelPanic`], [`Error::OutOfMemory`], and [`Error::MatrixSize`] or
    /// [`Error::VolumeSize`] where the elements are fewer or more than their shape says. The host's memory is then as it
    /// was, unless copying back itself fails.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(requires = x.len() == y.len())]
    /// fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    ///     if let Some(y) = y.get_mut(t) {
    ///         *y = a.mul_add(x[t.index()], *y);
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let (x, mut y) = ([1.0, 2.0, 3.0], vec![10.0; 3]);
    /// saxpy::load(&device)?.run(&device, LaunchConfig::threads(3), (2.0, &x, InOut(&mut y)))?;
    /// assert_eq!(y, [12.0, 14.0, 16.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc`, `cudaMemcpy` to the device, `<<<…>>>`, `cudaMemcpy` to the host and `cudaFree`.
    pub fn run<W, A>(&self, device: &Device, config: LaunchConfig<W>, arguments: A) -> Result<(), Error>
    where
        W: Sets<K::Sizes>,
        A: OffloadArguments<K::Params>,
    {
        // SAFETY: the kernel is safe: `load` gives no others.
        unsafe { self.0.run(device, config, arguments) }
    }
}

queries!(Kernel, "# #[gpu_kernel]\n# fn nothing(_t: Thread) {}");
