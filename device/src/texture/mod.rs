//! Textures, which kernels sample, and surfaces, of which each thread writes a texel.
//!
//! On NVIDIA they are the hardware's. Elsewhere a texture is plain memory, and [`software`] computes what the hardware would.

mod dimension;
mod passing;
pub(crate) mod software;
mod surface;
mod view;

pub use dimension::{D1, D2, D2Layers, D3, Dimension};
pub use passing::{OwnTexels, ReadTexture};
pub use surface::{Surface, Surface1d, Surface2d, Surface3d, SurfaceLayered2d};
pub use view::{Texture, Texture1d, Texture2d, Texture3d, TextureLayered2d};

use gridwright_core::Sampling;

/// Sizes of a texture, and how it is sampled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// Width, height, and depth or layers, each at least 1.
    pub(crate) extent: [u32; 3],
    pub(crate) sampling: Sampling,
}
