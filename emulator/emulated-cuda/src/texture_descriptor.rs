//! What textures are made of, as `cuda.h` describes it.

use std::ffi::c_uint;

use gridwright_emulator::{
    AddressMode, ArrayKind, MipmapSampler, Sampler, TexelFormat, TexelKind, TextureSource, TextureView,
};

use crate::array::{self, ALIGNMENT};
use crate::error::Error;
use crate::memory::is_covered;
use crate::process::Process;
use crate::registry::Handle;
use crate::texel_format;

/// `CUDA_RESOURCE_DESC_v1`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Resource {
    kind: c_uint,
    /// An array; or an address, a format and its channels, and sizes.
    words: [u64; 16],
    flags: c_uint,
}

/// `CUDA_TEXTURE_DESC_v1`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct TextureDescriptor {
    pub(crate) address: [c_uint; 3],
    pub(crate) filter: c_uint,
    pub(crate) flags: c_uint,
    pub(crate) anisotropy: c_uint,
    pub(crate) mipmap_filter: c_uint,
    pub(crate) bias: f32,
    pub(crate) range: [f32; 2],
    pub(crate) border: [f32; 4],
    reserved: [i32; 12],
}

/// `CUDA_RESOURCE_VIEW_DESC_v1`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct View {
    format: c_uint,
    extent: [usize; 3],
    levels: [c_uint; 2],
    layers: [c_uint; 2],
    reserved: [c_uint; 16],
}

const _: () = assert!(size_of::<Resource>() == 144 && size_of::<TextureDescriptor>() == 104);
const _: () = assert!(size_of::<View>() == 112);

const ARRAY: c_uint = 0;
const MIPMAPPED: c_uint = 1;
const LINEAR: c_uint = 2;
const PITCHED: c_uint = 3;

const READ_AS_INTEGER: c_uint = 1;
const NORMALIZED_COORDINATES: c_uint = 2;
const SRGB: c_uint = 0x10;
const NO_TRILINEAR_OPTIMIZATION: c_uint = 0x20;
const SEAMLESS: c_uint = 0x40;

/// The most texels of textures in memory, as attributes of devices say them, and the most bytes from row to row.
pub(crate) const LINEAR_WIDTH: u32 = 1 << 28;
pub(crate) const PITCHED_EXTENT: [u32; 2] = [131_072, 65_000];
pub(crate) const MOST_PITCH: u32 = 2_097_120;
/// Bytes of which the distance from row to row is a multiple.
pub(crate) const PITCH_ALIGNMENT: u32 = 32;

impl TextureDescriptor {
    /// As a reference to a texture has it at first.
    pub(crate) const FIRST: Self = Self {
        address: [1; 3],
        filter: 0,
        flags: 0,
        anisotropy: 0,
        mipmap_filter: 0,
        bias: 0.0,
        range: [0.0; 2],
        border: [0.0; 4],
        reserved: [0; 12],
    };

    /// # Errors
    /// Where there is no such mode, or integers are to be filtered.
    pub(crate) fn sampler(&self, format: TexelFormat, is_line: bool) -> Result<Sampler, Error> {
        let known = READ_AS_INTEGER | NORMALIZED_COORDINATES | SRGB | NO_TRILINEAR_OPTIMIZATION | SEAMLESS;
        if self.filter > 1 || self.mipmap_filter > 1 || self.flags & !known != 0 {
            return Err(Error::INVALID_VALUE);
        }
        let mut address = [AddressMode::Clamp; 3];
        for (mode, &number) in address.iter_mut().zip(&self.address) {
            *mode = match number {
                0 => AddressMode::Wrap,
                1 => AddressMode::Clamp,
                2 => AddressMode::Mirror,
                3 => AddressMode::Border,
                _ => return Err(Error::INVALID_VALUE),
            };
        }
        let sampler = Sampler {
            address,
            is_linear: self.filter == 1,
            is_normalized: self.flags & NORMALIZED_COORDINATES != 0,
            reads_integers: self.flags & READ_AS_INTEGER != 0,
            border: self.border,
            converts_srgb: self.flags & SRGB != 0,
            is_seamless: self.flags & SEAMLESS != 0,
            mipmaps: MipmapSampler { is_linear: self.mipmap_filter == 1, bias: self.bias, range: self.range },
        };
        let reads_integers = match format.texel {
            TexelKind::Unsigned | TexelKind::Signed => sampler.reads_integers || format.bits == 32,
            _ => false,
        };
        // Filters of a row of memory are ignored.
        if sampler.is_linear && reads_integers && !is_line { Err(Error::INVALID_VALUE) } else { Ok(sampler) }
    }
}

