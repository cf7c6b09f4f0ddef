use gridwright::prelude::*;

/// The numbers from zero on.
#[gpu_kernel]
pub(crate) fn count(t: Thread, mut x: PerThread<[f32]>) {
    if let Some(x) = x.get_mut(t) {
        *x = t.index() as f32;
    }
}

/// Multiplies each element.
#[gpu_kernel]
pub(crate) fn scale(t: Thread, by: f32, mut x: PerThread<[f32]>) {
    if let Some(x) = x.get_mut(t) {
        *x *= by;
    }
}
