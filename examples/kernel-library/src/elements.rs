//! One thread an element.

use gridwright::prelude::*;

/// y = operator(x).
// ANCHOR: map
#[gpu_kernel(requires = x.len() == y.len())]
pub fn map<A, B, O>(t: Thread, operator: O, x: &[A], mut y: PerThread<[B]>)
where
    A: KernelArg,
    B: KernelArg,
    O: Operator<(A,), Output = B>,
{
    if let Some(y) = y.get_mut(t) {
        *y = operator.call((x[t.index()],));
    }
}
// ANCHOR_END: map

/// y = operator(y, x), in place. The name is one of Rust's words, and so is a parameter's.
#[gpu_kernel(requires = r#in.len() == y.len())]
pub fn r#loop<T: KernelArg, O: Operator<(T, T), Output = T>>(
    t: Thread,
    operator: O,
    r#in: &[T],
    mut y: PerThread<[T]>,
) {
    if let Some(y) = y.get_mut(t) {
        *y = operator.call((*y, r#in[t.index()]));
    }
}

/// Adds up the `N` elements that follow each, around the end. The second condition is the library's own code.
#[gpu_kernel(index = u64, requires = x.len() == y.len() && is_at_least::<N>(x.len()))]
pub fn sums_of<const N: usize>(t: Thread, x: &[u32], mut y: PerThread<[u32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = (0..N).map(|k| x[(i + k) % x.len()]).fold(0, u32::wrapping_add);
    }
}

/// Not public: instances elsewhere evaluate conditions all the same.
fn is_at_least<const N: usize>(len: usize) -> bool {
    len >= N
}

/// A product and a sum stay two operations, wherever the instance is.
#[gpu_kernel(fp_contract = off, instances(f32, ..))]
pub fn product_and_sum<T>(t: Thread, a: T, b: T, mut y: PerThread<[T]>)
where
    T: KernelArg + core::ops::Mul<Output = T> + core::ops::Add<Output = T>,
{
    if let Some(y) = y.get_mut(t) {
        *y = a * b + *y;
    }
}
