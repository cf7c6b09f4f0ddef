//! Instances of another crate's kernels, on the device that `GRIDWRIGHT_DEVICE` names, by default the CPU.
//!
//! This target is compiled for GPUs too, for its own instance; what isn't that is left out there.

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
