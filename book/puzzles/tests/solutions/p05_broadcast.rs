//! Solution of puzzle 5: a column and a row make a matrix.

use gridwright::prelude::*;

#[gpu_kernel(requires = a.len() == y.rows() && b.len() == y.cols())]
fn broadcast(t: Thread, a: &[u32], b: &[u32], mut y: PerThread<Matrix<u32>>) {
    if let Some(y) = y.get_mut(t) {
        *y = a[t.row()] + b[t.col()];
    }
}

#[cfg(not(gridwright_device))]
#[test]
fn it_is_solved() {
    crate::solved(|device| {
        gridwright_puzzles::broadcast(device, |stream, config, a, b, y| {
            broadcast::load(device)?.launch(stream, config, (a, b, y)).map(|_| ())
        })
    });
}
