//! Code objects for AMD GPUs, of the examples and of kernels that they have none like, run by an emulator and compared with the CPU, bit for bit.
//!
//! No GPU is needed. The emulator is named by a variable, see [`setting`], and the tests are skipped
//! without it. It always flushes subnormal floats to zero, whatever a code object asks for, so the inputs
//! are chosen such that none occurs.
//!
//! This target is compiled for GPUs too, for its kernels; what isn't theirs is left out there.

#![allow(clippy::expect_used, reason = "also in what the tests share")]

#[cfg(not(gridwright_device))]
mod arguments;
mod collectives;
#[cfg(not(gridwright_device))]
mod emulator;
#[cfg(not(gridwright_device))]
mod examples;
mod floats;
mod lanes;
#[cfg(not(gridwright_device))]
mod memory;
mod pointers;
#[cfg(not(gridwright_device))]
mod server;
#[cfg(not(gridwright_device))]
mod setting;
mod warps;
