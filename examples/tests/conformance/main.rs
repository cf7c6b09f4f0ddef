//! What a device must do, on the device that `GRIDWRIGHT_DEVICE` names, by default the CPU: kernels against naive loops.
//!
//! Where devices differ, a test says what it expects of which. What is the CPU's alone is in `cpu_only`, with the reason.
//!
//! This target is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

#![allow(clippy::expect_used, clippy::unwrap_used)] // also in helpers

#[cfg(not(gridwright_device))]
mod cpu_only;
mod groups;
#[cfg(not(gridwright_device))]
mod instruction_sets;
mod launch;
mod setting;
mod tiles;
mod warps;
