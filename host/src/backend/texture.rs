//! Textures, as backends have them.

use gridwright_core::{Format, Sampling};

use super::{Backend, Contents, Memory, Place, StreamId};
use crate::Error;

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

/// What backends do with textures. Unless one says otherwise, they are plain memory, row after row.
pub(crate) trait Textures: Backend {
    fn texture_limits(&self) -> Result<TextureLimits, Error> {
        Ok(TextureLimits::PORTABLE)
    }

    /// A texture whose texels the next thing is to write. It is given back by [`Backend::free`].
    fn allocate_texture(&self, stream: StreamId, shape: &TextureShape) -> Result<Memory, Error> {
        self.allocate(stream, shape.bytes(), Contents::Unset)
    }

    /// What kernels are given of a texture.
    ///
    /// # Safety
    /// `allocate_texture` made it.
    unsafe fn texture_objects(&self, place: Place) -> TextureObjects {
        let address = place.pointer.as_ptr().expose_provenance() as u64;
        TextureObjects { sampled: address, fetched: address, surface: address }
    }

    /// Copies all texels from the host, row after row. The slice isn't used any more when it returns.
    ///
    /// # Safety
    /// `to` is a texture of this shape, and there are as many bytes.
    unsafe fn write_texture(
        &self,
        stream: StreamId,
        to: Place,
        _: &TextureShape,
        from: &[u8],
    ) -> Result<(), Error> {
        // SAFETY: the caller's contract.
        unsafe { self.write(stream, to, from) }
    }

    /// Copies all texels to the host, as [`Backend::read`] does.
    ///
    /// # Safety
    /// `from` is a texture of this shape, and there is room for as many bytes.
    unsafe fn read_texture(
        &self,
        stream: StreamId,
        from: Place,
        _: &TextureShape,
        to: &mut [u8],
    ) -> Result<(), Error> {
        // SAFETY: the caller's contract.
        unsafe { self.read(stream, from, to) }
    }

    /// Copies all texels from memory of the device, where they lie row after row.
    ///
    /// # Safety
    /// `to` is a texture of this shape, and `from` has as many bytes.
    unsafe fn copy_to_texture(
        &self,
        stream: StreamId,
        from: Place,
        to: Place,
        shape: &TextureShape,
    ) -> Result<(), Error> {
        // SAFETY: the caller's contract.
        unsafe { self.copy(stream, from, to, shape.bytes()) }
    }
}
