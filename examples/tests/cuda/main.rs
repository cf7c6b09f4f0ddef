//! The CUDA backend on the driver that is there, GPU or not: whatever `libcuda.so.1` the loader finds.
//!
//! Without a driver or a device the tests return early and say so; with `GRIDWRIGHT_REQUIRE_CUDA=1` they fail.
//!
//! This target is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

#![allow(clippy::expect_used, reason = "also in what the tests share")]

mod kernels;

#[cfg(not(gridwright_device))]
mod allocations;
#[cfg(not(gridwright_device))]
mod attributes;
#[cfg(not(gridwright_device))]
mod copies;
#[cfg(not(gridwright_device))]
mod devices;
#[cfg(not(gridwright_device))]
mod drops;
#[cfg(not(gridwright_device))]
mod failures;
#[cfg(not(gridwright_device))]
mod foreign;
#[cfg(not(gridwright_device))]
mod graphs;
#[cfg(not(gridwright_device))]
mod interop;
#[cfg(not(gridwright_device))]
mod occupancy;
#[cfg(not(gridwright_device))]
mod peers;
#[cfg(not(gridwright_device))]
mod profile;
#[cfg(not(gridwright_device))]
mod random;
#[cfg(not(gridwright_device))]
mod setting;
#[cfg(not(gridwright_device))]
mod streams;
#[cfg(not(gridwright_device))]
mod stress;
#[cfg(not(gridwright_device))]
mod threads;
#[cfg(not(gridwright_device))]
mod unified;
