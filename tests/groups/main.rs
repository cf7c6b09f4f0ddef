//! Group kernels on the CPU, against naive loops.

#![allow(clippy::expect_used, clippy::unwrap_used)] // also in helpers

mod atomics;
mod collectives;
mod generic;
mod instruction_sets;
mod kernels;
mod memory;
mod not_numbers;
mod owners;
mod panics;
mod phases;
mod reads;
mod repeating;
mod views;
mod warps;

use gridwright::prelude::*;

pub(crate) type Result<T = ()> = std::result::Result<T, gridwright::Error>;

/// Sizes of groups: on and beside those of warps and vectors, and the largest.
pub(crate) const BLOCKS: [usize; 10] = [1, 7, 31, 32, 33, 64, 100, 256, 1000, 1024];

pub(crate) fn cpu() -> Result<(Device, Stream)> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    Ok((device, stream))
}

/// Numbers without an order, of which none is zero.
pub(crate) fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) % 1009 + 1).collect()
}

/// The element, or zero beyond the end.
pub(crate) fn at(x: &[u32], index: usize) -> u32 {
    x.get(index).copied().unwrap_or(0)
}

/// Launches a kernel over groups of each size, and lengths that fill them or not. `naive` gets the elements of one group,
/// with zeros beyond the end, and gives what its threads write.
pub(crate) fn check<T: KernelArg + PartialEq + std::fmt::Debug>(
    launch: impl Fn(&Stream, &Device, LaunchConfig, usize, (&Buffer<u32>, &mut Buffer<T>)) -> Result,
    naive: impl Fn(&[u32]) -> Vec<T>,
) -> Result {
    check_blocks(&BLOCKS, launch, naive)
}

/// The same, over some sizes only.
pub(crate) fn check_blocks<T: KernelArg + PartialEq + std::fmt::Debug>(
    blocks: &[usize],
    launch: impl Fn(&Stream, &Device, LaunchConfig, usize, (&Buffer<u32>, &mut Buffer<T>)) -> Result,
    naive: impl Fn(&[u32]) -> Vec<T>,
) -> Result {
    let (device, stream) = cpu()?;
    for &block in blocks {
        for n in [1, block - block / 3, block, block + 1, 3 * block + block / 2] {
            let mut host = numbers(n);
            let (x, mut y) = (stream.upload(&host)?, stream.alloc_zeroed(n)?);
            launch(&stream, &device, LaunchConfig::threads(n).block(block), block, (&x, &mut y))?;
            let y = stream.download(&y)?;
            host.resize(n.next_multiple_of(block), 0);
            let expected: Vec<T> = host.chunks(block).flat_map(&naive).take(n).collect();
            let wrong = (0..n).find(|&i| y[i] != expected[i]);
            assert_eq!(
                wrong.map(|i| (i, y[i], expected[i])),
                None,
                "(thread, result, expected) of {n} by {block}"
            );
        }
    }
    Ok(())
}
