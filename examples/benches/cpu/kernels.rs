//! What is raced.

use gridwright::prelude::*;

#[path = "../../src/bin/sobel.rs"]
#[cfg_attr(
    not(gridwright_device),
    expect(dead_code, reason = "a program of its own; only its kernel is raced")
)]
mod example;

#[host_only]
pub(crate) use example::sobel;

/// Does nothing.
#[gpu_kernel]
pub(crate) fn nothing(_t: Thread) {}

/// y = a*x + y, one thread an element.
#[gpu_kernel(requires = x.len() == y.len())]
pub(crate) fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a.mul_add(x[t.index()], *y);
    }
}
