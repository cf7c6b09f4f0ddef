//! How textures are sampled.

use super::{TexelFormat, TexelKind};

/// How a texture is sampled.
///
/// ```
/// use gridwright_emulator::Sampler;
///
/// let linear = Sampler { is_linear: true, ..Sampler::NEAREST };
/// assert!(!linear.is_normalized);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampler {
    /// What is read beyond the edges, on each axis.
    pub address: [AddressMode; 3],
    /// Whether the nearest texels are weighted; else the one that the coordinate is in is read.
    pub is_linear: bool,
    /// Whether coordinates are fractions of each extent.
    pub is_normalized: bool,
    /// Whether integers are read as they are; else those of 8 and 16 bits are floats from 0 or -1 to 1.
    pub reads_integers: bool,
    /// The colour beyond the edges, with [`AddressMode::Border`]. Where integers are read, these are their bits.
    pub border: [f32; 4],
    /// Whether the first three channels of 8 bits that are read as floats are of sRGB, and are made linear.
    pub converts_srgb: bool,
    /// Whether cube maps are filtered over the edges of their faces. Beyond a corner, where three faces meet, one of them is read.
    pub is_seamless: bool,
    /// How levels of detail are chosen.
    pub mipmaps: MipmapSampler,
}

/// How levels of detail are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MipmapSampler {
    /// Whether the two nearest levels are weighted; else the nearest is read.
    pub is_linear: bool,
    /// Number that is added to each level of detail.
    pub bias: f32,
    /// The least and the greatest level of detail.
    pub range: [f32; 2],
}

/// What is read beyond the edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressMode {
    /// The texture again.
    Wrap,
    /// The texel at the edge.
    Clamp,
    /// The texture again, every other time reflected.
    Mirror,
    /// The colour of the border.
    Border,
}

impl Sampler {
    /// Reads the texel that a coordinate in texels is in, or the one at the edge; of the finest level of detail.
    pub const NEAREST: Self = Self {
        address: [AddressMode::Clamp; 3],
        is_linear: false,
        is_normalized: false,
        reads_integers: false,
        border: [0.0; 4],
        converts_srgb: false,
        is_seamless: false,
        mipmaps: MipmapSampler { is_linear: false, bias: 0.0, range: [0.0; 2] },
    };

    /// Whether floats are read of a format.
    pub(crate) fn reads_floats(&self, format: TexelFormat) -> bool {
        match format.texel {
            TexelKind::Float | TexelKind::UnsignedNormalized | TexelKind::SignedNormalized => true,
            TexelKind::Unsigned | TexelKind::Signed => !self.reads_integers && format.bits < 32,
        }
    }
}
