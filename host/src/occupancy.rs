/// What a kernel takes of a device, from [`Kernel::attributes`](crate::Kernel::attributes).
///
/// ```
/// # use gridwright::prelude::*;
/// # #[gpu_kernel]
/// # fn nothing(_t: Thread) {}
/// # fn main() -> Result<(), gridwright::Error> {
/// let attributes = nothing::load(&Device::cpu()?)?.attributes()?;
/// assert_eq!(attributes.local_bytes, 0);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cudaFuncAttributes`, from `cudaFuncGetAttributes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attributes {
    /// Registers of 32 bits for a thread. The CPU has no answer.
    ///
    /// # From CUDA
    /// `cudaFuncAttributes::numRegs`.
    pub registers: Option<usize>,
    /// Bytes for a thread of what didn't go into registers; zero on the CPU.
    ///
    /// # From CUDA
    /// `cudaFuncAttributes::localSizeBytes`.
    pub local_bytes: usize,
    /// Bytes of constants of the kernel.
    ///
    /// # From CUDA
    /// `cudaFuncAttributes::constSizeBytes`.
    pub constant_bytes: usize,
    /// Bytes of workgroup memory that every launch takes. What a launch sets the size of isn't counted.
    ///
    /// # From CUDA
    /// `cudaFuncAttributes::sharedSizeBytes`.
    pub workgroup_bytes: usize,
    /// Bytes of the image that the device was given to load for the kernel: PTX of the kernel and of what it calls, or a whole image of
    /// machine code. Zero on the CPU.
    pub loaded_bytes: usize,
    /// The most threads that a workgroup can have.
    ///
    /// # From CUDA
    /// `cudaFuncAttributes::maxThreadsPerBlock`.
    pub most_threads: usize,
}

/// How many workgroups run at the same time, from [`Kernel::occupancy`](crate::Kernel::occupancy).
///
/// A processor is what runs a workgroup: a streaming multiprocessor of a GPU, a core of the CPU.
///
/// ```
/// # use gridwright::prelude::*;
/// # #[gpu_kernel]
/// # fn nothing(_t: Thread) {}
/// # fn main() -> Result<(), gridwright::Error> {
/// let occupancy = nothing::load(&Device::cpu()?)?.occupancy(256)?;
/// assert_eq!(occupancy.groups(), occupancy.groups_per_processor * occupancy.processors);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// The result of `cudaOccupancyMaxActiveBlocksPerMultiprocessor`, with what it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occupancy {
    /// Workgroups that one processor runs at the same time.
    ///
    /// # From CUDA
    /// `numBlocks` of `cudaOccupancyMaxActiveBlocksPerMultiprocessor`.
    pub groups_per_processor: usize,
    /// The device's processors.
    ///
    /// # From CUDA
    /// `cudaDeviceProp::multiProcessorCount`.
    pub processors: usize,
    /// Threads of a workgroup.
    ///
    /// # From CUDA
    /// `blockSize` of `cudaOccupancyMaxActiveBlocksPerMultiprocessor`.
    pub threads_per_group: usize,
    /// The most threads that a processor runs at the same time.
    ///
    /// # From CUDA
    /// `cudaDeviceProp::maxThreadsPerMultiProcessor`.
    pub most_threads_per_processor: usize,
}

impl Occupancy {
    /// The workgroups that the device runs at the same time: the most of a cooperative launch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # fn nothing(_t: Thread) {}
    /// # fn main() -> Result<(), gridwright::Error> {
    /// assert!(nothing::load(&Device::cpu()?)?.occupancy(64)?.groups() >= 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `numBlocks * multiProcessorCount`: the largest grid of `cudaLaunchCooperativeKernel`.
    pub fn groups(&self) -> usize {
        self.groups_per_processor.saturating_mul(self.processors)
    }

    /// The part of a processor's threads that run, between 0 and 1.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # fn nothing(_t: Thread) {}
    /// # fn main() -> Result<(), gridwright::Error> {
    /// assert_eq!(nothing::load(&Device::cpu()?)?.occupancy(64)?.fraction(), 1.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// Theoretical occupancy, as Nsight Compute has it.
    pub fn fraction(&self) -> f64 {
        let threads = self.groups_per_processor.saturating_mul(self.threads_per_group);
        threads as f64 / self.most_threads_per_processor.max(1) as f64
    }
}
