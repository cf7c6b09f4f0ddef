//! Elements for elements, of floats and of small integers.

use gridwright::math;
use gridwright::prelude::*;

/// y = a*x + y.
#[gpu_kernel]
pub(crate) fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y += a * x[i];
    }
}

/// The logistic function.
#[gpu_kernel]
pub(crate) fn sigmoid(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = 1.0 / (1.0 + math::exp(-x[i]));
    }
}

/// Floats from -1 to 1 as bytes.
#[gpu_kernel]
pub(crate) fn quantise_to_bytes(t: Thread, scale: f32, x: &[f32], mut y: PerThread<[u8]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = (x[i] * scale + 127.5) as u8;
    }
}

/// Floats from -1 to 1 as samples of sound.
#[gpu_kernel]
pub(crate) fn quantise_to_samples(t: Thread, x: &[f32], mut y: PerThread<[i16]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = (x[i] * 32767.0) as i16;
    }
}

/// Floats as whole numbers, rounded.
#[gpu_kernel]
pub(crate) fn round_to_integers(t: Thread, x: &[f32], mut y: PerThread<[i32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = (x[i] * 100.0).round_ties_even() as i32;
    }
}

/// Bytes as floats from 0 to 1.
#[gpu_kernel]
pub(crate) fn bytes_to_floats(t: Thread, x: &[u8], mut y: PerThread<[f32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = x[i] as f32 / 255.0;
    }
}

/// The brightness of pixels.
#[gpu_kernel]
pub(crate) fn grey(t: Thread, pixels: &[[u8; 3]], mut grey: PerThread<[u8]>) {
    let i = t.index();
    if let Some(grey) = grey.get_mut(t) {
        let [r, g, b] = pixels[i];
        *grey = ((77 * r as u32 + 150 * g as u32 + 29 * b as u32) >> 8) as u8;
    }
}

/// One picture over another, by one weight.
#[gpu_kernel]
pub(crate) fn blend(t: Thread, alpha: u8, over: &[u8], mut under: PerThread<[u8]>) {
    let i = t.index();
    if let Some(under) = under.get_mut(t) {
        let (a, b) = (over[i] as u16, *under as u16);
        *under = ((a * alpha as u16 + b * (255 - alpha as u16)) / 255) as u8;
    }
}

/// Two sounds at once.
#[gpu_kernel]
pub(crate) fn mix(t: Thread, a: &[i16], b: &[i16], mut y: PerThread<[i16]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = a[i].saturating_add(b[i]);
    }
}

/// Pixels above a limit are white.
#[gpu_kernel]
pub(crate) fn threshold(t: Thread, limit: u8, x: &[u8], mut y: PerThread<[u8]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = if x[i] > limit { 255 } else { 0 };
    }
}
