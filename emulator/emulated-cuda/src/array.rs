//! Arrays of texels, with levels of detail or without.

use std::ffi::{c_int, c_uint};
use std::sync::Arc;

use gridwright_emulator::{Array as Texels, ArrayKind, ArrayShape, MipmappedArray as Levels};

use crate::abi::{In, Out};
use crate::context::{Context, current, ending};
use crate::error::Error;
use crate::memory::{ALLOCATIONS, Counted, scramble};
use crate::process::{process, started};
use crate::registry::{Handle, Registry};
use crate::texel_format;

const LAYERED: c_uint = 1;
const SURFACE: c_uint = 2;
const CUBE: c_uint = 4;
const GATHER: c_uint = 8;
const COLOR_ATTACHMENT: c_uint = 0x20;

pub(crate) static ARRAYS: Registry<Array> = Registry::new(12);

/// What a `CUarray` is.
pub(crate) struct Array {
    pub(crate) context: &'static Context,
    pub(crate) texels: Texels,
    /// The flags that it was made with.
    flags: c_uint,
    /// Bytes that are counted; none for a level of detail, whose array counts them.
    counted: Option<Counted>,
}

impl Array {
    /// Made so that kernels may write it.
    pub(crate) fn is_writable(&self) -> bool {
        self.flags & SURFACE != 0
    }
}

pub(crate) static MIPMAPPED_ARRAYS: Registry<MipmappedArray> = Registry::new(30);

/// What a `CUmipmappedArray` is.
pub(crate) struct MipmappedArray {
    pub(crate) context: &'static Context,
    pub(crate) levels: Levels,
    handles: Vec<Handle>,
    _counted: Counted,
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
pub(crate) struct FlatDescriptor {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) format: c_uint,
    pub(crate) channels: c_uint,
}

/// `CUDA_ARRAY_MEMORY_REQUIREMENTS_v1`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Requirements {
    size: usize,
    alignment: usize,
    reserved: [c_uint; 4],
}

const _: () = assert!(size_of::<Descriptor>() == 40 && size_of::<FlatDescriptor>() == 24);
const _: () = assert!(size_of::<Requirements>() == 32);

/// The most texels of each axis, as attributes of devices say them.
pub(crate) const LINE: u32 = 131_072;
pub(crate) const WRITABLE_LINE: u32 = 32_768;
pub(crate) const PLANE: [u32; 2] = [131_072, 65_536];
pub(crate) const VOLUME: u32 = 16_384;
/// Width and height of a layer, of a face of a cube, of an array with levels of detail, and of one that is gathered from.
pub(crate) const LAYER: u32 = 32_768;
pub(crate) const LAYERS: u32 = 2_048;
/// Faces of all cubes of an array.
pub(crate) const FACES: u32 = 2_046;
/// Where arrays and textures in memory begin.
pub(crate) const ALIGNMENT: usize = 512;

/// The array of a handle.
pub(crate) fn find(array: Handle) -> Result<Arc<Array>, Error> {
    started(&ARRAYS)?.get(array).ok_or(Error::INVALID_HANDLE)
}

/// The array with levels of detail of a handle.
pub(crate) fn find_mipmapped(array: Handle) -> Result<Arc<MipmappedArray>, Error> {
    started(&MIPMAPPED_ARRAYS)?.get(array).ok_or(Error::INVALID_HANDLE)
}

fn create(array: Out<Handle>, of: Descriptor) -> Result<(), Error> {
    let context = current()?;
    let process = process()?;
    let shape = shape(&of, false)?;
    if array.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let bytes = shape.bytes().ok_or(Error::INVALID_VALUE)?;
    let counted = ALLOCATIONS.count(process, context.device, bytes)?;
    let texels = process.emulator.make_array(shape).map_err(|_| Error::OUT_OF_MEMORY)?;
    scramble(&process.emulator, texels.address(), bytes)?;
    array.put(ARRAYS.insert(Array { context, texels, flags: of.flags, counted: Some(counted) }))
}

fn create_mipmapped(array: Out<Handle>, of: Descriptor, levels: c_uint) -> Result<(), Error> {
    let context = current()?;
    let process = process()?;
    let shape = shape(&of, true)?;
    if array.is_null() || levels == 0 {
        return Err(Error::INVALID_VALUE);
    }
    // More than there can be are as many as there can be.
    let levels = levels.min(shape.most_levels());
    let bytes = (0..levels).try_fold(0, |sum: u64, level| sum.checked_add(shape.level(level).bytes()?));
    let counted = ALLOCATIONS.count(process, context.device, bytes.ok_or(Error::INVALID_VALUE)?)?;
    let made = process.emulator.make_mipmapped_array(shape, levels).map_err(|_| Error::OUT_OF_MEMORY)?;
    let mut handles = Vec::new();
    for texels in made.levels() {
        let bytes = texels.shape().bytes().ok_or(Error::INVALID_VALUE)?;
        scramble(&process.emulator, texels.address(), bytes)?;
        let level = Array { context, texels: texels.clone(), flags: of.flags, counted: None };
        handles.push(ARRAYS.insert(level));
    }
    let made = MipmappedArray { context, levels: made, handles, _counted: counted };
    array.put(MIPMAPPED_ARRAYS.insert(made))
}

