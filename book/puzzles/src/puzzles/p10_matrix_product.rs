//! Puzzle 10: a product of matrices by tiles.
//!
//! Each group makes a tile of `c`. It walks along a row of tiles of `a` and down a column of tiles of `b`: a phase brings one of each into
//! workgroup memory, by `a.get_or(row, col, 0)`, the next multiplies them. A `Private` value of each thread keeps the sum.

use gridwright::prelude::*;
#[host_only]
use gridwright_puzzles::Unsolved;

const T: usize = 8;

#[gpu_kernel(block = (T, T), requires = a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols())]
fn matrix_product(
    g: &Group,
    a: &Matrix<u32>,
    b: &Matrix<u32>,
    mut c: PerThread<Matrix<u32>>,
    mut tile_a: Workgroup<[[u32; T]; T]>,
    mut tile_b: Workgroup<[[u32; T]; T]>,
) {
    let mut sum = g.private(0_u32);
    for k in (0..a.cols()).step_by(T) {
        // Your code here.
    }
    // And here.
}

/// Checks the kernel.
#[host_only]
pub(crate) fn check(device: &Device) -> Result<(), Unsolved> {
    gridwright_puzzles::matrix_product(device, |stream, config, a, b, c| {
        matrix_product::load(device)?.launch(stream, config, (a, b, c)).map(|_| ())
    })
}
