//! How exact the functions of `gridwright::math` are, on the device that `GRIDWRIGHT_DEVICE` names: each function's kernel, its results
//! beside exact ones, and the errors held against what is promised.
//!
//! `cargo xtask math` runs it on each device that can be had and writes the table into the book.
//!
//! This target is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

#![cfg(any(gridwright_device, all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")))] // 128-bit floats
#![allow(clippy::expect_used)] // also in helpers

mod double;
mod fast;
#[cfg(not(gridwright_device))]
mod inputs;
mod kernels;
#[cfg(not(gridwright_device))]
mod measure;
#[cfg(not(gridwright_device))]
mod quad;
#[cfg(not(gridwright_device))]
mod reference;
mod single;
#[cfg(not(gridwright_device))]
mod ulp;
