//! What is raced, and what `cargo xtask codegen` compares with nvcc's code.

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

/// Each thread sums every so many elements, as many apart as there are sums.
#[gpu_kernel]
#[allow(dead_code)] // only its machine code is looked at
pub(crate) fn grid_stride_sum(t: Thread, x: &[f32], mut sums: PerThread<[f32]>) {
    let threads = sums.len();
    if let Some(sum) = sums.get_mut(t) {
        let mut total = 0.0;
        let mut at = t.index();
        while let Some(x) = x.get(at) {
            total += x;
            at += threads;
        }
        *sum = total;
    }
}
