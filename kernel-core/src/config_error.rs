use core::fmt;

use crate::Dim;

/// Why a [`LaunchConfig`](crate::LaunchConfig) can't be launched.
///
/// Sizes are `u128`, in which no product of the sizes that a caller can write overflows.
///
/// ```
/// use gridwright_core::{Bounds, ConfigError, LaunchConfig, Limits};
///
/// let error = LaunchConfig::threads(0).resolve(&Bounds::of_rank(1), &Limits::PORTABLE);
/// assert_eq!(error, Err(ConfigError::Zero { what: "threads" }));
/// ```
///
/// # From CUDA
/// `cudaErrorInvalidConfiguration`, with the size and its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// A size is zero, so that there is nothing to launch.
    Zero {
        /// The size's name, in words.
        what: &'static str,
    },
    /// A size is beyond what the device or the kernel allows.
    OverLimit {
        /// The size's name, in words.
        what: &'static str,
        /// The size that was asked for.
        value: u128,
        /// The most that is allowed.
        limit: u128,
        /// What to do about the size.
        remedy: &'static str,
    },
    /// The launch has more dimensions than the kernel's parameters have, so that two threads would
    /// own one element.
    Rank {
        /// The dimensions of the launch.
        launch: u32,
        /// The dimensions that the kernel's parameters tell apart.
        kernel: u32,
    },
    /// The launch has another block than the one that the kernel declares with `#[gpu_kernel(block = …)]`.
    Block {
        /// The block of the launch.
        given: Dim,
        /// The block that the kernel declares.
        declared: Dim,
    },
    /// A cooperative launch of more workgroups than run at the same time.
    ///
    /// # From CUDA
    /// `cudaErrorCooperativeLaunchTooLarge`.
    Cooperative {
        /// The workgroups.
        groups: u128,
        /// How many of them the device runs at the same time; zero if it has no cooperative launches.
        most: u128,
    },
    /// Workgroups that don't make whole clusters along each axis.
    Cluster {
        /// The workgroups of a cluster.
        cluster: Dim,
        /// The workgroups of the launch.
        groups: Dim,
    },
    /// A programmatic dependent launch of a kernel that is no `unsafe fn`: it doesn't wait for the kernel before it, whose
    /// memory it would race on.
    ProgrammaticDependent,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero { what } => write!(
                f,
                "zero {what}: there is nothing to launch; leave the launch out where there may be none, as in `if n > 0 {{ … }}`"
            ),
            Self::OverLimit { what, value, limit, remedy } => {
                write!(f, "{value} {what}, but the limit is {limit}; {remedy}")
            }
            Self::Rank { launch, kernel } => write!(
                f,
                "a {launch}-dimensional launch of a kernel whose parameters are {kernel}-dimensional: several \
                 threads would own one element; launch it with `LaunchConfig::threads(n)`{}",
                if *kernel > 1 { " or `LaunchConfig::for_matrix(rows, cols)`" } else { "" }
            ),
            Self::Block { given, declared } => write!(
                f,
                "a block of {given}, but the kernel declares `block = {declared}`: give it that block, or none with \
                 `LaunchConfig::threads`, `for_matrix` or `for_volume`"
            ),
            Self::Cooperative { most: 0, .. } => write!(f, "the device has no cooperative launches"),
            Self::Cooperative { groups, most } => write!(
                f,
                "a cooperative launch of {groups} workgroups, but the device runs at most {most} such workgroups at the \
                 same time; launch fewer or smaller ones"
            ),
            Self::Cluster { cluster, groups } => write!(
                f,
                "clusters of {cluster} workgroups, but {groups} workgroups aren't whole clusters along each axis; launch a multiple \
                 with `LaunchConfig::grid`, or set the block too"
            ),
            Self::ProgrammaticDependent => write!(
                f,
                "a programmatic dependent launch, but only kernels that are an `unsafe fn` can wait for the one before; \
                 launch it without"
            ),
        }
    }
}

impl core::error::Error for ConfigError {}
