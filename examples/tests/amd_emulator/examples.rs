//! The tests, one an example: its inputs, what the CPU makes of them, and the same in the emulator's memory.

mod block_sum;
mod histogram;
mod matrix_mul;
mod reduction;
mod scan;
mod sobel;
mod transpose;
mod vector_add;
mod warps;

use gridwright::prelude::*;

/// A device to compare with.
pub(crate) fn cpu() -> Result<(Device, Stream), gridwright::Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    Ok((device, stream))
}
