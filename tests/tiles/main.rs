//! Tiles of a matrix that groups own, larger than their blocks, on the CPU.

#![allow(clippy::expect_used, clippy::unwrap_used)] // also in helpers

#[path = "../groups/instruction_sets.rs"]
mod instruction_sets;
mod matmul;
mod patches;

use gridwright::prelude::*;

pub(crate) type Result<T = ()> = std::result::Result<T, gridwright::Error>;

pub(crate) fn cpu() -> Result<(Device, Stream)> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    Ok((device, stream))
}
