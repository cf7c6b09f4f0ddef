//! Arrays of texels, and the textures and surfaces of them.

use std::ffi::c_uint;

use gridwright_emulator::{AddressMode, Array as Texels, ArrayKind, ArrayShape, Sampler, TexelKind};

use crate::abi::{In, Out};
use crate::context::{Context, current, ending};
use crate::error::Error;
use crate::memory::scramble;
use crate::process::{Process, process};
use crate::registry::Handle;

const LAYERED: c_uint = 1;
const SURFACE: c_uint = 2;

/// What a `CUarray` is.
pub(crate) struct Array {
    pub(crate) context: &'static Context,
    pub(crate) texels: Texels,
    /// Made so that kernels may write it.
    is_writable: bool,
}

/// `CUDA_ARRAY3D_DESCRIPTOR_v2`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Descriptor {
    width: usize,
    height: usize,
    depth: usize,
    format: c_uint,
    channels: c_uint,
    flags: c_uint,
}

/// `CUDA_ARRAY_DESCRIPTOR_v2`.
#[derive(Clone, Copy)]
#[repr(C)]
struct FlatDescriptor {
    width: usize,
    height: usize,
    format: c_uint,
    channels: c_uint,
}

/// `CUDA_RESOURCE_DESC_v1`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Resource {
    kind: c_uint,
    array: Handle,
    _other_kinds: [u64; 15],
    flags: c_uint,
}

/// `CUDA_TEXTURE_DESC_v1`.
#[derive(Clone, Copy)]
#[repr(C)]
struct TextureDescriptor {
    address: [c_uint; 3],
    filter: c_uint,
    flags: c_uint,
    _anisotropy: c_uint,
    _mipmaps: [u32; 4],
    border: [f32; 4],
    _reserved: [i32; 12],
}

const _: () = assert!(size_of::<Resource>() == 144 && size_of::<TextureDescriptor>() == 104);

/// The most texels of each axis, as attributes of devices say them.
pub(crate) const LINE: u32 = 131_072;
pub(crate) const WRITABLE_LINE: u32 = 32_768;
pub(crate) const PLANE: [u32; 2] = [131_072, 65_536];
pub(crate) const VOLUME: u32 = 16_384;
pub(crate) const LAYER: u32 = 32_768;
pub(crate) const LAYERS: u32 = 2_048;

/// The array of a handle.
pub(crate) fn find(array: Handle) -> Result<std::sync::Arc<Array>, Error> {
    process()?.arrays.get(array).ok_or(Error::INVALID_HANDLE)
}

fn create(array: Out<Handle>, of: Descriptor) -> Result<(), Error> {
    let context = current()?;
    let process = process()?;
    let shape = shape(&of)?;
    if array.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let texels = process.emulator.make_array(shape).map_err(|_| Error::OUT_OF_MEMORY)?;
    scramble(&process.emulator, texels.address(), shape.bytes().ok_or(Error::INVALID_VALUE)?)?;
    let is_writable = of.flags & SURFACE != 0;
    array.put(process.arrays.insert(Array { context, texels, is_writable }))
}

/// An axis that isn't there is zero.
fn shape(of: &Descriptor) -> Result<ArrayShape, Error> {
    if of.flags & !(LAYERED | SURFACE) != 0 {
        return Err(Error::NOT_SUPPORTED);
    }
    let line = if of.flags & SURFACE == 0 { LINE } else { WRITABLE_LINE };
    let (kind, most) = match (of.flags & LAYERED != 0, of.height, of.depth) {
        (false, 0, 0) => (ArrayKind::Line, [line, 1, 1]),
        (false, _, 0) => (ArrayKind::Plane, [PLANE[0], PLANE[1], 1]),
        (false, _, _) => (ArrayKind::Volume, [VOLUME; 3]),
        (true, 0, _) => return Err(Error::NOT_SUPPORTED),
        (true, _, _) => (ArrayKind::Layers, [LAYER, LAYER, LAYERS]),
    };
    let mut extent = [0; 3];
    let axes = match kind {
        ArrayKind::Line => 1,
        ArrayKind::Plane => 2,
        _ => 3,
    };
    for (axis, size) in [of.width, of.height, of.depth].into_iter().enumerate() {
        let size = if axis < axes { u32::try_from(size).map_err(|_| Error::INVALID_VALUE)? } else { 1 };
        if size == 0 || size > most[axis] {
            return Err(Error::INVALID_VALUE);
        }
        extent[axis] = size;
    }
    let (texel, bits) = match of.format {
        0x01 => (TexelKind::Unsigned, 8),
        0x02 => (TexelKind::Unsigned, 16),
        0x03 => (TexelKind::Unsigned, 32),
        0x08 => (TexelKind::Signed, 8),
        0x09 => (TexelKind::Signed, 16),
        0x0a => (TexelKind::Signed, 32),
        0x10 => (TexelKind::Float, 16),
        0x20 => (TexelKind::Float, 32),
        _ => return Err(Error::NOT_SUPPORTED),
    };
    if !matches!(of.channels, 1 | 2 | 4) {
        return Err(Error::INVALID_VALUE);
    }
    Ok(ArrayShape { kind, extent, texel, bits, channels: of.channels })
}

