//! Solution of puzzle 4: matrices.

use gridwright::prelude::*;

#[gpu_kernel(requires = x.rows() == y.cols() && x.cols() == y.rows())]
fn transpose(t: Thread, x: &Matrix<u32>, mut y: PerThread<Matrix<u32>>) {
    if let Some(y) = y.get_mut(t) {
        *y = x.row(t.col())[t.row()];
    }
}

#[cfg(not(gridwright_device))]
#[test]
fn it_is_solved() {
    crate::solved(|device| {
        gridwright_puzzles::transpose(device, |stream, config, x, y| {
            transpose::load(device)?.launch(stream, config, (x, y)).map(|_| ())
        })
    });
}
