use std::fmt;

/// What a row of a [`Profile`](crate::Profile) is about.
///
/// ```
/// use gridwright::profile::Activity;
///
/// assert!(Activity::Kernel.is_on_device() && !Activity::Wait.is_on_device());
/// assert_eq!(Activity::CopyToHost.to_string(), "copy to host");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Activity {
    /// Launches of a kernel.
    Kernel,
    /// Replays of a graph: all of its operations together.
    Graph,
    /// Copies from the host to the device.
    CopyToDevice,
    /// Copies from the device to the host.
    CopyToHost,
    /// Copies from memory of the device to memory of the device.
    CopyOnDevice,
    /// Copies between the device and another one, which didn't go through the host.
    CopyBetweenDevices,
    /// Memory that was set to a value, new memory of zeros included.
    Fill,
    /// Functions of the program that ran in a stream's order.
    HostFunction,
    /// Calls in which the host waited for the device.
    Wait,
    /// What the program marked by [`Profiler::range`](crate::Profiler::range).
    Range,
}

impl Activity {
    /// Whether the activity is a stream's work, and not the host's own time.
    ///
    /// ```
    /// assert!(!gridwright::profile::Activity::Range.is_on_device());
    /// ```
    pub fn is_on_device(self) -> bool {
        !matches!(self, Self::Wait | Self::Range)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Graph => "graph",
            Self::CopyToDevice => "copy to device",
            Self::CopyToHost => "copy to host",
            Self::CopyOnDevice => "copy on device",
            Self::CopyBetweenDevices => "copy between devices",
            Self::Fill => "fill",
            Self::HostFunction => "host function",
            Self::Wait => "wait",
            Self::Range => "range",
        }
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
