/// What a device can launch.
///
/// ```
/// let limits = gridwright_core::Limits::PORTABLE;
/// assert_eq!(limits.threads_per_group, 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most threads in one workgroup.
    pub threads_per_group: usize,
    /// The most threads of a workgroup along x, y and z.
    pub block: [usize; 3],
    /// The most workgroups along x, y and z.
    pub groups: [usize; 3],
    /// The most bytes of workgroup memory that a group may have, those included that it must opt in to.
    pub workgroup_memory: usize,
}

impl Limits {
    /// What every CUDA device since compute capability 3.0 allows, and what the CPU backend takes on,
    /// so that a program that runs here fits there.
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
    };
}
