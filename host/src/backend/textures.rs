use crate::Error;
use crate::submission::{Memory, Place, StreamId, TextureLimits, TextureObjects, TextureShape};

/// Textures, which are the driver's own objects, or plain memory, row after row.
pub(crate) trait Textures {
    /// The most texels along each axis.
    fn texture_limits(&self) -> Result<TextureLimits, Error>;

    /// A texture whose texels the next thing is to write. It is given back by [`DeviceMemory::free`](super::DeviceMemory::free).
    fn allocate_texture(&self, stream: StreamId, shape: &TextureShape) -> Result<Memory, Error>;

    /// What kernels are given of a texture.
    ///
    /// # Safety
    /// `allocate_texture` made it, and it isn't freed.
    unsafe fn texture_objects(&self, place: Place) -> TextureObjects;

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
    ) -> Result<(), Error>;

    /// Copies all texels to the host, as [`DeviceMemory::read`](super::DeviceMemory::read) does.
    ///
    /// # Safety
    /// `from` is a texture of this shape, and there is room for as many bytes.
    unsafe fn read_texture(
        &self,
        stream: StreamId,
        from: Place,
        _: &TextureShape,
        to: &mut [u8],
    ) -> Result<(), Error>;

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
    ) -> Result<(), Error>;
}
