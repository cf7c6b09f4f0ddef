//! Textures on the CPU: plain memory.

use std::ptr::with_exposed_provenance_mut;

use gridwright_core::RawTexture;

pub use crate::arch::texture_memory::Texels;
pub(crate) use crate::arch::texture_memory::{fetch, sample, store};

impl Texels {
    #[inline(always)]
    pub(crate) fn of(raw: &RawTexture) -> Self {
        Self::at(with_exposed_provenance_mut(raw.texels as usize))
    }
}
