//! Puzzle 9: a scan.
//!
//! Each element of `y` is the sum of the group's elements of `x` up to its own. `g.scan_inclusive` gives each thread that of a value for
//! each; a phase writes it.

use gridwright::prelude::*;
#[host_only]
use gridwright_puzzles::Unsolved;

#[gpu_kernel(requires = x.len() == y.len())]
fn prefix_sum(g: &Group, x: &[u32], mut y: PerThread<[u32]>) {
    // Your code here.
}

/// Checks the kernel.
#[host_only]
pub(crate) fn check(device: &Device) -> Result<(), Unsolved> {
    gridwright_puzzles::prefix_sum(device, |stream, config, x, y| {
        prefix_sum::load(device)?.launch(stream, config, (x, y)).map(|_| ())
    })
}
