//! Elements whose places were read.

use gridwright::prelude::*;

/// Bytes through a table.
#[gpu_kernel]
pub(crate) fn table_of_bytes(t: Thread, table: &[u8], x: &[u8], mut y: PerThread<[u8]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = table[x[i] as usize];
    }
}

/// Floats for bytes, by a table.
#[gpu_kernel]
pub(crate) fn table_of_floats(t: Thread, x: &[u8], table: &[f32], mut y: PerThread<[f32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = table[x[i] as usize];
    }
}

/// Floats at indices.
#[gpu_kernel]
pub(crate) fn gather(t: Thread, indices: &[u32], x: &[f32], mut y: PerThread<[f32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = x[indices[i] as usize];
    }
}

/// Doubles at indices, where there are such.
#[gpu_kernel]
pub(crate) fn gather_or(t: Thread, indices: &[u32], x: &[f64], mut y: PerThread<[f64]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = x.get(indices[i] as usize).copied().unwrap_or(0.0);
    }
}

/// To the places of a permutation.
#[gpu_kernel]
pub(crate) fn scatter(t: Thread, x: &[f32], mut y: PerThread<Scattered<f32>>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = x[i];
    }
}

/// A function that is known at a few places, in between.
#[gpu_kernel]
pub(crate) fn interpolate(t: Thread, values: &[f32], x: &[f32], mut y: PerThread<[f32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        let place = x[i] * (values.len() - 1) as f32;
        let left = (place as usize).min(values.len() - 2);
        let part = place - left as f32;
        *y = values[left] * (1.0 - part) + values[left + 1] * part;
    }
}

/// How often each byte occurs.
#[gpu_kernel]
pub(crate) fn histogram(t: Thread, x: &[u8], counts: Atomic<[u32]>) {
    if let Some(&x) = x.get(t.index()) {
        counts.fetch_add(t, x as usize, 1);
    }
}
