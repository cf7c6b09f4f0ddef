//! Group kernels, against naive loops.

mod atomics;
mod collectives;
mod counters;
mod float_atomics;
mod generic;
mod kernels;
mod large_values;
mod margins;
mod memory;
mod not_numbers;
mod owners;
mod panics;
mod parts;
mod phases;
mod placed;
mod reads;
mod repeating;
mod rows;
mod shortcuts;
mod views;
mod warp_rows;
mod warps;

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, numbers, open, sizes};

/// Sizes of groups: on and beside those of warps and vectors, and the largest.
#[host_only]
fn blocks(device: &Device) -> &'static [usize] {
    sizes(device, &[1, 7, 31, 32, 33, 64, 100, 256, 1000, 1024], &[1, 33, 64, 200])
}

/// The element, or zero beyond the end.
fn at(x: &[u32], index: usize) -> u32 {
    x.get(index).copied().unwrap_or(0)
}

/// Launches a kernel over groups of each size, and lengths that fill them or not. `naive` gets the elements of one group,
/// with zeros beyond the end, and gives what its threads write.
#[host_only]
fn check<T: KernelArg + PartialEq + std::fmt::Debug>(
    launch: impl Fn(&Stream, &Device, LaunchConfig, usize, (&Buffer<u32>, &mut Buffer<T>)) -> Result,
    naive: impl Fn(&[u32]) -> Vec<T>,
) -> Result {
    check_blocks(blocks(&crate::setting::device()?), launch, naive)
}

/// Launches a kernel over groups of some sizes only, and lengths that fill them or not: see `check`.
#[host_only]
fn check_blocks<T: KernelArg + PartialEq + std::fmt::Debug>(
    blocks: &[usize],
    launch: impl Fn(&Stream, &Device, LaunchConfig, usize, (&Buffer<u32>, &mut Buffer<T>)) -> Result,
    naive: impl Fn(&[u32]) -> Vec<T>,
) -> Result {
    let (device, stream) = open()?;
    for &block in blocks {
        let lengths = [1, block - block / 3, block, block + 1, 3 * block + block / 2];
        for &n in sizes(&device, &lengths, &lengths[3..]) {
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
