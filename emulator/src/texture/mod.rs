//! Textures and surfaces: arrays of texels, the objects that kernels know them by, and what sampling gives.

mod array;
mod objects;
mod sample;

pub use array::{Array, ArrayKind, ArrayShape, TexelKind};
pub use objects::{AddressMode, Sampler};
pub(crate) use objects::{Object, Objects};
pub(crate) use sample::{Coordinates, sample};
