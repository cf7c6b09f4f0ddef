//! Puzzle 1: a thread and its element.
//!
//! Each thread has an element of `y`, which `get_mut` lends it. Write into it the element of `x` at the same place, and ten.

use gridwright::prelude::*;
#[host_only]
use gridwright_puzzles::Unsolved;

#[gpu_kernel(requires = x.len() == y.len())]
fn add_ten(t: Thread, x: &[u32], mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        // Your code here.
    }
}

/// Checks the kernel.
#[host_only]
pub(crate) fn check(device: &Device) -> Result<(), Unsolved> {
    gridwright_puzzles::add_ten(device, |stream, config, x, y| {
        add_ten::load(device)?.launch(stream, config, (x, y)).map(|_| ())
    })
}
