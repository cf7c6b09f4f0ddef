//! The CUDA backend on the driver that is there, GPU or not: whatever `libcuda.so.1` the loader finds.
//!
//! Without a driver or a device the tests return early and say so; with `GRIDWRIGHT_REQUIRE_CUDA=1` they fail.
//!
//! What is tested of every driver is in `tests/driver`.
//!
//! This target is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

#![allow(clippy::expect_used, reason = "also in what the tests share")]

#[path = "../driver/kernels.rs"]
mod kernels;

#[cfg(not(gridwright_device))]
#[path = "../driver/allocations.rs"]
mod allocations;
#[cfg(not(gridwright_device))]
mod attributes;
#[cfg(not(gridwright_device))]
#[path = "../driver/copies.rs"]
mod copies;
#[cfg(not(gridwright_device))]
mod devices;
#[cfg(not(gridwright_device))]
#[path = "../driver/drops.rs"]
mod drops;
#[cfg(not(gridwright_device))]
mod failures;
#[cfg(not(gridwright_device))]
mod foreign;
#[cfg(not(gridwright_device))]
#[path = "../driver/graphs.rs"]
mod graphs;
#[cfg(not(gridwright_device))]
mod interop;
#[cfg(not(gridwright_device))]
mod loads;
#[cfg(not(gridwright_device))]
#[path = "../driver/occupancy.rs"]
mod occupancy;
#[cfg(not(gridwright_device))]
mod peers;
#[cfg(not(gridwright_device))]
mod profile;
#[cfg(not(gridwright_device))]
#[path = "../driver/random.rs"]
mod random;
#[cfg(not(gridwright_device))]
#[path = "../driver/setting.rs"]
mod setting;
#[cfg(not(gridwright_device))]
#[path = "../driver/streams.rs"]
mod streams;
#[cfg(not(gridwright_device))]
#[path = "../driver/stress.rs"]
mod stress;
#[cfg(not(gridwright_device))]
#[path = "../driver/threads.rs"]
mod threads;
#[cfg(not(gridwright_device))]
mod unified;

/// The variable under which a missing device is a failure.
#[cfg(not(gridwright_device))]
const REQUIRED: &str = "GRIDWRIGHT_REQUIRE_CUDA";

/// The device that these tests are of.
#[cfg(not(gridwright_device))]
fn open(index: usize) -> setting::Result<gridwright::Device> {
    gridwright::Device::cuda(index)
}
