//! Texels of one level of detail, wherever they are.

use std::sync::Arc;

use super::{Array, TexelFormat};
use crate::memory::{Backing, DeviceMemory};
use crate::report::MemoryError;

/// Texels of one level of detail.
#[derive(Debug, Clone)]
pub(crate) struct Level {
    backing: Arc<Backing>,
    offset: usize,
    /// Width, height, and depth or layers.
    pub(crate) extent: [u32; 3],
    /// Bytes from a row to the next, and from a plane to the next.
    row: usize,
    plane: usize,
    owner: Owner,
}

/// Whose the texels are.
#[derive(Debug, Clone)]
enum Owner {
    /// An array's, which stays.
    Array(#[expect(dead_code, reason = "it keeps the texels")] Array),
    /// Memory at an address, of so many bytes, which may be freed meanwhile.
    Memory(u64, u64),
}

impl Level {
    /// All texels of an array.
    pub(crate) fn of_array(array: &Array) -> Self {
        let shape = array.shape();
        let [width, height, _] = shape.extent.map(|size| size as usize);
        let row = width * shape.texel_bytes() as usize;
        Self {
            backing: Arc::clone(array.backing()),
            offset: 0,
            extent: shape.extent,
            row,
            plane: row * height,
            owner: Owner::Array(array.clone()),
        }
    }

    /// Rows in memory.
    ///
    /// # Errors
    /// Where they aren't all in one allocation.
    pub(crate) fn of_memory(
        memory: &DeviceMemory,
        address: u64,
        format: TexelFormat,
        [width, height]: [u32; 2],
        pitch: u64,
    ) -> Result<Self, MemoryError> {
        let bytes = u64::from(width) * u64::from(format.bytes());
        let bytes =
            pitch.checked_mul(u64::from(height).saturating_sub(1)).and_then(|rows| rows.checked_add(bytes));
        let bytes = bytes.ok_or(MemoryError::OutOfBounds { address, bytes: u64::MAX })?;
        let (backing, offset) = memory.range(address, bytes)?;
        let row = pitch as usize;
        let owner = Owner::Memory(address, bytes);
        Ok(Self { backing, offset, extent: [width, height, 1], row, plane: 0, owner })
    }

    /// Some of the layers.
    pub(crate) fn layers(mut self, first: u32, count: u32) -> Self {
        self.offset += first as usize * self.plane;
        self.extent[2] = count;
        self
    }

    /// Whether texels are neither an array's nor in memory that is still there.
    pub(crate) fn check(&self, memory: &DeviceMemory) -> Result<(), MemoryError> {
        match self.owner {
            Owner::Array(_) => Ok(()),
            Owner::Memory(address, bytes) => {
                let (now, _) = memory.range(address, bytes)?;
                if Arc::ptr_eq(&now, &self.backing) {
                    Ok(())
                } else {
                    Err(MemoryError::Freed { address, bytes })
                }
            }
        }
    }

    /// Bytes of a row of texels.
    pub(crate) fn row_bytes(&self, format: TexelFormat) -> u64 {
        u64::from(self.extent[0]) * u64::from(format.bytes())
    }

    /// Bytes at a column that counts bytes. All lie in a row that there is.
    pub(crate) fn read(&self, column: u64, row: u32, plane: u32, bytes: &mut [u8]) {
        // Outside of its memory, which it isn't, it would be zero.
        self.backing.read(self.offset_of(column, row, plane), bytes);
    }

    /// Writes bytes at a column that counts bytes. All lie in a row that there is.
    pub(crate) fn write(&self, column: u64, row: u32, plane: u32, bytes: &[u8]) {
        self.backing.write(self.offset_of(column, row, plane), bytes);
    }

    /// Changes four or eight bytes at once, at a column that counts bytes and is a multiple of that.
    pub(crate) fn update(&self, column: u64, row: u32, plane: u32, size: u32, change: impl Fn(u64) -> u64) {
        self.backing.update(self.offset_of(column, row, plane), size, change);
    }

    fn offset_of(&self, column: u64, row: u32, plane: u32) -> usize {
        self.offset + plane as usize * self.plane + row as usize * self.row + column as usize
    }
}
