//! What arrays of texels are made of.

use super::{TexelFormat, TexelKind};

/// What an array is made of.
///
/// ```
/// use gridwright_emulator::{ArrayKind, ArrayShape, TexelKind};
///
/// let image = ArrayShape {
///     kind: ArrayKind::Plane,
///     extent: [640, 480, 1],
///     texel: TexelKind::Unsigned,
///     bits: 8,
///     channels: 4,
/// };
/// assert_eq!(image.bytes(), Some(640 * 480 * 4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayShape {
    /// How many dimensions there are.
    pub kind: ArrayKind,
    /// Width, height, and depth or layers; 1 where there is no such axis. A face of a cube is a layer.
    pub extent: [u32; 3],
    /// The numbers of a texel.
    pub texel: TexelKind,
    /// Bits of each number: 8, 16 or 32.
    pub bits: u32,
    /// How many numbers a texel has: 1, 2 or 4.
    pub channels: u32,
}

/// How many dimensions an array has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrayKind {
    /// One dimension.
    Line,
    /// Two dimensions.
    Plane,
    /// Three dimensions.
    Volume,
    /// One dimension, and layers.
    LineLayers,
    /// Two dimensions, and layers.
    Layers,
    /// The six faces of a cube, which are squares: in the directions of x, -x, y, -y, z and -z.
    Cube,
    /// Several cubes, with six layers each.
    CubeLayers,
}

impl ArrayKind {
    /// The axes on which texels are neighbours.
    pub(crate) fn axes(self) -> usize {
        match self {
            Self::Line | Self::LineLayers => 1,
            Self::Plane | Self::Layers | Self::Cube | Self::CubeLayers => 2,
            Self::Volume => 3,
        }
    }

    pub(crate) fn has_layers(self) -> bool {
        !matches!(self, Self::Line | Self::Plane | Self::Volume)
    }

    pub(crate) fn is_cube(self) -> bool {
        matches!(self, Self::Cube | Self::CubeLayers)
    }
}

impl ArrayShape {
    /// Bytes of a texel.
    #[must_use]
    pub fn texel_bytes(&self) -> u32 {
        self.format().bytes()
    }

    /// The numbers of a texel.
    #[must_use]
    pub fn format(&self) -> TexelFormat {
        TexelFormat { texel: self.texel, bits: self.bits, channels: self.channels }
    }

    /// Bytes of all texels; none where no number holds that.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        let [width, height, depth] = self.extent.map(u64::from);
        width.checked_mul(height)?.checked_mul(depth)?.checked_mul(self.texel_bytes().into())
    }

    /// The shape of a level of detail: each axis is half as long as that of the level before, and layers are as many.
    #[must_use]
    pub fn level(&self, level: u32) -> Self {
        let axes = self.kind.axes();
        let mut extent = self.extent;
        for size in &mut extent[..axes] {
            *size = size.checked_shr(level).unwrap_or(0).max(1);
        }
        Self { extent, ..*self }
    }

    /// The most levels of detail: the last one has one texel in each layer.
    #[must_use]
    pub fn most_levels(&self) -> u32 {
        let longest = self.extent[..self.kind.axes()].iter().max().copied().unwrap_or(1);
        u32::BITS - longest.leading_zeros()
    }

    pub(super) fn is_known(&self) -> bool {
        let [width, height, depth] = self.extent;
        let axes = match self.kind {
            ArrayKind::Line => height == 1 && depth == 1,
            ArrayKind::Plane => depth == 1,
            ArrayKind::LineLayers => height == 1,
            ArrayKind::Volume | ArrayKind::Layers => true,
            ArrayKind::Cube => width == height && depth == 6,
            ArrayKind::CubeLayers => width == height && depth % 6 == 0,
        };
        axes && self.format().is_known() && !self.extent.contains(&0)
    }
}