impl Resource {
    fn handle(&self) -> Handle {
        Handle(self.words[0] as usize)
    }

    /// The array of a surface.
    pub(crate) fn array(&self) -> Result<std::sync::Arc<array::Array>, Error> {
        match (self.kind, self.flags) {
            (ARRAY, 0) => array::find(self.handle()),
            _ => Err(Error::INVALID_VALUE),
        }
    }

    /// Where the texels are, and their format.
    pub(crate) fn source(&self, process: &Process) -> Result<(TextureSource, TexelFormat), Error> {
        if self.flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        match self.kind {
            ARRAY => {
                let array = array::find(self.handle())?;
                Ok((TextureSource::Array(array.texels.clone()), array.texels.shape().format()))
            }
            MIPMAPPED => {
                let array = array::find_mipmapped(self.handle())?;
                let finest = array.levels.levels().first().ok_or(Error::INVALID_VALUE)?;
                Ok((TextureSource::Mipmaps(array.levels.clone()), finest.shape().format()))
            }
            LINEAR | PITCHED => {
                let [address, format, size, height, pitch, ..] = self.words;
                let format = texel_format::parse(format as c_uint, (format >> 32) as c_uint)?;
                if !address.is_multiple_of(ALIGNMENT as u64) {
                    return Err(Error::INVALID_VALUE);
                }
                let source = if self.kind == LINEAR {
                    line(process, address, format, size)
                } else {
                    plane(process, address, format, [size, height], pitch)
                };
                Ok((source?, format))
            }
            _ => Err(Error::INVALID_VALUE),
        }
    }
}

/// Texels in so many bytes of memory.
pub(crate) fn line(
    process: &Process,
    address: u64,
    format: TexelFormat,
    bytes: u64,
) -> Result<TextureSource, Error> {
    let width = bytes / u64::from(format.bytes());
    if width == 0 || width > LINEAR_WIDTH.into() || !is_covered(process, address, bytes) {
        return Err(Error::INVALID_VALUE);
    }
    Ok(TextureSource::Line { address, format, width: width as u32 })
}

/// Rows of texels in memory.
pub(crate) fn plane(
    process: &Process,
    address: u64,
    format: TexelFormat,
    [width, height]: [u64; 2],
    pitch: u64,
) -> Result<TextureSource, Error> {
    let [most_width, most_height] = PITCHED_EXTENT.map(u64::from);
    let row = width.saturating_mul(format.bytes().into());
    let is_fine = (1..=most_width).contains(&width)
        && (1..=most_height).contains(&height)
        && (row..=MOST_PITCH.into()).contains(&pitch)
        && pitch.is_multiple_of(PITCH_ALIGNMENT.into());
    if !is_fine || !is_covered(process, address, pitch * (height - 1) + row) {
        return Err(Error::INVALID_VALUE);
    }
    Ok(TextureSource::Plane { address, format, width: width as u32, height: height as u32, pitch })
}

impl View {
    /// The part of an array; none of memory.
    ///
    /// # Errors
    /// Where sizes aren't those of the part.
    pub(crate) fn part(&self, source: &TextureSource, own: TexelFormat) -> Result<TextureView, Error> {
        let arrays = match source {
            TextureSource::Array(array) => std::slice::from_ref(array),
            TextureSource::Mipmaps(mipmaps) => mipmaps.levels(),
            TextureSource::Line { .. } | TextureSource::Plane { .. } => return Err(Error::INVALID_VALUE),
        };
        let format = texel_format::of_view(self.format)?.unwrap_or(own);
        let first = arrays.get(self.levels[0] as usize).ok_or(Error::INVALID_VALUE)?;
        let shape = first.shape();
        let [width, height, depth] = shape.extent.map(|size| size as usize);
        let (height, depth) = match shape.kind {
            ArrayKind::Line => (0, 0),
            ArrayKind::Plane => (height, 0),
            ArrayKind::LineLayers => (0, depth),
            _ => (height, depth),
        };
        // The depth of layers is how many there are, in the view or in all.
        let layers = (self.layers[1] as usize).checked_sub(self.layers[0] as usize).map(|more| more + 1);
        let has_layers = !matches!(shape.kind, ArrayKind::Line | ArrayKind::Plane | ArrayKind::Volume);
        let is_depth = self.extent[2] == depth || has_layers && Some(self.extent[2]) == layers;
        if self.extent[..2] != [width, height] || !is_depth {
            return Err(Error::INVALID_VALUE);
        }
        Ok(TextureView { format, levels: self.levels, layers: self.layers })
    }
}
