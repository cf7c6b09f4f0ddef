use core::fmt;

/// Why a launch's workgroup memory is refused.
///
/// ```
/// use gridwright_core::{LaunchConfig, Limits, PartitionLayout, WorkgroupError};
///
/// const PARTITIONS: &[PartitionLayout] = &[PartitionLayout::of::<f32>("scratch")];
///
/// let config = LaunchConfig::threads(1000).workgroup::<f32>(0);
/// let error = config.workgroup_memory::<((), f32)>(PARTITIONS, 0, 256, &Limits::PORTABLE);
/// assert_eq!(error, Err(WorkgroupError::Zero { partition: "scratch" }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorkgroupError {
    /// A partition has no elements.
    Zero {
        /// The parameter.
        partition: &'static str,
    },
    /// The bytes of `dyn_workgroup_bytes` aren't a whole number of elements.
    Uneven {
        /// The parameter.
        partition: &'static str,
        /// The bytes given.
        bytes: usize,
        /// The bytes of an element.
        element: usize,
    },
    /// The bytes of a partition don't fit a `usize`.
    Overflow {
        /// The parameter.
        partition: &'static str,
        /// The elements asked for.
        elements: u128,
        /// The bytes of an element.
        element: usize,
    },
    /// All pieces together are more than a group may have on the device.
    OverLimit {
        /// The bytes asked for, with what rounds each piece up to 16.
        bytes: u128,
        /// The bytes of these that no launch can change: the kernel's arrays, and what collectives use.
        fixed: usize,
        /// The most that is allowed.
        limit: usize,
    },
}

impl fmt::Display for WorkgroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero { partition } => {
                write!(f, "zero elements of workgroup memory for `{partition}`: give it at least one")
            }
            Self::Uneven { partition, bytes, element } => write!(
                f,
                "{bytes} bytes of workgroup memory for `{partition}` aren't a multiple of {element}, the bytes of its \
                 elements"
            ),
            Self::Overflow { partition, elements, element } => write!(
                f,
                "{elements} elements of {element} bytes of workgroup memory for `{partition}` are more bytes than a \
                 usize counts"
            ),
            Self::OverLimit { bytes, fixed, limit } => write!(
                f,
                "{bytes} bytes of workgroup memory a group, of which {fixed} are for the kernel's arrays of fixed size \
                 and for collectives, but the limit of the device is {limit}; {}",
                if *bytes == *fixed as u128 {
                    "give the kernel smaller arrays"
                } else {
                    "ask for fewer elements"
                }
            ),
        }
    }
}

impl core::error::Error for WorkgroupError {}
