//! Solution of puzzle 8: a race.

use gridwright::prelude::*;

const BLOCK: usize = 64;

#[gpu_kernel(block = BLOCK)]
fn turn_around(g: &Group, mut x: PerThread<[u32]>, mut tile: Workgroup<[u32; BLOCK]>) {
    g.each((tile.elements_mut(), x.elements_mut()), |_, (slot, x)| {
        if let Some(x) = x {
            *slot = *x;
        }
    });
    g.each((x.elements_mut(), tile.shared()), |t, (x, tile)| {
        if let Some(x) = x {
            *x = tile[BLOCK - 1 - t.local().x];
        }
    });
}

#[cfg(not(gridwright_device))]
#[test]
fn it_is_solved() {
    crate::solved(|device| {
        gridwright_puzzles::turn_around(device, |stream, config, x| {
            turn_around::load(device)?.launch(stream, config, (x,)).map(|_| ())
        })
    });
}
