/// How a stream's work comes before or behind that of other streams of the device, where both wait: what
/// [`Device::stream_with_priority`](crate::Device::stream_with_priority) takes.
///
/// Zero is what streams have that nobody gave one; greater comes first. It says whose workgroups are started next when room
/// becomes free: no running workgroup is stopped for it, and the order of a stream's own work stays. It changes nothing of
/// what kernels compute. A device takes the nearest of those that it has, which [`Device::priorities`](crate::Device::priorities) tells: NVIDIA GPUs have some
/// above zero and none below. The CPU, which does everything at once, has zero only.
///
/// ```
/// use gridwright::Priority;
///
/// assert!(Priority::LOWEST < Priority::NORMAL && Priority::NORMAL < Priority::level(2));
/// assert!(Priority::level(2) < Priority::HIGHEST);
/// ```
///
/// # From CUDA
/// The priority of `cudaStreamCreateWithPriority`, with its sign changed: in CUDA lower numbers come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(i32);

impl Priority {
    /// The priority of [`Device::stream`](crate::Device::stream).
    ///
    /// ```
    /// assert_eq!(gridwright::Priority::default(), gridwright::Priority::NORMAL);
    /// ```
    ///
    /// # From CUDA
    /// The priority zero, which `cudaStreamCreate` gives.
    pub const NORMAL: Self = Self(0);

    /// The highest priority that the device has.
    ///
    /// ```
    /// # use gridwright::{Device, Priority};
    /// let urgent = Device::from_env()?.stream_with_priority(Priority::HIGHEST)?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `greatestPriority` of `cudaDeviceGetStreamPriorityRange`.
    pub const HIGHEST: Self = Self(i32::MAX);

    /// The lowest priority that the device has.
    ///
    /// ```
    /// # use gridwright::{Device, Priority};
    /// let background = Device::from_env()?.stream_with_priority(Priority::LOWEST)?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `leastPriority` of `cudaDeviceGetStreamPriorityRange`.
    pub const LOWEST: Self = Self(i32::MIN);

    /// The priority that is so many steps above [`NORMAL`](Self::NORMAL), or below it.
    ///
    /// ```
    /// assert_eq!(gridwright::Priority::level(0), gridwright::Priority::NORMAL);
    /// ```
    ///
    /// # From CUDA
    /// The priority `-steps` of `cudaStreamCreateWithPriority`.
    pub const fn level(steps: i32) -> Self {
        Self(steps)
    }

    /// The steps above [`NORMAL`](Self::NORMAL).
    ///
    /// ```
    /// assert_eq!(gridwright::Priority::level(-1).steps(), -1);
    /// ```
    pub const fn steps(self) -> i32 {
        self.0
    }
}

/// The priorities of a device's streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Priorities {
    pub(crate) lowest: Priority,
    pub(crate) highest: Priority,
}

impl Priorities {
    /// The priorities of a device that has only the one.
    pub(crate) const NONE: Self = Self { lowest: Priority::NORMAL, highest: Priority::NORMAL };

    /// The priorities between two. `NORMAL` is one of them, whatever is said.
    #[cfg_attr(
        not(any(feature = "cuda", feature = "hip")),
        allow(dead_code, reason = "only drivers of GPUs have some")
    )]
    pub(crate) fn new(lowest: Priority, highest: Priority) -> Self {
        Self { lowest: lowest.min(Priority::NORMAL), highest: highest.max(Priority::NORMAL) }
    }

    pub(crate) fn nearest(self, priority: Priority) -> Priority {
        priority.clamp(self.lowest, self.highest)
    }
}

#[cfg(test)]
mod tests {
    use super::{Priorities, Priority};

    #[test]
    fn the_nearest_priority_is_taken() {
        let of = |lowest, highest| Priorities::new(Priority::level(lowest), Priority::level(highest));
        assert_eq!(of(0, 5).nearest(Priority::HIGHEST), Priority::level(5));
        assert_eq!(of(0, 5).nearest(Priority::level(3)), Priority::level(3));
        assert_eq!(of(0, 5).nearest(Priority::LOWEST), Priority::NORMAL);
        assert_eq!(of(-1, 1).nearest(Priority::LOWEST), Priority::level(-1));
        assert_eq!(Priorities::NONE.nearest(Priority::HIGHEST), Priority::NORMAL);
        // A driver that says otherwise leaves `NORMAL`, which streams have that nobody gave one.
        assert_eq!(of(3, -3), Priorities::NONE);
        assert_eq!(of(2, 5).nearest(Priority::LOWEST), Priority::NORMAL);
    }
}
