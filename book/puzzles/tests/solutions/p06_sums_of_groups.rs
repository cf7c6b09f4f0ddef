//! Solution of puzzle 6: a group works together.

use gridwright::prelude::*;

#[gpu_kernel]
fn sums_of_groups(g: &Group, x: &[u32], mut y: PerGroup<[u32]>) {
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    y.set(g, g.reduce(&mine, |a, b| a + b));
}

#[cfg(not(gridwright_device))]
#[test]
fn it_is_solved() {
    crate::solved(|device| {
        gridwright_puzzles::sums_of_groups(device, |stream, config, x, y| {
            sums_of_groups::load(device)?.launch(stream, config, (x, y)).map(|_| ())
        })
    });
}
