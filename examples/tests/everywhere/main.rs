//! Each feature once, small, on the device that `GRIDWRIGHT_DEVICE` names: the same source on the CPU, NVIDIA and AMD.
//!
//! `cargo xtask support` runs it on each device that can be had and writes the table of what works where into the book. Where a
//! device can't do something, it has to say so with an error of its own.
//!
//! This target is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

#![allow(clippy::expect_used)] // also in helpers

#[cfg(not(gridwright_device))]
mod feature;
mod groups;
mod launches;
mod library;
mod threads;
