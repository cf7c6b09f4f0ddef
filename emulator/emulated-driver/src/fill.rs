//! Memory set to a value.

use crate::error::Error;
use crate::stream::Streams;

/// An API that sets memory.
pub trait Memory: Streams {
    /// Whether one allocation, variable or mapping holds a range.
    fn is_covered(address: u64, bytes: u64) -> bool;

    /// Sets rows now.
    ///
    /// # Errors
    /// For what was freed meanwhile.
    fn set(rows: &Rows) -> Result<(), Error>;
}

/// Rows of so many units, each row so many bytes behind the one before.
#[derive(Clone, Copy)]
pub struct Rows {
    pub to: u64,
    pub pitch: usize,
    pub value: u32,
    /// Bytes of one: 1, 2 or 4.
    pub unit: usize,
    pub width: usize,
    pub height: usize,
}

impl Rows {
    /// One row.
    pub fn line(to: u64, value: u32, unit: usize, count: usize) -> Self {
        Self { to, pitch: 0, value, unit, width: count, height: 1 }
    }

    pub fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// The bytes from the first to the last.
    pub fn bytes(&self) -> Result<usize, Error> {
        let row = self.width.checked_mul(self.unit).ok_or(Error::INVALID_VALUE)?;
        let rows = if self.height == 1 { Some(0) } else { self.pitch.checked_mul(self.height - 1) };
        rows.and_then(|rows| rows.checked_add(row)).ok_or(Error::INVALID_VALUE)
    }

    /// # Errors
    /// If they aren't memory, or are none.
    pub fn check<V: Memory>(&self) -> Result<(), Error> {
        let &Self { to, pitch, unit, width, height, .. } = self;
        if !matches!(unit, 1 | 2 | 4) || self.is_empty() {
            return Err(Error::INVALID_VALUE);
        }
        let bytes = self.bytes()?;
        let is_aligned = to.is_multiple_of(unit as u64) && (height == 1 || pitch.is_multiple_of(unit));
        let is_apart = height == 1 || pitch >= width * unit;
        if is_aligned && is_apart && V::is_covered(to, bytes as u64) {
            Ok(())
        } else {
            Err(Error::INVALID_VALUE)
        }
    }

    /// Hands each row's first byte on, with the bytes of a unit. They were checked.
    pub fn each(&self, mut set: impl FnMut(u64, &[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let bytes = self.value.to_le_bytes();
        let unit = bytes.get(..self.unit).unwrap_or(&bytes);
        (0..self.height as u64).try_for_each(|row| set(self.to + row * self.pitch as u64, unit))
    }
}
