//! Launches in detail: limits, arguments of helper functions, and unsafe kernels.
//!
//! | to | see |
//! |---|---|
//! | know what a device can launch | [`Limits`] |
//! | know what a kernel takes, and how many groups run at a time | [`Attributes`], [`Occupancy`] |
//! | ask a device for more than sizes | [`LaunchAttributes`], [`Carveout`] |
//! | name a config with workgroup memory | [`Sets`], [`Partition`], [`Bytes`]; [`WorkgroupError`] says why it is refused |
//! | write code that is generic over kernels | [`Signature`], [`GenericKernel`], [`Instance`] |
//! | write a helper that launches any kernel | [`Arguments`], [`Pass`]; with the host's own slices, [`OffloadArguments`], [`Offload`] |
//! | do otherwise on the CPU than on GPUs | [`Stream::on_cpu`](crate::Stream::on_cpu), [`Stream::value_on_cpu`](crate::Stream::value_on_cpu), [`CpuArguments`], [`Workers`] |
//! | call a function of the program on a device's elements | [`Stream::on_host`](crate::Stream::on_host), [`CpuArguments`]; for outputs [`Overwritten`], for the order [`InOrder`], for elements of any type [`MemoryBytes`] and [`MemoryBytesMut`] |
//! | give a driver's stream and addresses to another library | [`Stream::with_driver`](crate::Stream::with_driver), [`DriverStream`], [`DriverArguments`] |
//! | launch an `unsafe fn` | [`UnsafeKernel`] |
//!
//! [`LaunchConfig`](crate::LaunchConfig) and [`Kernel`](crate::Kernel) are in the root.
//!
//! ```
//! use gridwright::prelude::*;
//!
//! # fn main() -> Result<(), gridwright::Error> {
//! let device = Device::cpu()?;
//! assert!(device.limits().threads_per_group >= 256);
//! # Ok(())
//! # }
//! ```

pub use gridwright_core::{Bytes, Carveout, LaunchAttributes, Limits, Partition, Sets, WorkgroupError};
pub use gridwright_core::{GenericKernel, Instance, Signature};
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub use gridwright_host::{
    Arguments, Attributes, CpuArguments, DriverArguments, DriverStream, InOrder, MemoryBytes, MemoryBytesMut,
    Occupancy, Offload, OffloadArguments, Overwritten, Pass, UnsafeKernel, Workers,
};
