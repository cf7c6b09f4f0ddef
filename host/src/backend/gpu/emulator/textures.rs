//! Textures of the emulator, by its own arrays and objects.

use std::ptr::NonNull;

use gridwright_core::{Address, Filter, FormatKind};
use gridwright_emulator as emulator;

use super::EmulatedGpu;
use crate::Error;
use crate::backend::queued::TextureEngine;
use crate::submission::{TextureKind, TextureObjects, TextureShape};

/// A texture, to which a place's pointer is.
#[derive(Debug)]
struct Texture {
    array: emulator::Array,
    objects: TextureObjects,
}

impl TextureEngine for EmulatedGpu {
    fn allocate(&self, shape: &TextureShape) -> Result<NonNull<u8>, Error> {
        let array = self.device.make_array(of(shape)).map_err(|e| self.memory_error("texture", e))?;
        let sampled = sampler(shape);
        let fetched = emulator::Sampler { is_linear: false, is_normalized: false, ..sampled };
        let objects = TextureObjects {
            sampled: self.device.make_texture(&array, sampled),
            fetched: self.device.make_texture(&array, fetched),
            surface: self.device.make_surface(&array),
        };
        Ok(NonNull::from(Box::leak(Box::new(Texture { array, objects }))).cast())
    }

    unsafe fn free(&self, pointer: NonNull<u8>) {
        // SAFETY: the caller says that `allocate` gave it, of a box, and that nobody uses it.
        let Texture { objects, .. } = *unsafe { Box::from_raw(pointer.as_ptr().cast::<Texture>()) };
        for object in [objects.sampled, objects.fetched, objects.surface] {
            self.device.drop_object(object);
        }
    }

    unsafe fn objects(&self, pointer: NonNull<u8>) -> TextureObjects {
        // SAFETY: the caller says that `allocate` gave the pointer, and that it isn't given back.
        unsafe { texture(&pointer) }.objects
    }

    unsafe fn write(&self, pointer: NonNull<u8>, from: &[u8]) -> Result<(), Error> {
        // SAFETY: the caller says that `allocate` gave the pointer, and that it isn't given back.
        let address = unsafe { texture(&pointer) }.array.address();
        self.device.write(address, from).map_err(|e| self.memory_error("write_texture", e))
    }

    unsafe fn read(&self, pointer: NonNull<u8>, to: &mut [u8]) -> Result<(), Error> {
        // SAFETY: the caller says that `allocate` gave the pointer, and that it isn't given back.
        let address = unsafe { texture(&pointer) }.array.address();
        self.device.read(address, to).map_err(|e| self.memory_error("read_texture", e))
    }

    unsafe fn copy(&self, from: NonNull<u8>, pointer: NonNull<u8>, bytes: usize) -> Result<(), Error> {
        // SAFETY: the caller says that `allocate` gave the pointer, and that it isn't given back.
        let address = unsafe { texture(&pointer) }.array.address();
        let copied = self.device.copy(super::address(from), address, bytes as u64);
        copied.map_err(|e| self.memory_error("copy", e))
    }
}

/// # Safety
/// `allocate` gave the pointer, and the texture isn't given back.
unsafe fn texture(pointer: &NonNull<u8>) -> &Texture {
    // SAFETY: the caller says that `allocate` gave the pointer, and that it isn't given back.
    unsafe { pointer.cast::<Texture>().as_ref() }
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
        ..emulator::Sampler::NEAREST
    }
}
