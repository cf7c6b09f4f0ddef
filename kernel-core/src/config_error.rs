use core::fmt;

/// Why a [`LaunchConfig`](crate::LaunchConfig) can't be launched.
///
/// Sizes are `u128`, in which no product of the sizes that a caller can write overflows.
///
/// ```
/// use gridwright_core::{ConfigError, IndexWidth, LaunchConfig, Limits};
///
/// let error = LaunchConfig::threads(0).resolve(1, IndexWidth::Bits32, &Limits::PORTABLE);
/// assert_eq!(error, Err(ConfigError::Zero { what: "threads" }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// A size is zero, so that there is nothing to launch.
    Zero {
        /// Which size, in words.
        what: &'static str,
    },
    /// A size is beyond what the device or the kernel allows.
    OverLimit {
        /// Which size, in words.
        what: &'static str,
        /// What was asked for.
        value: u128,
        /// The most that is allowed.
        limit: u128,
        /// What to do about it.
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
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero { what } => write!(f, "zero {what}: there is nothing to launch"),
            Self::OverLimit { what, value, limit, remedy } => {
                write!(f, "{value} {what}, but the limit is {limit}; {remedy}")
            }
            Self::Rank { launch, kernel } => write!(
                f,
                "a {launch}-dimensional launch of a kernel whose parameters are {kernel}-dimensional: several \
                 threads would own one element; launch it with `LaunchConfig::threads(n)`{}",
                if *kernel > 1 { " or `LaunchConfig::for_matrix(rows, cols)`" } else { "" }
            ),
        }
    }
}

impl core::error::Error for ConfigError {}
