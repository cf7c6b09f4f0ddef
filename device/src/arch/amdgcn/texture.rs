//! Textures on AMD: plain memory.

use core::ptr::NonNull;

pub use crate::arch::texture_memory::Texels;
pub(crate) use crate::arch::texture_memory::{fetch, sample, store};

/// How texels reach an entry: as a reference, so that the compiler knows that they are in global memory.
pub type TexelsArgument<'a> = &'a [u8; 0];

/// How a surface reaches an entry: as a pointer, since it is written.
pub type SurfaceArgument = NonNull<u8>;

impl Texels {
    /// The texels of what an entry got.
    #[inline(always)]
    pub(crate) fn of_argument(texels: TexelsArgument<'_>, _: u64) -> Self {
        Self::at(texels.as_ptr().cast_mut())
    }

    /// The texels of what an entry got for a surface.
    #[inline(always)]
    pub(crate) fn of_surface(texels: SurfaceArgument) -> Self {
        Self::at(texels.as_ptr())
    }
}
