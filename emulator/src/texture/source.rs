//! What textures are made of, and how a part of that is seen.

use super::{Array, ArrayKind, Level, MipmappedArray, Sampler, TexelFormat, Texture};
use crate::memory::DeviceMemory;
use crate::report::MemoryError;

/// Where the texels of a texture are.
#[derive(Debug, Clone)]
pub enum TextureSource {
    /// In an array.
    Array(Array),
    /// In an array with levels of detail.
    Mipmaps(MipmappedArray),
    /// In a row of memory. It is read by whole texels: neither filters nor address modes apply, and beyond its ends there are zeros.
    Line {
        /// Where the texels begin.
        address: u64,
        /// The numbers of a texel.
        format: TexelFormat,
        /// How many texels there are.
        width: u32,
    },
    /// In rows of memory.
    Plane {
        /// Where the first row begins.
        address: u64,
        /// The numbers of a texel.
        format: TexelFormat,
        /// Texels of a row.
        width: u32,
        /// How many rows there are.
        height: u32,
        /// Bytes from the beginning of a row to that of the next.
        pitch: u64,
    },
}

/// A part of an array, or its texels as others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextureView {
    /// The numbers of a texel, which has as many bytes as one of the array.
    pub format: TexelFormat,
    /// The first and the last level of detail.
    pub levels: [u32; 2],
    /// The first and the last layer.
    pub layers: [u32; 2],
}

impl Texture {
    /// # Errors
    /// Where memory isn't there, or a view is of what isn't.
    pub(crate) fn new(
        memory: &DeviceMemory,
        source: &TextureSource,
        sampler: Sampler,
        view: Option<TextureView>,
    ) -> Result<Self, MemoryError> {
        let of_memory = |kind, address, format: TexelFormat, extent, pitch, is_memory| {
            let level = Level::of_memory(memory, address, format, extent, pitch)?;
            Ok(Self { kind, format, sampler, levels: vec![level], is_memory })
        };
        match source {
            TextureSource::Array(array) => Self::of_arrays(std::slice::from_ref(array), sampler, view),
            TextureSource::Mipmaps(mipmaps) => Self::of_arrays(mipmaps.levels(), sampler, view),
            &TextureSource::Line { address, format, width } => {
                let pitch = u64::from(width) * u64::from(format.bytes());
                of_memory(ArrayKind::Line, address, format, [width, 1], pitch, true)
            }
            &TextureSource::Plane { address, format, width, height, pitch } => {
                of_memory(ArrayKind::Plane, address, format, [width, height], pitch, false)
            }
        }
    }

    /// A whole array.
    pub(crate) fn of_array(array: &Array, sampler: Sampler) -> Self {
        let shape = array.shape();
        let levels = vec![Level::of_array(array)];
        Self { kind: shape.kind, format: shape.format(), sampler, levels, is_memory: false }
    }

    fn of_arrays(arrays: &[Array], sampler: Sampler, view: Option<TextureView>) -> Result<Self, MemoryError> {
        let Some(finest) = arrays.first() else {
            return Err(MemoryError::NotAllocated { address: 0 });
        };
        let shape = finest.shape();
        let layers = if shape.kind.has_layers() { shape.extent[2] } else { 1 };
        let view = view.unwrap_or_else(|| TextureView {
            format: shape.format(),
            levels: [0, arrays.len() as u32 - 1],
            layers: [0, layers - 1],
        });
        let TextureView { format, levels: [first, last], layers: [first_layer, last_layer] } = view;
        let count = last_layer.checked_sub(first_layer).map_or(0, |count| count + 1);
        let whole_cubes = !shape.kind.is_cube() || first_layer % 6 == 0 && count % 6 == 0;
        let arrays = arrays.get(first as usize..=last as usize).filter(|arrays| !arrays.is_empty());
        let (Some(arrays), true) = (arrays, count > 0 && last_layer < layers && whole_cubes) else {
            return Err(MemoryError::NoArray { shape });
        };
        if !format.is_known() || format.bytes() != shape.texel_bytes() {
            return Err(MemoryError::NoArray { shape });
        }
        let levels = arrays.iter().map(|array| {
            let level = Level::of_array(array);
            if shape.kind.has_layers() { level.layers(first_layer, count) } else { level }
        });
        Ok(Self { kind: shape.kind, format, sampler, levels: levels.collect(), is_memory: false })
    }
}
