//! The kernels, for elements of `f32` and of `f64`.

use core::ops::{Add, Mul};

use gridwright::prelude::*;

/// What an array is of.
pub trait Element: KernelArg + Add<Output = Self> + Mul<Output = Self> {
    /// What a sum begins with.
    const ZERO: Self;
    /// What each element of `a` is at the start.
    const START_A: Self;
    /// What each element of `b` is at the start.
    const START_B: Self;
    /// What each element of `c` is at the start.
    const START_C: Self;
    /// What elements are multiplied by.
    const SCALAR: Self;
}

macro_rules! elements {
    ($($float:ty),*) => {$(
        impl Element for $float {
            const ZERO: Self = 0.0;
            const START_A: Self = 0.1;
            const START_B: Self = 0.2;
            const START_C: Self = 0.0;
            const SCALAR: Self = 0.4;
        }
    )*};
}

elements!(f32, f64);

/// Threads in a workgroup of [`dot`].
pub const BLOCK: usize = 1024;

/// The arrays as they are at the start. On a CPU, who first writes a page decides where it lies.
#[gpu_kernel(instances(f32, f64), requires = a.len() == b.len() && a.len() == c.len())]
pub fn init<T: Element>(t: Thread, mut a: PerThread<[T]>, mut b: PerThread<[T]>, mut c: PerThread<[T]>) {
    if let (Some(a), Some(b), Some(c)) = (a.get_mut(t), b.get_mut(t), c.get_mut(t)) {
        *a = T::START_A;
        *b = T::START_B;
        *c = T::START_C;
    }
}

/// c = a.
#[gpu_kernel(instances(f32, f64), requires = a.len() == c.len())]
pub fn copy<T: Element>(t: Thread, a: &[T], mut c: PerThread<[T]>) {
    if let Some(c) = c.get_mut(t) {
        *c = a[t.index()];
    }
}

/// b = scalar · c.
#[gpu_kernel(instances(f32, f64), requires = b.len() == c.len())]
pub fn mul<T: Element>(t: Thread, mut b: PerThread<[T]>, c: &[T]) {
    if let Some(b) = b.get_mut(t) {
        *b = T::SCALAR * c[t.index()];
    }
}

/// c = a + b.
#[gpu_kernel(instances(f32, f64), requires = a.len() == c.len() && b.len() == c.len())]
pub fn add<T: Element>(t: Thread, a: &[T], b: &[T], mut c: PerThread<[T]>) {
    if let Some(c) = c.get_mut(t) {
        *c = a[t.index()] + b[t.index()];
    }
}

/// a = b + scalar · c.
#[gpu_kernel(instances(f32, f64), requires = b.len() == a.len() && c.len() == a.len())]
pub fn triad<T: Element>(t: Thread, mut a: PerThread<[T]>, b: &[T], c: &[T]) {
    if let Some(a) = a.get_mut(t) {
        *a = b[t.index()] + T::SCALAR * c[t.index()];
    }
}

/// a = a + b + scalar · c.
#[gpu_kernel(instances(f32, f64), requires = b.len() == a.len() && c.len() == a.len())]
pub fn nstream<T: Element>(t: Thread, mut a: PerThread<[T]>, b: &[T], c: &[T]) {
    if let Some(a) = a.get_mut(t) {
        *a = *a + (b[t.index()] + T::SCALAR * c[t.index()]);
    }
}

/// One sum a workgroup, of a part of the products that is its own: memory that lies in a row is read fastest in one go.
#[gpu_kernel(instances(f32, f64), block = BLOCK, requires = a.len() == b.len())]
pub fn dot<T: Element>(g: &Group, a: &[T], b: &[T], mut sums: PerGroup<[T]>) {
    let mut mine = g.private(T::ZERO);
    let part = a.len().div_ceil(g.groups()).next_multiple_of(BLOCK);
    let mut first = g.index() * part;
    let end = a.len().min(first + part);
    while first < end {
        g.each((&mut mine, a.elements_from(first), b.elements_from(first)), |_, (sum, a, b)| {
            if let (Some(a), Some(b)) = (a, b) {
                *sum = *sum + *a * *b;
            }
        });
        first += BLOCK;
    }
    sums.set(g, g.reduce(&mine, |a, b| a + b));
}
