//! Instances of another crate's kernels, on the device that `GRIDWRIGHT_DEVICE` names, by default the CPU.
//!
//! This target is compiled for GPUs too, for its own instances; what isn't theirs is left out there.

#![allow(clippy::expect_used)] // also in helpers

mod by_hand;
#[cfg(not(gridwright_device))]
mod code;
#[cfg(not(gridwright_device))]
mod launches;

use gridwright::prelude::*;
use gridwright_kernel_library::elements;

instance! {
    /// In a test of its own.
    kernel double = elements::map<u16, u32, Double>;
}

operator! {
    struct Double = |x: u16| -> u32 { 2 * x as u32 };
}
