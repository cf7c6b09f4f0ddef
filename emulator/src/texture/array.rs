//! Arrays of texels, with one level of detail or with several.

use std::sync::Arc;

use super::ArrayShape;
use crate::memory::{Backing, DeviceMemory};
use crate::report::MemoryError;

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
        if !shape.is_known() {
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

    pub(crate) fn backing(&self) -> &Arc<Backing> {
        &self.inner.backing
    }
}

/// An array with several levels of detail, each an array of its own. Clones share them.
#[derive(Debug, Clone)]
pub struct MipmappedArray {
    levels: Vec<Array>,
}

impl MipmappedArray {
    pub(crate) fn new(
        memory: &Arc<DeviceMemory>,
        shape: ArrayShape,
        levels: u32,
    ) -> Result<Self, MemoryError> {
        if levels == 0 || levels > shape.most_levels() {
            return Err(MemoryError::NoArray { shape });
        }
        let levels = (0..levels).map(|level| Array::new(memory, shape.level(level)));
        Ok(Self { levels: levels.collect::<Result<_, _>>()? })
    }

    /// The levels, from the finest.
    #[must_use]
    pub fn levels(&self) -> &[Array] {
        &self.levels
    }
}
