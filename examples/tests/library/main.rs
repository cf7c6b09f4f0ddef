//! What kernels call, on the device that `GRIDWRIGHT_DEVICE` names, by default the CPU: the same source and the same results everywhere.
//!
//! This target is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

#![allow(clippy::expect_used)] // also in helpers

mod alloc;
mod array_loops;
mod async_copies;
mod bulk_copies;
mod cache_hints;
mod clusters;
mod constants;
mod elements_from;
mod ended_lanes;
mod grids;
mod halves;
mod hints;
mod instructions;
mod integers;
mod lanes;
mod levels;
mod matrices;
mod new_elements;
mod owners;
mod paths;
#[cfg(not(gridwright_device))]
mod ptx;
mod random;
mod rewritten;
mod textures;
mod tiles;
mod time;
mod vectors;
mod warp_views;

#[cfg(not(gridwright_device))]
use gridwright::{Device, Error};

/// The device to test.
#[cfg(not(gridwright_device))]
pub(crate) fn device() -> Result<Device, Error> {
    match std::env::var_os("GRIDWRIGHT_DEVICE") {
        None => Device::cpu(),
        Some(_) => Device::from_env(),
    }
}
