//! Textures: plain memory, unless the driver has objects for them.

use std::ptr::NonNull;

use super::handles::{Address, StreamHandle};
use super::state::{Dropped, DroppedMemory};
use super::status::{Called, Status, done};
use super::{Driver, Vendor};
use crate::Error;
use crate::backend::{DeviceMemory, Textures};
use crate::submission::{
    Access, Contents, Home, Kind, Memory, Place, StreamId, TextureLimits, TextureObjects, TextureShape,
};

/// What a vendor's driver does with textures.
pub(crate) trait TextureDriver {
    /// The most texels of each axis.
    fn limits(&self) -> Result<TextureLimits, Called>;

    /// A function that the driver needs for textures and lacks.
    fn lacking(&self) -> Option<&'static str>;

    /// Makes a texture. The device is entered.
    fn make(&self, shape: &TextureShape) -> Result<DriverTexture, Called>;

    /// Copies all texels, between the texture and memory where they lie row after row.
    ///
    /// # Safety
    /// The texture is of this shape, and the memory has as many bytes until the copy is done.
    unsafe fn copy(
        &self,
        texture: &DriverTexture,
        shape: &TextureShape,
        memory: TextureCopy,
        stream: StreamHandle,
    ) -> Called;

    /// Gives a texture back that nobody uses any more. The device is entered.
    fn destroy(&self, texture: &DriverTexture);
}

/// A texture of a driver. A place's pointer is to one.
#[derive(Debug)]
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only CUDA's driver has them"))]
pub(crate) struct DriverTexture {
    /// The driver's array of texels, a pointer that nobody follows.
    pub(crate) array: usize,
    pub(crate) objects: TextureObjects,
}

/// The memory that texels come from or go to.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "only CUDA's driver has textures"))]
pub(crate) enum TextureCopy {
    FromHost(*const u8),
    ToHost(*mut u8),
    FromDevice(Address),
}

/// # Safety
/// The place is that of a texture which `allocate_texture` made of the driver's, and which isn't freed.
unsafe fn texture(place: &Place) -> &DriverTexture {
    // SAFETY: the caller says that `allocate_texture` made it of a box of this type, which isn't freed.
    unsafe { place.pointer.cast::<DriverTexture>().as_ref() }
}

impl<V: Vendor> Driver<V> {
    /// Frees a texture behind its uses. There is no order of streams for that: the host sees to it.
    ///
    /// # Safety
    /// As for [`Backend::free`], of a texture of the driver's.
    pub(super) unsafe fn free_texture(&self, memory: Memory) {
        // SAFETY: `allocate_texture` made it of a box, and nobody else has it any more.
        let texture = unsafe { Box::from_raw(memory.pointer.as_ptr().cast::<DriverTexture>()) };
        let entered = self.enter();
        let state = &mut *self.lock();
        let uses: Vec<_> = state.unfinished(memory.id).collect();
        state.remove_memory(memory.id);
        state.dropped.push(Dropped { memory: DroppedMemory::Texture(texture), uses });
        if entered.is_ok() {
            self.free_dropped(state);
        }
    }

    /// Gives a texture back now. The device is entered.
    pub(super) fn destroy_texture(&self, texture: &DriverTexture) {
        if let Some(driver) = self.vendor.textures() {
            driver.destroy(texture);
        }
    }
}

impl<V: Vendor> Textures for Driver<V> {
    fn texture_limits(&self) -> Result<TextureLimits, Error> {
        let Some(driver) = self.vendor.textures() else { return Ok(TextureLimits::PORTABLE) };
        drop(self.begin()?);
        if let Some(lacking) = driver.lacking() {
            return Err(Error::TexturesMissing { device: self.name.clone(), lacking });
        }
        driver.limits().map_err(|(call, status)| self.error(call, status))
    }

