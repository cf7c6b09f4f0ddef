//! Code that each warp of a group runs on its own, against naive loops. A warp is 32 neighbours, or 64 on some GPUs of AMD.

mod collectives;
mod items;
mod memory;
mod panics;
mod threads;

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, numbers, open, sizes, warp_size};

/// Sizes of groups: on and beside those of warps, and the largest.
#[host_only]
fn blocks(device: &Device) -> &'static [usize] {
    sizes(device, &[1, 2, 31, 32, 33, 64, 65, 100, 256, 1000, 1024], &[1, 32, 65, 100])
}

/// Launches a kernel over two groups of each size. `naive` gets the number and the elements of a warp, and gives what its
/// threads write.
#[host_only]
fn check<T: KernelArg + PartialEq + std::fmt::Debug>(
    launch: impl Fn(&Stream, &Device, LaunchConfig, usize, (&Buffer<u32>, &mut Buffer<T>)) -> Result,
    naive: impl Fn(usize, &[u32]) -> Vec<T>,
) -> Result {
    check_blocks(blocks(&crate::setting::device()?), launch, naive)
}

/// Launches a kernel over two groups of each of some sizes only: see `check`.
#[host_only]
fn check_blocks<T: KernelArg + PartialEq + std::fmt::Debug>(
    blocks: &[usize],
    launch: impl Fn(&Stream, &Device, LaunchConfig, usize, (&Buffer<u32>, &mut Buffer<T>)) -> Result,
    naive: impl Fn(usize, &[u32]) -> Vec<T>,
) -> Result {
    let (device, stream) = open()?;
    let lanes = warp_size(&device)?;
    for &block in blocks {
        let host = numbers(2 * block);
        let (x, mut y) = (stream.upload(&host)?, stream.alloc_zeroed(2 * block)?);
        launch(&stream, &device, LaunchConfig::grid(2, block), block, (&x, &mut y))?;
        let expected: Vec<T> = host
            .chunks(block)
            .flat_map(|group| {
                group.chunks(lanes).enumerate().flat_map(|(w, warp)| naive(w, warp)).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(stream.download(&y)?, expected, "groups of {block}");
    }
    Ok(())
}
