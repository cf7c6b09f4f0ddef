//! Solution of puzzle 2: two inputs.

use gridwright::prelude::*;

#[gpu_kernel(requires = a.len() == y.len() && b.len() == y.len())]
fn zip(t: Thread, a: &[u32], b: &[u32], mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a[t.index()] * b[t.index()];
    }
}

#[cfg(not(gridwright_device))]
#[test]
fn it_is_solved() {
    crate::solved(|device| {
        gridwright_puzzles::zip(device, |stream, config, a, b, y| {
            zip::load(device)?.launch(stream, config, (a, b, y)).map(|_| ())
        })
    });
}