    fn allocate_texture(&self, stream: StreamId, shape: &TextureShape) -> Result<Memory, Error> {
        let Some(driver) = self.vendor.textures() else {
            return self.allocate(stream, shape.bytes(), Contents::Unset);
        };
        let mut state = self.begin()?;
        let mut made = driver.make(shape);
        if matches!(made, Err((_, Status::OUT_OF_MEMORY))) {
            // What was dropped may still be in use, or in the pool.
            drop(state);
            self.reclaim();
            state = self.begin()?;
            made = driver.make(shape);
        }
        let texture = match made {
            Ok(texture) => Box::into_raw(Box::new(texture)),
            Err((_, Status::OUT_OF_MEMORY)) => return Err(self.out_of_memory(shape.bytes())),
            Err((call, status)) => return Err(self.error_in(&state, call, status)),
        };
        let pointer = NonNull::new(texture.cast()).ok_or_else(|| self.out_of_memory(shape.bytes()))?;
        Ok(Memory { pointer, id: state.add_memory(), home: Home::Texture })
    }

    unsafe fn texture_objects(&self, place: Place) -> TextureObjects {
        if place.home == Home::Texture {
            // SAFETY: the caller says that `allocate_texture` made it, and has it still; by its home it is the driver's.
            return unsafe { texture(&place) }.objects;
        }
        let address = super::address(place.pointer);
        TextureObjects { sampled: address, fetched: address, surface: address }
    }

    unsafe fn write_texture(
        &self,
        stream: StreamId,
        to: Place,
        shape: &TextureShape,
        from: &[u8],
    ) -> Result<(), Error> {
        let Some(driver) = self.vendor.textures() else {
            // SAFETY: `to` is plain memory of all texels here, and the caller says that `from` has as many bytes.
            return unsafe { self.write(stream, to, from) };
        };
        let access = Access { memory: to.memory, kind: Kind::Write };
        let (_turn, raw, number) = self.wait_on(stream, access, to.is_shared)?;
        // SAFETY: the caller says that it is a texture of this shape, and that there are as many bytes; the stream waits for the
        // texture's other uses, and the slice is borrowed until the copy is done.
        let (call, status) =
            unsafe { driver.copy(texture(&to), shape, TextureCopy::FromHost(from.as_ptr()), raw) };
        // Also after an error: nothing may read the slice when this returns.
        let finished = self.wait_for_stream(stream, raw, number);
        self.checked(call, status)?;
        finished
    }

    unsafe fn read_texture(
        &self,
        stream: StreamId,
        from: Place,
        shape: &TextureShape,
        to: &mut [u8],
    ) -> Result<(), Error> {
        let Some(driver) = self.vendor.textures() else {
            // SAFETY: `from` is plain memory of all texels here, and the caller says that `to` has room for as many bytes.
            return unsafe { self.read(stream, from, to) };
        };
        let access = Access { memory: from.memory, kind: Kind::Read };
        let (turn, raw, number) = self.wait_on(stream, access, from.is_shared)?;
        // SAFETY: the caller says that it is a texture of this shape, and that there is room for as many bytes; the stream waits
        // for what writes it. Slice and texture are borrowed until the copy is done.
        let (call, status) =
            unsafe { driver.copy(texture(&from), shape, TextureCopy::ToHost(to.as_mut_ptr()), raw) };
        // Also after an error: nothing may write to the slice when this returns.
        let finished = self.wait_for_stream(stream, raw, number);
        // Before the program is told anything.
        drop(turn);
        self.checked(call, status)?;
        finished?;
        self.report()
    }

    unsafe fn copy_to_texture(
        &self,
        stream: StreamId,
        from: Place,
        to: Place,
        shape: &TextureShape,
    ) -> Result<(), Error> {
        let Some(driver) = self.vendor.textures() else {
            // SAFETY: `to` is plain memory of its own for all texels here; the caller says that `from` has as many bytes.
            return unsafe { self.copy(stream, from, to, shape.bytes()) };
        };
        let accesses = [
            Access { memory: from.memory, kind: Kind::Read },
            Access { memory: to.memory, kind: Kind::Write },
        ];
        self.submit(stream, &accesses, |_, stream| {
            let from = TextureCopy::FromDevice(super::address(from.pointer));
            // SAFETY: the caller says that `to` is a texture of this shape, and that `from` has as many bytes; the stream waits for
            // the other uses of both, and both are freed behind this one.
            let (call, status) = unsafe { driver.copy(texture(&to), shape, from, stream) };
            done(call, status)
        })
        .map(|_| ())
    }
}
