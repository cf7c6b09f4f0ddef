//! Puzzle 2: two inputs.
//!
//! Each element of `y` is the product of those of `a` and `b` at the same place.

use gridwright::prelude::*;
#[host_only]
use gridwright_puzzles::Unsolved;

#[gpu_kernel(requires = a.len() == y.len() && b.len() == y.len())]
fn zip(t: Thread, a: &[u32], b: &[u32], mut y: PerThread<[u32]>) {
    // Your code here.
}

/// Checks the kernel.
#[host_only]
pub(crate) fn check(device: &Device) -> Result<(), Unsolved> {
    gridwright_puzzles::zip(device, |stream, config, a, b, y| {
        zip::load(device)?.launch(stream, config, (a, b, y)).map(|_| ())
    })
}
