use crate::IndexWidth;

/// What a kernel demands of the sizes of its launches.
///
/// ```
/// use gridwright_core::{Bounds, LaunchConfig, Limits};
///
/// // #[gpu_kernel(block = (16, 16))]
/// let bounds = Bounds { block: Some([16, 16, 1]), ..Bounds::of_rank(2) };
/// let geometry = LaunchConfig::for_matrix(100, 100).resolve(&bounds, &Limits::PORTABLE)?;
/// assert_eq!(geometry.groups, [7, 7, 1]);
/// # Ok::<(), gridwright_core::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most dimensions of a launch, which the kernel's parameters tell apart.
    pub rank: u32,
    /// The width of index arithmetic on a GPU.
    pub index: IndexWidth,
    /// The threads of a workgroup along x, y and z, where the kernel declares them with `block = …`.
    pub block: Option<[usize; 3]>,
    /// The most threads of a workgroup, where the kernel declares them with `max_threads = …`.
    pub most_threads: Option<usize>,
    /// Whether threads are rounded up to whole workgroups, as for kernels of groups.
    pub whole_groups: bool,
    /// The elements along x and y that a workgroup covers of a launch over a matrix, where those aren't as many as its
    /// threads.
    pub tile: Option<[usize; 2]>,
}

impl Bounds {
    /// The demands of a kernel of threads that tells `rank` dimensions apart, has 32-bit indices and declares
    /// nothing.
    ///
    /// ```
    /// assert_eq!(gridwright_core::Bounds::of_rank(2).block, None);
    /// ```
    pub const fn of_rank(rank: u32) -> Self {
        Self {
            rank,
            index: IndexWidth::Bits32,
            block: None,
            most_threads: None,
            whole_groups: false,
            tile: None,
        }
    }
}
