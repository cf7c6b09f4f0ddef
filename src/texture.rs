//! Textures and surfaces: images that kernels sample and write.
//!
//! | to | see |
//! |---|---|
//! | sample in a kernel | [`Texture1d`], [`Texture2d`], [`Texture3d`], [`TextureLayered2d`]: kinds of [`Texture`] |
//! | write in a kernel, each thread its texel | [`Surface1d`], [`Surface2d`], [`Surface3d`], [`SurfaceLayered2d`]: kinds of [`Surface`] |
//! | say how it is sampled | [`Sampling`], [`Filter`], [`Address`] |
//! | say what it holds | [`Texel`], [`Norm`] |
//! | have it on a device | [`TextureBuffer`] |
//! | write a helper for any number of dimensions | [`Dimension`]: [`D1`], [`D2`], [`D3`], [`D2Layers`] |
//!
//! ```
//! use gridwright::prelude::*;
//!
//! /// Half as large in both directions.
//! #[gpu_kernel]
//! fn shrink(t: Thread, image: &Texture2d<f32>, mut out: PerThread<Matrix<f32>>) {
//!     let (row, col) = (t.row() as f32, t.col() as f32);
//!     if let Some(out) = out.get_mut(t) {
//!         *out = image.sample(2.0 * col + 1.0, 2.0 * row + 1.0);
//!     }
//! }
//! ```

pub use gridwright_core::{Address, Filter, Norm, Sampling, Texel};
pub use gridwright_device::{
    D1, D2, D2Layers, D3, Dimension, Surface, Surface1d, Surface2d, Surface3d, SurfaceLayered2d, Texture,
    Texture1d, Texture2d, Texture3d, TextureLayered2d,
};
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub use gridwright_host::TextureBuffer;
