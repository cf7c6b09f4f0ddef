//! How textures are sampled.

use half::f16;

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

    /// The numbers of a texel, as the sampler reads them. Channels that there aren't are zeros.
    pub(crate) fn numbers(&self, format: TexelFormat, bytes: &[u8; 16]) -> [f64; 4] {
        let is_norm = matches!(format.texel, TexelKind::UnsignedNormalized | TexelKind::SignedNormalized);
        let norm = |value: f64, most: f64| {
            if is_norm || !self.reads_integers { (value / most).max(-1.0) } else { value }
        };
        let is_srgb = self.converts_srgb && format.bits == 8 && self.reads_floats(format);
        std::array::from_fn(|channel| {
            let at = |i: usize| bytes.get(channel * format.bits as usize / 8 + i).copied().unwrap_or(0);
            let half = || u16::from_le_bytes([at(0), at(1)]);
            let word = || u32::from_le_bytes([at(0), at(1), at(2), at(3)]);
            let number = match (format.texel, format.bits) {
                (TexelKind::Unsigned | TexelKind::UnsignedNormalized, 8) => norm(at(0).into(), 255.0),
                (TexelKind::Unsigned | TexelKind::UnsignedNormalized, 16) => norm(half().into(), 65_535.0),
                (TexelKind::Unsigned | TexelKind::UnsignedNormalized, _) => word().into(),
                (TexelKind::Signed | TexelKind::SignedNormalized, 8) => norm((at(0) as i8).into(), 127.0),
                (TexelKind::Signed | TexelKind::SignedNormalized, 16) => {
                    norm((half() as i16).into(), 32_767.0)
                }
                (TexelKind::Signed | TexelKind::SignedNormalized, _) => (word() as i32).into(),
                (TexelKind::Float, 16) => f16::from_bits(half()).to_f64(),
                (TexelKind::Float, _) => f32::from_bits(word()).into(),
            };
            // The fourth channel isn't a colour.
            if is_srgb && channel < 3 { linear_of_srgb(number) } else { number }
        })
    }
}

/// The light of a value of sRGB, both from 0 to 1.
fn linear_of_srgb(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}
