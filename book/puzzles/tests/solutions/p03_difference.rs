//! Solution of puzzle 3: bounds.

use gridwright::prelude::*;

#[gpu_kernel(requires = x.len() == y.len())]
fn difference(t: Thread, x: &[i32], mut y: PerThread<[i32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x.get(t.index() + 1).map_or(0, |next| next - x[t.index()]);
    }
}

#[cfg(not(gridwright_device))]
#[test]
fn it_is_solved() {
    crate::solved(|device| {
        gridwright_puzzles::difference(device, |stream, config, x, y| {
            difference::load(device)?.launch(stream, config, (x, y)).map(|_| ())
        })
    });
}
