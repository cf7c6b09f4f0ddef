//! Code that each warp of a group runs on its own, on the CPU, against naive loops. A warp is 32 neighbours there.

#![allow(clippy::expect_used, clippy::unwrap_used)] // also in helpers

mod collectives;
#[path = "../groups/instruction_sets.rs"]
mod instruction_sets;
mod items;
mod memory;
mod panics;
mod threads;

use gridwright::prelude::*;

pub(crate) type Result<T = ()> = std::result::Result<T, gridwright::Error>;

/// Sizes of groups: on and beside those of warps, and the largest.
pub(crate) const BLOCKS: [usize; 10] = [1, 2, 31, 32, 33, 64, 100, 256, 1000, 1024];
pub(crate) const WARP: usize = 32;

pub(crate) fn cpu() -> Result<(Device, Stream)> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    Ok((device, stream))
}

/// Numbers without an order, of which none is zero.
pub(crate) fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) % 1009 + 1).collect()
}

/// Launches a kernel over two groups of each size. `naive` gets the number and the elements of a warp, and gives what its
/// threads write.
pub(crate) fn check<T: KernelArg + PartialEq + std::fmt::Debug>(
    launch: impl Fn(&Stream, &Device, LaunchConfig, usize, (&Buffer<u32>, &mut Buffer<T>)) -> Result,
    naive: impl Fn(usize, &[u32]) -> Vec<T>,
) -> Result {
    check_blocks(&BLOCKS, launch, naive)
}

/// The same, over some sizes only.
pub(crate) fn check_blocks<T: KernelArg + PartialEq + std::fmt::Debug>(
    blocks: &[usize],
    launch: impl Fn(&Stream, &Device, LaunchConfig, usize, (&Buffer<u32>, &mut Buffer<T>)) -> Result,
    naive: impl Fn(usize, &[u32]) -> Vec<T>,
) -> Result {
    let (device, stream) = cpu()?;
    for &block in blocks {
        let host = numbers(2 * block);
        let (x, mut y) = (stream.upload(&host)?, stream.alloc_zeroed(2 * block)?);
        launch(&stream, &device, LaunchConfig::grid(2, block), block, (&x, &mut y))?;
        let expected: Vec<T> = host
            .chunks(block)
            .flat_map(|group| {
                group.chunks(WARP).enumerate().flat_map(|(w, warp)| naive(w, warp)).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(stream.download(&y)?, expected, "groups of {block}");
    }
    Ok(())
}
