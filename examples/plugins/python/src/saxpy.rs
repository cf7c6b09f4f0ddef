//! The kernel.

use gridwright::prelude::*;

/// `a * x + y`, in place of `y`.
#[gpu_kernel(requires = x.len() == y.len())]
pub(crate) fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y += a * x[t.index()];
    }
}
