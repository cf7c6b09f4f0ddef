//! Puzzle 6: a group works together.
//!
//! `g.map` makes a value for each thread of the group, and `g.reduce` one of all. Write the sum of the group's elements to the group's
//! element of `y`, by `y.set(g, …)`. The last group has fewer elements than threads.

use gridwright::prelude::*;
#[host_only]
use gridwright_puzzles::Unsolved;

#[gpu_kernel]
fn sums_of_groups(g: &Group, x: &[u32], mut y: PerGroup<[u32]>) {
    // Your code here.
}

/// Checks the kernel.
#[host_only]
pub(crate) fn check(device: &Device) -> Result<(), Unsolved> {
    gridwright_puzzles::sums_of_groups(device, |stream, config, x, y| {
        sums_of_groups::load(device)?.launch(stream, config, (x, y)).map(|_| ())
    })
}
