//! Puzzle 4: matrices.
//!
//! A launch over a matrix has a thread for each element; `t.row()` and `t.col()` say which. Each element of `y` is that of `x` with row and
//! column exchanged: `x.row(row)[col]` reads one.

use gridwright::prelude::*;
#[host_only]
use gridwright_puzzles::Unsolved;

#[gpu_kernel(requires = x.rows() == y.cols() && x.cols() == y.rows())]
fn transpose(t: Thread, x: &Matrix<u32>, mut y: PerThread<Matrix<u32>>) {
    // Your code here.
}

/// Checks the kernel.
#[host_only]
pub(crate) fn check(device: &Device) -> Result<(), Unsolved> {
    gridwright_puzzles::transpose(device, |stream, config, x, y| {
        transpose::load(device)?.launch(stream, config, (x, y)).map(|_| ())
    })
}
