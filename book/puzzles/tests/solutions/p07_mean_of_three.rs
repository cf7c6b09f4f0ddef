//! Solution of puzzle 7: workgroup memory and phases.

use gridwright::prelude::*;

const BLOCK: usize = 64;

#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
fn mean_of_three(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut tile: Workgroup<[u32; BLOCK]>) {
    g.each(tile.elements_mut(), |t, slot| *slot = x.get(t.index()).copied().unwrap_or(0));
    g.each((y.elements_mut(), tile.shared()), |t, (y, tile)| {
        let i = t.local().x;
        let left = if i > 0 { tile[i - 1] } else { 0 };
        let right = if i + 1 < BLOCK { tile[i + 1] } else { 0 };
        if let Some(y) = y {
            *y = (left + tile[i] + right) / 3;
        }
    });
}

#[cfg(not(gridwright_device))]
#[test]
fn it_is_solved() {
    crate::solved(|device| {
        gridwright_puzzles::mean_of_three(device, |stream, config, x, y| {
            mean_of_three::load(device)?.launch(stream, config, (x, y)).map(|_| ())
        })
    });
}
