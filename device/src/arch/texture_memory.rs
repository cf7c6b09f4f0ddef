//! Textures in plain memory, on all devices but NVIDIA's.

use gridwright_core::Texel;

use crate::texture::{Dimension, Form, software};

/// Pointer to the texels, which lie row after row, plane after plane.
#[derive(Clone, Copy, Debug)]
pub struct Texels(*mut u8);

// SAFETY: an address; who follows it says why it may.
unsafe impl Send for Texels {}
// SAFETY: who follows a shared address says why it may, too.
unsafe impl Sync for Texels {}

impl Texels {
    #[inline(always)]
    pub(crate) fn at(address: *mut u8) -> Self {
        Self(address)
    }
}

/// # Safety
/// As for [`software::sample`].
#[inline(always)]
pub(crate) unsafe fn sample<T: Texel, D: Dimension>(
    texels: Texels,
    form: Form,
    layer: u32,
    at: [f32; 3],
) -> T::Value {
    // SAFETY: there are as many texels as `form` says, which nobody writes meanwhile, as this function asks.
    unsafe { software::sample::<T, D>(texels.0.cast(), form, layer, at) }
}

/// # Safety
/// As for [`software::fetch`].
#[inline(always)]
pub(crate) unsafe fn fetch<T: Texel, D: Dimension>(
    texels: Texels,
    form: Form,
    layer: u32,
    index: [i32; 3],
) -> T::Value {
    // SAFETY: there are as many texels as `form` says, which nobody writes meanwhile, and that layer: this function asks for it.
    unsafe { software::fetch::<T, D>(texels.0.cast(), form, layer, index) }
}

/// Writes a texel of a texture in plain memory.
///
/// # Safety
/// There are texels as `extent` says, `place` is among them, and nobody else accesses that one meanwhile.
#[inline(always)]
#[allow(clippy::extra_unused_type_parameters)] // NVIDIA has an instruction for each
pub(crate) unsafe fn store<T: Texel, D: Dimension>(
    texels: Texels,
    extent: [u32; 3],
    place: [u32; 3],
    value: T,
) {
    // SAFETY: `place` is among the texels, of which nobody else accesses that one meanwhile, as this function asks.
    unsafe { software::store(texels.0.cast(), extent, place, value) }
}