impl Resource {
    /// Only arrays can be looked at.
    fn array(&self) -> Result<std::sync::Arc<Array>, Error> {
        match (self.kind, self.flags) {
            (0, 0) => find(self.array),
            (1..=3, 0) => Err(Error::NOT_SUPPORTED),
            _ => Err(Error::INVALID_VALUE),
        }
    }
}

fn sampler(of: &TextureDescriptor, shape: &ArrayShape) -> Result<Sampler, Error> {
    let mut address = [AddressMode::Clamp; 3];
    for (mode, &number) in address.iter_mut().zip(&of.address) {
        *mode = match number {
            0 => AddressMode::Wrap,
            1 => AddressMode::Clamp,
            2 => AddressMode::Mirror,
            3 => AddressMode::Border,
            _ => return Err(Error::INVALID_VALUE),
        };
    }
    if of.filter > 1 {
        return Err(Error::INVALID_VALUE);
    }
    // Neither sRGB, nor seams of cube maps, nor borders of a colour.
    if of.flags & !3 != 0 || of.border != [0.0; 4] {
        return Err(Error::NOT_SUPPORTED);
    }
    let sampler = Sampler {
        address,
        is_linear: of.filter == 1,
        is_normalized: of.flags & 2 != 0,
        reads_integers: of.flags & 1 != 0,
        ..Sampler::NEAREST
    };
    let reads_floats = shape.texel == TexelKind::Float || (!sampler.reads_integers && shape.bits < 32);
    if sampler.is_linear && !reads_floats { Err(Error::INVALID_VALUE) } else { Ok(sampler) }
}

pub(crate) fn free_all(process: &Process, context: &Context) {
    process.arrays.remove_all(|array| array.context.is(context));
}

driver! {
    fn cuArrayCreate_v2(array: Out<Handle>, descriptor: In<FlatDescriptor>) {
        let FlatDescriptor { width, height, format, channels } = descriptor.get()?;
        create(array, Descriptor { width, height, depth: 0, format, channels, flags: 0 })
    }

    fn cuArray3DCreate_v2(array: Out<Handle>, descriptor: In<Descriptor>) {
        create(array, descriptor.get()?)
    }

    /// What samples it keeps the texels.
    fn cuArrayDestroy(array: Handle) {
        ending()?.arrays.remove(array).map(drop).ok_or(Error::INVALID_HANDLE)
    }

    fn cuTexObjectCreate(texture: Out<u64>, resource: In<Resource>, sampled: In<TextureDescriptor>, view: In<u32>) {
        current()?;
        let array = resource.get()?.array()?;
        if !view.is_null() {
            return Err(Error::NOT_SUPPORTED);
        }
        let sampler = sampler(&sampled.get()?, &array.texels.shape())?;
        if texture.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        texture.put(process()?.emulator.make_texture(&array.texels, sampler))
    }

    fn cuTexObjectDestroy(texture: u64) {
        if ending()?.emulator.drop_object(texture) { Ok(()) } else { Err(Error::INVALID_VALUE) }
    }

    fn cuSurfObjectCreate(surface: Out<u64>, resource: In<Resource>) {
        current()?;
        let array = resource.get()?.array()?;
        if surface.is_null() || !array.is_writable {
            return Err(Error::INVALID_VALUE);
        }
        surface.put(process()?.emulator.make_surface(&array.texels))
    }

    fn cuSurfObjectDestroy(surface: u64) {
        if ending()?.emulator.drop_object(surface) { Ok(()) } else { Err(Error::INVALID_VALUE) }
    }
}
