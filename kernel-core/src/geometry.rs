/// A launch whose sizes were checked: what [`LaunchConfig::resolve`](crate::LaunchConfig::resolve) gives.
///
/// Axes are in the order x (columns), y (rows), z (planes).
///
/// ```
/// use gridwright_core::{Bounds, LaunchConfig, Limits};
///
/// let config = LaunchConfig::for_matrix(10, 100);
/// let geometry = config.resolve(&Bounds::of_rank(2), &Limits::PORTABLE)?;
/// assert_eq!(geometry.threads, [100, 10, 1]);
/// assert_eq!(geometry.block, [32, 8, 1]);
/// # Ok::<(), gridwright_core::ConfigError>(())
/// ```
///
/// # From CUDA
/// `gridDim` and `blockDim`, with the number of threads that run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The threads that run. Workgroups at the edge may be cut short by it; those of a group kernel are whole.
    pub threads: [usize; 3],
    /// The threads of one workgroup.
    ///
    /// # From CUDA
    /// `blockDim`.
    pub block: [usize; 3],
    /// The workgroups, rounded up.
    ///
    /// # From CUDA
    /// `gridDim`.
    pub groups: [usize; 3],
}

/// The width of a kernel's index arithmetic on a GPU, `#[gpu_kernel(index = …)]`.
///
/// ```
/// assert_eq!(gridwright_core::IndexWidth::Bits32.most_threads(), 1 << 32);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexWidth {
    /// Indices of 32 bits: fewer registers, at most 2³² threads. The default.
    Bits32,
    /// Indices of 64 bits.
    Bits64,
}

impl IndexWidth {
    /// The most threads that a launch may have.
    ///
    /// ```
    /// assert!(gridwright_core::IndexWidth::Bits64.most_threads() > 1 << 33);
    /// ```
    pub const fn most_threads(self) -> u128 {
        match self {
            Self::Bits32 => 1 << 32,
            // Positions are `usize`, and an object is at most `isize::MAX` bytes.
            Self::Bits64 => 1 << 63,
        }
    }
}
