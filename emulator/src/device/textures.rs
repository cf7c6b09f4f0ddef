//! Arrays, and the textures and surfaces of them.

use super::Device;
use crate::report::MemoryError;
use crate::texture::{
    Array, ArrayShape, MipmappedArray, Object, ReferenceKind, Sampler, Surface, Texture, TextureSource,
    TextureView,
};

impl Device {
    /// Makes an array of texels, all bytes zero, which count as never written until something writes them.
    ///
    /// ```
    /// use gridwright_emulator::{ArrayKind, ArrayShape, Device, TexelKind};
    ///
    /// let device = Device::new();
    /// let shape = ArrayShape { kind: ArrayKind::Line, extent: [4, 1, 1], texel: TexelKind::Unsigned, bits: 8, channels: 1 };
    /// let array = device.make_array(shape)?;
    /// device.write(array.address(), &[1, 2, 3, 4])?;
    /// # Ok::<(), gridwright_emulator::MemoryError>(())
    /// ```
    ///
    /// # Errors
    /// [`MemoryError::NoArray`], [`MemoryError::OutOfMemory`].
    pub fn make_array(&self, shape: ArrayShape) -> Result<Array, MemoryError> {
        Array::new(&self.memory, shape)
    }

    /// Makes an array with so many levels of detail, of which the first has the shape.
    ///
    /// # Errors
    /// [`MemoryError::NoArray`] where there are no or more levels than the shape has, [`MemoryError::OutOfMemory`].
    pub fn make_mipmapped_array(
        &self,
        shape: ArrayShape,
        levels: u32,
    ) -> Result<MipmappedArray, MemoryError> {
        MipmappedArray::new(&self.memory, shape, levels)
    }

    /// The number by which kernels sample an array.
    ///
    /// ```
    /// # use gridwright_emulator::{AddressMode, ArrayKind, ArrayShape, Device, Sampler, TexelKind};
    /// # let device = Device::new();
    /// # let shape = ArrayShape { kind: ArrayKind::Line, extent: [4, 1, 1], texel: TexelKind::Unsigned, bits: 8, channels: 1 };
    /// # let array = device.make_array(shape)?;
    /// let texture = device.make_texture(&array, Sampler { is_linear: true, ..Sampler::NEAREST });
    /// assert!(device.drop_object(texture));
    /// assert!(!device.drop_object(texture));
    /// # Ok::<(), gridwright_emulator::MemoryError>(())
    /// ```
    #[must_use]
    pub fn make_texture(&self, array: &Array, sampler: Sampler) -> u64 {
        let texture = Texture::of_array(array, sampler);
        self.objects.add(Object::Texture(texture))
    }

    /// The number by which kernels sample what isn't an array alone, or a part of one.
    ///
    /// ```
    /// use gridwright_emulator::{Device, Sampler, TexelFormat, TexelKind, TextureSource};
    ///
    /// let device = Device::new();
    /// let address = device.alloc(64)?;
    /// let format = TexelFormat { texel: TexelKind::Float, bits: 32, channels: 4 };
    /// let source = TextureSource::Line { address, format, width: 4 };
    /// let texture = device.make_texture_of(&source, Sampler::NEAREST, None)?;
    /// # Ok::<(), gridwright_emulator::MemoryError>(())
    /// ```
    ///
    /// # Errors
    /// Where no allocation holds the memory, or the view is of what isn't in the array.
    pub fn make_texture_of(
        &self,
        source: &TextureSource,
        sampler: Sampler,
        view: Option<TextureView>,
    ) -> Result<u64, MemoryError> {
        let texture = Texture::new(&self.memory, source, sampler, view)?;
        Ok(self.objects.add(Object::Texture(texture)))
    }

    /// The number by which kernels read and write an array.
    #[must_use]
    pub fn make_surface(&self, array: &Array) -> u64 {
        self.objects.add(Object::Surface(Surface::new(array)))
    }

    /// Ends a texture or a surface. Returns whether there was one.
    pub fn drop_object(&self, number: u64) -> bool {
        self.objects.remove(number)
    }

    /// Makes a reference of a module stand for a texture. Returns whether there is such a reference.
    ///
    /// # Errors
    /// As [`make_texture_of`](Self::make_texture_of).
    pub fn bind_texture(
        &self,
        reference: u64,
        source: &TextureSource,
        sampler: Sampler,
    ) -> Result<bool, MemoryError> {
        let texture = Texture::new(&self.memory, source, sampler, None)?;
        Ok(self.objects.replace(reference, Object::Texture(texture)))
    }

    /// Makes a reference of a module stand for a surface. Returns whether there is such a reference.
    pub fn bind_surface(&self, reference: u64, array: &Array) -> bool {
        self.objects.replace(reference, Object::Surface(Surface::new(array)))
    }

    /// Makes a reference of a module stand for nothing again. Returns whether there is such a reference.
    pub fn unbind(&self, reference: u64, kind: ReferenceKind) -> bool {
        self.objects.replace(reference, Object::Unbound(kind))
    }
}
