//! Puzzle 3: bounds.
//!
//! Each element of `y` is the difference between the next element of `x` and this one. The last has no next: it is zero. As it stands the
//! kernel panics, and the check says where.

use gridwright::prelude::*;
#[host_only]
use gridwright_puzzles::Unsolved;

#[gpu_kernel(requires = x.len() == y.len())]
fn difference(t: Thread, x: &[i32], mut y: PerThread<[i32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index() + 1] - x[t.index()];
    }
}

/// Checks the kernel.
#[host_only]
pub(crate) fn check(device: &Device) -> Result<(), Unsolved> {
    gridwright_puzzles::difference(device, |stream, config, x, y| {
        difference::load(device)?.launch(stream, config, (x, y)).map(|_| ())
    })
}
