//! Solution of puzzle 9: a scan.

use gridwright::prelude::*;

#[gpu_kernel(requires = x.len() == y.len())]
fn prefix_sum(g: &Group, x: &[u32], mut y: PerThread<[u32]>) {
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    let sums = g.scan_inclusive(&mine, |a, b| a + b);
    g.each((&sums, y.elements_mut()), |_, (sum, y)| {
        if let Some(y) = y {
            *y = *sum;
        }
    });
}

#[cfg(not(gridwright_device))]
#[test]
fn it_is_solved() {
    crate::solved(|device| {
        gridwright_puzzles::prefix_sum(device, |stream, config, x, y| {
            prefix_sum::load(device)?.launch(stream, config, (x, y)).map(|_| ())
        })
    });
}
