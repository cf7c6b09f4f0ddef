//! The kernel.

use gridwright::prelude::*;

/// Adds a number to each element and panics at the element that isn't a number.
#[gpu_kernel(requires = x.len() == y.len())]
pub(crate) fn add(t: Thread, by: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        let x = x[t.index()];
        assert!(!x.is_nan(), "not a number");
        *y = x + by;
    }
}
