//! Textures and surfaces: arrays of texels, the objects that kernels know them by, and what sampling gives.

mod array;
mod cube;
mod detail;
mod format;
mod level;
mod objects;
mod query;
mod sample;
mod sampler;
mod source;
mod surface;

pub use array::{Array, ArrayKind, ArrayShape, MipmappedArray};
pub(crate) use detail::{Detail, Lookup};
pub use format::{TexelFormat, TexelKind};
pub(crate) use level::Level;
pub use objects::ReferenceKind;
pub(crate) use objects::{Object, Objects, Surface, Texture};
pub(crate) use query::{Attribute, query};
pub(crate) use sample::{Coordinates, gather, sample};
pub use sampler::{AddressMode, MipmapSampler, Sampler};
pub use source::{TextureSource, TextureView};
pub(crate) use surface::{Beyond, Refused};
