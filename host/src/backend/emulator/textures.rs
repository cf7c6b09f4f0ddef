//! Textures of the emulator, by its own arrays and objects.

use std::ptr::NonNull;

use gridwright_core::{Address, Filter, FormatKind};
use gridwright_emulator as emulator;

use super::{Emulator, NAME};
use crate::Error;
use crate::backend::{
    Backend, Home, Memory, MemoryId, Place, StreamId, TextureKind, TextureObjects, TextureShape, Textures,
};

/// A texture, to which a place's pointer is.
#[derive(Debug)]
struct Texture {
    array: emulator::Array,
    objects: TextureObjects,
}

impl Textures for Emulator {
    fn allocate_texture(&self, _: StreamId, shape: &TextureShape) -> Result<Memory, Error> {
        let array = self.device.make_array(of(shape)).map_err(|e| self.memory_error("texture", e))?;
        let sampled = sampler(shape);
        let fetched = emulator::Sampler { is_linear: false, is_normalized: false, ..sampled };
        let objects = TextureObjects {
            sampled: self.device.make_texture(&array, sampled),
            fetched: self.device.make_texture(&array, fetched),
            surface: self.device.make_surface(&array),
        };
        let texture = Box::into_raw(Box::new(Texture { array, objects }));
        let pointer = NonNull::new(texture.cast());
        let none = || Error::Backend { device: NAME.into(), call: "texture", message: "no address".into() };
        Ok(Memory { pointer: pointer.ok_or_else(none)?, id: MemoryId(0), home: Home::Texture })
    }

    unsafe fn texture_objects(&self, place: Place) -> TextureObjects {
        // SAFETY: `allocate_texture` made it, by contract.
        unsafe { texture(&place) }.objects
    }

    unsafe fn write_texture(
        &self,
        _: StreamId,
        to: Place,
        _: &TextureShape,
        from: &[u8],
    ) -> Result<(), Error> {
        let _turn = self.turn(to.is_shared);
        // SAFETY: the caller's contract.
        let address = unsafe { texture(&to) }.array.address();
        self.device.write(address, from).map_err(|e| self.memory_error("write_texture", e))
    }

    unsafe fn read_texture(
        &self,
        stream: StreamId,
        from: Place,
        _: &TextureShape,
        to: &mut [u8],
    ) -> Result<(), Error> {
        self.synchronize(stream)?;
        let _turn = self.turn(from.is_shared);
        // SAFETY: the caller's contract.
        let address = unsafe { texture(&from) }.array.address();
        self.device.read(address, to).map_err(|e| self.memory_error("read_texture", e))
    }

    unsafe fn copy_to_texture(
        &self,
        _: StreamId,
        from: Place,
        to: Place,
        shape: &TextureShape,
    ) -> Result<(), Error> {
        let _turn = self.turn(from.is_shared || to.is_shared);
        // SAFETY: the caller's contract.
        let address = unsafe { texture(&to) }.array.address();
        let copied = self.device.copy(super::address(from.pointer), address, shape.bytes() as u64);
        copied.map_err(|e| self.memory_error("copy", e))
    }
}

impl Emulator {
    /// Frees a texture.
    ///
    /// # Safety
    /// `allocate_texture` gave the pointer, and nobody uses it any more.
    pub(super) unsafe fn free_texture(&self, pointer: NonNull<u8>) {
        // SAFETY: the caller's contract.
        let Texture { objects, .. } = *unsafe { Box::from_raw(pointer.as_ptr().cast::<Texture>()) };
        for object in [objects.sampled, objects.fetched, objects.surface] {
            self.device.drop_object(object);
        }
    }
}

/// # Safety
/// The place is that of a texture which `allocate_texture` made, and which isn't freed.
unsafe fn texture(place: &Place) -> &Texture {
    // SAFETY: the caller's contract.
    unsafe { place.pointer.cast::<Texture>().as_ref() }
}

fn of(shape: &TextureShape) -> emulator::ArrayShape {
    emulator::ArrayShape {
        kind: match shape.kind {
            TextureKind::Line => emulator::ArrayKind::Line,
            TextureKind::Plane => emulator::ArrayKind::Plane,
            TextureKind::Volume => emulator::ArrayKind::Volume,
            TextureKind::Layers => emulator::ArrayKind::Layers,
        },
        // Within limits, which are below that.
        extent: shape.extent.map(|size| size as u32),
        texel: match shape.format.kind {
            FormatKind::Unsigned | FormatKind::UnsignedNorm => emulator::TexelKind::Unsigned,
            FormatKind::Signed | FormatKind::SignedNorm => emulator::TexelKind::Signed,
            FormatKind::Float => emulator::TexelKind::Float,
        },
        bits: shape.format.bits,
        channels: shape.channels as u32,
    }
}

fn sampler(shape: &TextureShape) -> emulator::Sampler {
    let mode = match shape.sampling.address_mode() {
        Address::Clamp => emulator::AddressMode::Clamp,
        Address::Border => emulator::AddressMode::Border,
        Address::Wrap => emulator::AddressMode::Wrap,
        Address::Mirror => emulator::AddressMode::Mirror,
    };
    emulator::Sampler {
        address: [mode; 3],
        is_linear: shape.sampling.filter() == Filter::Linear,
        is_normalized: shape.sampling.is_normalized(),
        reads_integers: !shape.format.kind.is_read_as_float(),
    }
}
