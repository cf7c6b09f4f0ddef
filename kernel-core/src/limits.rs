/// The limits of what a device can launch.
///
/// ```
/// let limits = gridwright_core::Limits::PORTABLE;
/// assert_eq!(limits.threads_per_group, 1024);
/// ```
///
/// # From CUDA
/// `cudaDeviceProp`, as far as launches need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most threads in one workgroup.
    ///
    /// # From CUDA
    /// `cudaDeviceProp::maxThreadsPerBlock`.
    pub threads_per_group: usize,
    /// The most threads of a workgroup along x, y and z.
    ///
    /// # From CUDA
    /// `cudaDeviceProp::maxThreadsDim`.
    pub block: [usize; 3],
    /// The most workgroups along x, y and z.
    ///
    /// # From CUDA
    /// `cudaDeviceProp::maxGridSize`.
    pub groups: [usize; 3],
    /// The most bytes of workgroup memory that a group may have, those included that it must opt in to.
    ///
    /// # From CUDA
    /// `cudaDeviceProp::sharedMemPerBlockOptin`.
    pub workgroup_memory: usize,
    /// The threads of a full warp: 32, or 64 on AMD's CDNA GPUs. On the CPU it is 32.
    ///
    /// # From CUDA
    /// `cudaDeviceProp::warpSize`.
    pub warp_size: usize,
}

impl Limits {
    /// The limits that every CUDA device since compute capability 3.0 allows, and that the CPU backend takes
    /// on, so that a program that runs here fits there.
    ///
    /// Source: CUDA C++ Programming Guide, table "Technical Specifications per Compute Capability".
    ///
    /// ```
    /// assert_eq!(gridwright_core::Limits::PORTABLE.threads_per_group, 1024);
    /// ```
    pub const PORTABLE: Self = Self {
        threads_per_group: 1024,
        block: [1024, 1024, 64],
        groups: [(1 << 31) - 1, 65_535, 65_535],
        workgroup_memory: 48 * 1024,
        warp_size: 32,
    };
}
