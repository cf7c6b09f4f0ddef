//! Textures on the CPU: plain memory.

use std::ptr::with_exposed_provenance_mut;

use gridwright_core::RawTexture;

pub use crate::texture::memory::Texels;
pub(crate) use crate::texture::memory::{fetch, sample, store};

impl Texels {
    #[inline(always)]
    pub(crate) fn of(raw: &RawTexture) -> Self {
        Self::at(with_exposed_provenance_mut(raw.texels as usize))
    }
}
