use std::sync::Arc;

use crate::memory::{Backing, DeviceMemory};
use crate::report::MemoryError;

/// What an array is made of.
///
/// ```
/// use gridwright_emulator::{ArrayKind, ArrayShape, TexelKind};
///
/// let image = ArrayShape {
///     kind: ArrayKind::Plane,
///     extent: [640, 480, 1],
///     texel: TexelKind::Unsigned,
///     bits: 8,
///     channels: 4,
/// };
/// assert_eq!(image.bytes(), Some(640 * 480 * 4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayShape {
    /// How many dimensions there are.
    pub kind: ArrayKind,
    /// Width, height, and depth or layers; 1 where there is no such axis.
    pub extent: [u32; 3],
    /// The numbers of a texel.
    pub texel: TexelKind,
    /// Bits of each number: 8, 16 or 32.
    pub bits: u32,
    /// How many numbers a texel has: 1, 2 or 4.
    pub channels: u32,
}

/// How many dimensions an array has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrayKind {
    /// One dimension.
    Line,
    /// Two dimensions.
    Plane,
    /// Three dimensions.
    Volume,
    /// Two dimensions, and layers.
    Layers,
}

/// What the numbers of a texel are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TexelKind {
    /// Integers without a sign.
    Unsigned,
    /// Integers with a sign.
    Signed,
    /// Floats, of 16 or 32 bits.
    Float,
}

impl ArrayShape {
    /// Bytes of a texel.
    #[must_use]
    pub fn texel_bytes(&self) -> u32 {
        self.bits / 8 * self.channels
    }

    /// Bytes of all texels; none where no number holds that.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        let [width, height, depth] = self.extent.map(u64::from);
        width.checked_mul(height)?.checked_mul(depth)?.checked_mul(self.texel_bytes().into())
    }

    fn is_known(&self) -> bool {
        let is_float = self.texel == TexelKind::Float;
        matches!((self.bits, is_float), (8, false) | (16 | 32, _)) && matches!(self.channels, 1 | 2 | 4)
    }
}

/// Texels in a device's memory, row after row, plane after plane. Clones share them; they are freed with the last, and with the last
/// texture and surface of them.
#[derive(Debug, Clone)]
pub struct Array {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    shape: ArrayShape,
    address: u64,
    backing: Arc<Backing>,
    memory: Arc<DeviceMemory>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // It was allocated by `new`; a caller that freed it did what this does.
        let _ = self.memory.free(self.address);
    }
}

impl Array {
    pub(crate) fn new(memory: &Arc<DeviceMemory>, shape: ArrayShape) -> Result<Self, MemoryError> {
        if !shape.is_known() || shape.extent.contains(&0) {
            return Err(MemoryError::NoArray { shape });
        }
        let bytes = shape.bytes().ok_or(MemoryError::NoArray { shape })?;
        let address = memory.allocate(bytes, Some("an array of texels".to_owned()), false)?;
        let (backing, _) = memory.range(address, bytes)?;
        Ok(Self { inner: Arc::new(Inner { shape, address, backing, memory: Arc::clone(memory) }) })
    }

    /// What the array is made of.
    #[must_use]
    pub fn shape(&self) -> ArrayShape {
        self.inner.shape
    }

    /// Where the texels are in the device's memory, one behind the other. A GPU has them where nobody else reaches them.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.inner.address
    }

    /// The bytes of a texel, which is one of the array's.
    pub(crate) fn texel(&self, [x, y, z]: [u32; 3]) -> [u8; 16] {
        let mut bytes = [0; 16];
        let size = self.inner.shape.texel_bytes() as usize;
        // Outside of its memory, which it isn't, it would be zero.
        self.inner.backing.read(self.offset([x, y, z]), &mut bytes[..size]);
        bytes
    }

    /// Writes a texel, which is one of the array's, as many bytes as it has.
    pub(crate) fn set(&self, place: [u32; 3], bytes: &[u8]) {
        self.inner.backing.write(self.offset(place), bytes);
    }

    fn offset(&self, [x, y, z]: [u32; 3]) -> usize {
        let [width, height, _] = self.inner.shape.extent.map(|size| size as usize);
        ((z as usize * height + y as usize) * width + x as usize) * self.inner.shape.texel_bytes() as usize
    }
}
