use gridwright_core::LaunchSizes;

use crate::submission::{Code, Launch, Loaded, LoadedKernel, StreamId};
use crate::{Attributes, Error, Occupancy};

/// Kernels that are made ready, and what the device says of them.
pub(crate) trait Kernels {
    /// Makes a kernel ready. Other methods are given kernels that this one made.
    fn load(&self, code: &'static Code) -> Result<Loaded, Error>;

    /// What a kernel takes of the device.
    fn attributes(&self, kernel: &dyn LoadedKernel) -> Result<Attributes, Error>;

    /// How many workgroups of so many threads and bytes of workgroup memory run at the same time.
    fn occupancy(&self, kernel: &dyn LoadedKernel, threads: usize, bytes: usize) -> Result<Occupancy, Error>;

    /// The most workgroups of a cluster with which a launch of these sizes can be given, not more than 16. The device has
    /// clusters.
    fn most_groups_in_cluster(&self, _: &dyn LoadedKernel, _: &LaunchSizes) -> Result<usize, Error> {
        Ok(1)
    }
}

/// Launches of kernels, which come one after another in a stream.
pub(crate) trait Launches {
    /// Runs a kernel.
    ///
    /// # Safety
    /// As the functions of [`gridwright_device::arch::Cpu`] ask, for all threads of the geometry; `launch.kernel` is
    /// one that this backend loaded; `launch.accesses` has all memory that the arguments point at.
    unsafe fn launch(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error>;
}
