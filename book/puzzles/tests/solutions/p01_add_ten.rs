//! Solution of puzzle 1: a thread and its element.

use gridwright::prelude::*;

#[gpu_kernel(requires = x.len() == y.len())]
fn add_ten(t: Thread, x: &[u32], mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index()] + 10;
    }
}

#[cfg(not(gridwright_device))]
#[test]
fn it_is_solved() {
    crate::solved(|device| {
        gridwright_puzzles::add_ten(device, |stream, config, x, y| {
            add_ten::load(device)?.launch(stream, config, (x, y)).map(|_| ())
        })
    });
}
