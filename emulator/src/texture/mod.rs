//! Textures and surfaces: arrays of texels, the objects that kernels know them by, and what sampling gives.

mod array;
mod cube;
mod detail;
mod format;
mod level;
mod lookup;
mod objects;
mod query;
mod sample;
mod sampler;
mod shape;
mod source;
mod surface;

pub use array::{Array, MipmappedArray};
pub use format::{TexelFormat, TexelKind};
pub(crate) use level::Level;
pub(crate) use lookup::{Coordinates, Detail, Lookup};
pub use objects::ReferenceKind;
pub(crate) use objects::{Object, Objects, Surface, Texture};
pub(crate) use query::{Attribute, query};
pub(crate) use sample::{gather, sample};
pub use sampler::{AddressMode, MipmapSampler, Sampler};
pub use shape::{ArrayKind, ArrayShape};
pub use source::{TextureSource, TextureView};
pub(crate) use surface::{Beyond, Refused};
