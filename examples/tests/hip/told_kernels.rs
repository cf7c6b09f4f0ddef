//! The kernels of what is told.

use gridwright::prelude::*;

#[gpu_kernel]
pub(super) fn indexes(t: Thread, by: usize, x: &[u32], mut y: PerThread<[u32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = x[i + by];
    }
}

#[gpu_kernel]
pub(super) fn speaks(t: Thread, mut x: PerThread<[u32]>) {
    let i = t.index();
    if let Some(x) = x.get_mut(t) {
        gpu_println!(t, "thread {} has {} of {}", i, *x, "gfx");
    }
}
