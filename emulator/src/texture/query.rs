//! What `txq` and `suq` say of a texture, a sampler or a surface.

use super::{AddressMode, ArrayKind, Level, Object, Sampler, TexelFormat, TexelKind};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attribute {
    Width,
    Height,
    Depth,
    ChannelType,
    ChannelOrder,
    IsNormalized,
    ForcesUnnormalized,
    ArraySize,
    Levels,
    Samples,
    FilterMode,
    AddressMode(usize),
    MemoryLayout,
}

impl Attribute {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "width" => Self::Width,
            "height" => Self::Height,
            "depth" => Self::Depth,
            "channel_data_type" => Self::ChannelType,
            "channel_order" => Self::ChannelOrder,
            "normalized_coords" => Self::IsNormalized,
            "force_unnormalized_coords" => Self::ForcesUnnormalized,
            "array_size" => Self::ArraySize,
            "num_mipmap_levels" => Self::Levels,
            "num_samples" => Self::Samples,
            "filter_mode" => Self::FilterMode,
            "addr_mode_0" => Self::AddressMode(0),
            "addr_mode_1" => Self::AddressMode(1),
            "addr_mode_2" => Self::AddressMode(2),
            "memory_layout" => Self::MemoryLayout,
            _ => return None,
        })
    }

    /// Whether `suq` knows it.
    pub(crate) fn is_of_surfaces(self) -> bool {
        matches!(
            self,
            Self::Width
                | Self::Height
                | Self::Depth
                | Self::ChannelType
                | Self::ChannelOrder
                | Self::ArraySize
                | Self::MemoryLayout
        )
    }

    /// Whether it differs between levels of detail.
    pub(crate) fn is_of_levels(self) -> bool {
        matches!(self, Self::Width | Self::Height | Self::Depth)
    }
}

/// What an object has, at a level of detail; none where it has nothing of the kind.
pub(crate) fn query(object: &Object, attribute: Attribute, level: u32) -> Option<u32> {
    match object {
        Object::Texture(texture) => {
            let level = texture.levels.get((level as usize).min(texture.levels.len().saturating_sub(1)))?;
            of_texels(texture.kind, texture.format, level, attribute).or_else(|| match attribute {
                Attribute::Levels => Some(texture.levels.len() as u32),
                Attribute::Samples => Some(1),
                Attribute::IsNormalized => Some(texture.sampler.is_normalized.into()),
                _ => of_sampler(&texture.sampler, attribute),
            })
        }
        Object::Surface(surface) => of_texels(surface.kind, surface.format, &surface.texels, attribute)
            .or_else(|| (attribute == Attribute::MemoryLayout).then_some(0)),
        Object::Sampler(sampler) => of_sampler(sampler, attribute),
        Object::Unbound(_) => None,
    }
}

/// An axis that there isn't is one texel long.
fn of_texels(kind: ArrayKind, format: TexelFormat, level: &Level, attribute: Attribute) -> Option<u32> {
    let [width, height, depth] = level.extent;
    Some(match attribute {
        Attribute::Width => width,
        Attribute::Height => height,
        Attribute::Depth => {
            if kind.has_layers() {
                1
            } else {
                depth
            }
        }
        Attribute::ArraySize if kind.is_cube() => depth / 6,
        Attribute::ArraySize => {
            if kind.has_layers() {
                depth
            } else {
                1
            }
        }
        Attribute::ChannelType => channel_type(format),
        Attribute::ChannelOrder => match format.channels {
            1 => 0x10b0,
            2 => 0x10b2,
            _ => 0x10b5,
        },
        _ => return None,
    })
}

/// The numbers that OpenCL has for channels.
fn channel_type(format: TexelFormat) -> u32 {
    match (format.texel, format.bits) {
        (TexelKind::SignedNormalized, 8) => 0x10d0,
        (TexelKind::SignedNormalized, _) => 0x10d1,
        (TexelKind::UnsignedNormalized, 8) => 0x10d2,
        (TexelKind::UnsignedNormalized, _) => 0x10d3,
        (TexelKind::Signed, 8) => 0x10d7,
        (TexelKind::Signed, 16) => 0x10d8,
        (TexelKind::Signed, _) => 0x10d9,
        (TexelKind::Unsigned, 8) => 0x10da,
        (TexelKind::Unsigned, 16) => 0x10db,
        (TexelKind::Unsigned, _) => 0x10dc,
        (TexelKind::Float, 16) => 0x10dd,
        (TexelKind::Float, _) => 0x10de,
    }
}

fn of_sampler(sampler: &Sampler, attribute: Attribute) -> Option<u32> {
    Some(match attribute {
        Attribute::FilterMode => sampler.is_linear.into(),
        Attribute::ForcesUnnormalized => (!sampler.is_normalized).into(),
        // In the order in which the PTX ISA has them; the third clamps as OpenGL does.
        Attribute::AddressMode(axis) => match sampler.address.get(axis)? {
            AddressMode::Wrap => 0,
            AddressMode::Mirror => 1,
            AddressMode::Clamp => 3,
            AddressMode::Border => 4,
        },
        _ => return None,
    })
}
