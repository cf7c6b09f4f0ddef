//! Puzzle 7: workgroup memory and phases.
//!
//! In a first phase each thread writes its element of `x` into its slot of `tile`. In a second one it reads three slots: its own and those
//! beside it, of which the group's first and last thread have one. Their sum by three is the element of `y`.

use gridwright::prelude::*;
#[host_only]
use gridwright_puzzles::Unsolved;

const BLOCK: usize = 64;

#[gpu_kernel(block = BLOCK, requires = x.len() == y.len())]
fn mean_of_three(g: &Group, x: &[u32], mut y: PerThread<[u32]>, mut tile: Workgroup<[u32; BLOCK]>) {
    g.each(tile.elements_mut(), |t, slot| {
        // Your code here.
    });
    g.each((y.elements_mut(), tile.shared()), |t, (y, tile)| {
        // And here: `t.local().x` is the thread's number in its group.
    });
}

/// Checks the kernel.
#[host_only]
pub(crate) fn check(device: &Device) -> Result<(), Unsolved> {
    gridwright_puzzles::mean_of_three(device, |stream, config, x, y| {
        mean_of_three::load(device)?.launch(stream, config, (x, y)).map(|_| ())
    })
}
