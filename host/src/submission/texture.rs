//! Shapes of textures, and what kernels are given of one.

use gridwright_core::{Format, Sampling};

use super::Place;

/// The shape of a texture. All of it has been checked.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(any(feature = "cuda", feature = "emulator")),
    expect(dead_code, reason = "plain memory needs the size only")
)]
pub(crate) struct TextureShape {
    pub(crate) kind: TextureKind,
    /// Width, height, and depth or layers, each at least 1.
    pub(crate) extent: [usize; 3],
    pub(crate) format: Format,
    pub(crate) channels: usize,
    pub(crate) sampling: Sampling,
}

/// How many dimensions a texture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextureKind {
    Line,
    Plane,
    Volume,
    Layers,
}

/// The most texels along each axis, by kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureLimits {
    pub(crate) line: usize,
    pub(crate) plane: [usize; 2],
    pub(crate) volume: [usize; 3],
    pub(crate) layers: [usize; 3],
}

impl TextureLimits {
    /// What GPUs of compute capability 6.0 and later have of textures that can be written. Where textures are plain memory they are the same, so that what
    /// runs there runs on those.
    pub(crate) const PORTABLE: Self =
        Self { line: 32_768, plane: [131_072, 65_536], volume: [16_384; 3], layers: [32_768, 32_768, 2_048] };

    pub(crate) fn of(&self, kind: TextureKind) -> [usize; 3] {
        match kind {
            TextureKind::Line => [self.line, 1, 1],
            TextureKind::Plane => [self.plane[0], self.plane[1], 1],
            TextureKind::Volume => self.volume,
            TextureKind::Layers => self.layers,
        }
    }
}

impl TextureShape {
    pub(crate) fn texel_bytes(&self) -> usize {
        self.format.bits as usize / 8 * self.channels
    }

    /// The bytes of all texels. Extents are within limits, whose product is far from an overflow.
    pub(crate) fn bytes(&self) -> usize {
        self.extent.iter().product::<usize>() * self.texel_bytes()
    }
}

/// What kernels are given of a texture: its address, or the numbers of the driver's objects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureObjects {
    /// The object that samples, or the address.
    pub(crate) sampled: u64,
    /// The object that gives single texels, or the address.
    pub(crate) fetched: u64,
    /// The object that is written through, or the address.
    pub(crate) surface: u64,
}

impl TextureObjects {
    /// What kernels are given of a texture that is plain memory: its address.
    pub(crate) fn of_memory(place: Place) -> Self {
        let address = place.pointer.as_ptr().expose_provenance() as u64;
        Self { sampled: address, fetched: address, surface: address }
    }
}
