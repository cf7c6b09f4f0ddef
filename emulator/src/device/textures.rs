//! Arrays, and the textures and surfaces of them.

use super::Device;
use crate::report::MemoryError;
use crate::texture::{Array, ArrayShape, Object, Sampler};

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

    /// The number by which kernels sample an array.
    ///
    /// ```
    /// # use gridwright_emulator::{AddressMode, ArrayKind, ArrayShape, Device, Sampler, TexelKind};
    /// # let device = Device::new();
    /// # let shape = ArrayShape { kind: ArrayKind::Line, extent: [4, 1, 1], texel: TexelKind::Unsigned, bits: 8, channels: 1 };
    /// # let array = device.make_array(shape)?;
    /// let sampler = Sampler {
    ///     address: [AddressMode::Clamp; 3],
    ///     is_linear: true,
    ///     is_normalized: false,
    ///     reads_integers: false,
    /// };
    /// let texture = device.make_texture(&array, sampler);
    /// assert!(device.drop_object(texture));
    /// assert!(!device.drop_object(texture));
    /// # Ok::<(), gridwright_emulator::MemoryError>(())
    /// ```
    #[must_use]
    pub fn make_texture(&self, array: &Array, sampler: Sampler) -> u64 {
        self.objects.add(Object::Texture(array.clone(), sampler))
    }

    /// The number by which kernels write an array.
    #[must_use]
    pub fn make_surface(&self, array: &Array) -> u64 {
        self.objects.add(Object::Surface(array.clone()))
    }

    /// Ends a texture or a surface. Returns whether there was one.
    pub fn drop_object(&self, number: u64) -> bool {
        self.objects.remove(number)
    }
}
