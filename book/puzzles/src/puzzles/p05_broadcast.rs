//! Puzzle 5: a column and a row make a matrix.
//!
//! Each element of `y` is the sum of the element of `a` for its row and that of `b` for its column.

use gridwright::prelude::*;
#[host_only]
use gridwright_puzzles::Unsolved;

#[gpu_kernel(requires = a.len() == y.rows() && b.len() == y.cols())]
fn broadcast(t: Thread, a: &[u32], b: &[u32], mut y: PerThread<Matrix<u32>>) {
    // Your code here.
}

/// Checks the kernel.
#[host_only]
pub(crate) fn check(device: &Device) -> Result<(), Unsolved> {
    gridwright_puzzles::broadcast(device, |stream, config, a, b, y| {
        broadcast::load(device)?.launch(stream, config, (a, b, y)).map(|_| ())
    })
}
