//! Memory set to a value. Neither form waits.

use crate::error::Error;
use crate::locks::read;
use crate::memory::is_covered;
use crate::process::{Process, process};
use crate::queue::Work;
use crate::registry::Handle;
use crate::stream;

fn fill<const N: usize>(to: u64, pattern: [u8; N], count: usize, stream: Handle) -> Result<(), Error> {
    let stream = stream::find(stream)?;
    let process = process()?;
    if count == 0 {
        return Ok(());
    }
    let bytes = count.checked_mul(N).ok_or(Error::INVALID_VALUE)?;
    if !to.is_multiple_of(N as u64) || !is_covered(process, to, bytes as u64) {
        return Err(Error::INVALID_VALUE);
    }
    stream.submit(Work::run(move || {
        let _running = read(&process.running);
        process.emulator.fill(to, &pattern, count as u64).map_err(|_| Error::ILLEGAL_ADDRESS)
    }))?;
    Ok(())
}

/// What a graph sets: rows of so many units, each row so many bytes behind the one before.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) to: u64,
    pub(crate) pitch: usize,
    pub(crate) value: u32,
    /// Bytes of one: 1, 2 or 4.
    pub(crate) unit: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Rows {
    pub(crate) fn check(&self, process: &Process) -> Result<(), Error> {
        let &Self { to, pitch, unit, width, height, .. } = self;
        if !matches!(unit, 1 | 2 | 4) || width == 0 || height == 0 {
            return Err(Error::INVALID_VALUE);
        }
        let row = width.checked_mul(unit).ok_or(Error::INVALID_VALUE)?;
        let rows = if height == 1 { Some(0) } else { pitch.checked_mul(height - 1) };
        let bytes = rows.and_then(|rows| rows.checked_add(row)).ok_or(Error::INVALID_VALUE)?;
        let is_aligned = to.is_multiple_of(unit as u64) && (height == 1 || pitch.is_multiple_of(unit));
        let is_apart = height == 1 || pitch >= row;
        if is_aligned && is_apart && is_covered(process, to, bytes as u64) {
            Ok(())
        } else {
            Err(Error::INVALID_VALUE)
        }
    }

    pub(crate) fn set(&self, process: &Process) -> Result<(), Error> {
        let _running = read(&process.running);
        let bytes = self.value.to_le_bytes();
        let unit = bytes.get(..self.unit).unwrap_or(&bytes);
        for row in 0..self.height as u64 {
            let to = self.to + row * self.pitch as u64;
            let set = process.emulator.fill(to, unit, self.width as u64);
            set.map_err(|_| Error::ILLEGAL_ADDRESS)?;
        }
        Ok(())
    }
}

driver! {
    fn cuMemsetD8_v2(to: u64, value: u8, count: usize) {
        fill(to, [value], count, Handle::NULL)
    }

    fn cuMemsetD16_v2(to: u64, value: u16, count: usize) {
        fill(to, value.to_le_bytes(), count, Handle::NULL)
    }

    fn cuMemsetD32_v2(to: u64, value: u32, count: usize) {
        fill(to, value.to_le_bytes(), count, Handle::NULL)
    }

    fn cuMemsetD8Async(to: u64, value: u8, count: usize, stream: Handle) {
        fill(to, [value], count, stream)
    }

    fn cuMemsetD16Async(to: u64, value: u16, count: usize, stream: Handle) {
        fill(to, value.to_le_bytes(), count, stream)
    }

    fn cuMemsetD32Async(to: u64, value: u32, count: usize, stream: Handle) {
        fill(to, value.to_le_bytes(), count, stream)
    }
}
