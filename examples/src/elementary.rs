//! Kernels of a few lines, which benches launch, or whose machine code alone is looked at.

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

/// Each thread sums every so many elements, as many apart as there are sums.
#[gpu_kernel]
pub fn grid_stride_sum(t: Thread, x: &[f32], mut sums: PerThread<[f32]>) {
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
