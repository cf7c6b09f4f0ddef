//! The kernels of one line, which several benches launch.

use gridwright::prelude::*;

/// Does nothing.
#[gpu_kernel]
pub fn nothing(_t: Thread) {}

/// y = a*x + y, one thread an element.
#[gpu_kernel(requires = x.len() == y.len())]
pub fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a.mul_add(x[t.index()], *y);
    }
}