/// An axis that isn't there is zero.
fn shape(of: &Descriptor, has_levels: bool) -> Result<ArrayShape, Error> {
    if of.flags & !(LAYERED | SURFACE | CUBE | GATHER | COLOR_ATTACHMENT) != 0 {
        return Err(Error::NOT_SUPPORTED);
    }
    let (is_layered, is_cube) = (of.flags & LAYERED != 0, of.flags & CUBE != 0);
    let line = match (has_levels, of.flags & SURFACE == 0) {
        (false, true) => LINE,
        _ => WRITABLE_LINE,
    };
    let plane = if has_levels || of.flags & GATHER != 0 { [LAYER; 2] } else { PLANE };
    let (kind, most) = match (is_cube, is_layered, of.height, of.depth) {
        (true, false, _, _) => (ArrayKind::Cube, [LAYER, LAYER, 6]),
        (true, true, _, _) => (ArrayKind::CubeLayers, [LAYER, LAYER, FACES]),
        (_, true, 0, _) => (ArrayKind::LineLayers, [LAYER, 1, LAYERS]),
        (_, true, _, _) => (ArrayKind::Layers, [LAYER, LAYER, LAYERS]),
        (_, _, 0, 0) => (ArrayKind::Line, [line, 1, 1]),
        (_, _, _, 0) => (ArrayKind::Plane, [plane[0], plane[1], 1]),
        (_, _, _, _) => (ArrayKind::Volume, [VOLUME; 3]),
    };
    // Four texels of a plane are gathered.
    if of.flags & GATHER != 0 && !matches!(kind, ArrayKind::Plane | ArrayKind::Layers) {
        return Err(Error::INVALID_VALUE);
    }
    let is_there = match kind {
        ArrayKind::Line => [true, false, false],
        ArrayKind::Plane => [true, true, false],
        ArrayKind::LineLayers => [true, false, true],
        _ => [true; 3],
    };
    let mut extent = [1; 3];
    for (axis, size) in
        [of.width, of.height, of.depth].into_iter().enumerate().filter(|(axis, _)| is_there[*axis])
    {
        extent[axis] = u32::try_from(size).map_err(|_| Error::INVALID_VALUE)?;
        if extent[axis] == 0 || extent[axis] > most[axis] {
            return Err(Error::INVALID_VALUE);
        }
    }
    if is_cube && (extent[0] != extent[1] || extent[2] % 6 != 0) {
        return Err(Error::INVALID_VALUE);
    }
    let format = texel_format::parse(of.format, of.channels)?;
    Ok(ArrayShape { kind, extent, texel: format.texel, bits: format.bits, channels: format.channels })
}

/// What an array was made of.
fn described(array: &Array) -> Descriptor {
    let shape = array.texels.shape();
    let [width, height, depth] = shape.extent.map(|size| size as usize);
    let (height, depth) = match shape.kind {
        ArrayKind::Line => (0, 0),
        ArrayKind::Plane => (height, 0),
        ArrayKind::LineLayers => (0, depth),
        _ => (height, depth),
    };
    let format = texel_format::number(shape.format());
    Descriptor { width, height, depth, format, channels: shape.channels, flags: array.flags }
}

driver! {
    fn cuArrayCreate_v2(array: Out<Handle>, descriptor: In<FlatDescriptor>) {
        let FlatDescriptor { width, height, format, channels } = descriptor.get()?;
        create(array, Descriptor { width, height, depth: 0, format, channels, flags: 0 })
    }

    fn cuArray3DCreate_v2(array: Out<Handle>, descriptor: In<Descriptor>) {
        create(array, descriptor.get()?)
    }

    fn cuArrayGetDescriptor_v2(descriptor: Out<FlatDescriptor>, array: Handle) {
        current()?;
        let Descriptor { width, height, format, channels, .. } = described(&*find(array)?);
        descriptor.put(FlatDescriptor { width, height, format, channels })
    }

    fn cuArray3DGetDescriptor_v2(descriptor: Out<Descriptor>, array: Handle) {
        current()?;
        descriptor.put(described(&*find(array)?))
    }

    /// Of any array, though memory can't be bound to one later.
    fn cuArrayGetMemoryRequirements(requirements: Out<Requirements>, array: Handle, device: c_int) {
        process()?.gpu(device)?;
        let bytes = find(array)?.texels.shape().bytes().ok_or(Error::INVALID_VALUE)?;
        requirements.put(Requirements { size: bytes as usize, alignment: ALIGNMENT, reserved: [0; 4] })
    }

    /// What samples it keeps the texels. Levels of detail go with their array.
    fn cuArrayDestroy(array: Handle) {
        ending()?;
        if ARRAYS.get(array).is_some_and(|array| array.counted.is_none()) {
            return Err(Error::INVALID_VALUE);
        }
        ARRAYS.remove(array).map(drop).ok_or(Error::INVALID_HANDLE)
    }

    fn cuMipmappedArrayCreate(array: Out<Handle>, descriptor: In<Descriptor>, levels: c_uint) {
        create_mipmapped(array, descriptor.get()?, levels)
    }

    /// A level is the same array each time.
    fn cuMipmappedArrayGetLevel(level: Out<Handle>, array: Handle, number: c_uint) {
        current()?;
        let found = find_mipmapped(array)?;
        level.put(found.handles.get(number as usize).copied().ok_or(Error::INVALID_VALUE)?)
    }

    fn cuMipmappedArrayGetMemoryRequirements(requirements: Out<Requirements>, array: Handle, device: c_int) {
        process()?.gpu(device)?;
        let found = find_mipmapped(array)?;
        let bytes = found.levels.levels().iter().filter_map(|level| level.shape().bytes()).sum::<u64>();
        requirements.put(Requirements { size: bytes as usize, alignment: ALIGNMENT, reserved: [0; 4] })
    }

    /// What samples it keeps the texels.
    fn cuMipmappedArrayDestroy(array: Handle) {
        ending()?;
        let removed = MIPMAPPED_ARRAYS.remove(array).ok_or(Error::INVALID_HANDLE)?;
        for handle in &removed.handles {
            ARRAYS.remove(*handle);
        }
        Ok(())
    }
}
