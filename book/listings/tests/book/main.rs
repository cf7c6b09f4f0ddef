//! The listings of the book, a module a chapter. Each runs as a test, and so do the exercises' solutions.

#![allow(clippy::expect_used, clippy::unwrap_used)] // also in the tests' helpers

mod atomics;
mod clusters;
mod cuda;
mod data;
mod errors;
mod first_kernel;
mod graphs;
mod groups;
mod indices;
mod launch_sized;
mod measuring;
mod memory;
mod numbers;
mod reductions;
mod several_devices;
mod simd;
mod streams;
mod textures;
mod tuning;

use gridwright::host_only;
#[host_only]
use gridwright::{Device, Error};

/// The device of `GRIDWRIGHT_DEVICE`, else the CPU: that a machine has a GPU, which the listings aren't compiled for, is no reason to fail.
#[host_only]
fn device() -> Result<Device, Error> {
    match std::env::var_os("GRIDWRIGHT_DEVICE") {
        Some(_) => Device::from_env(),
        None => Device::cpu(),
    }
}

/// Whether a message of the book's is what the error says. Names of this machine's devices aren't in it.
#[host_only]
fn says(error: &Error, message: &str) {
    assert_eq!(error.to_string().trim_end(), message.trim_end());
}
