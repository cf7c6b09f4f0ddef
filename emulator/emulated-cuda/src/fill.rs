//! Memory set to a value. Plain calls wait where the host reaches the memory: CUDA Driver API, "API synchronization behavior".

use crate::copy::{Form, Place};
use crate::error::Error;
use crate::graph_nodes::Task;
use crate::locks::read;
use crate::memory::is_covered;
use crate::process::{Process, process};
use crate::queue::Work;
use crate::registry::Handle;
use crate::stream;

/// Rows of so many units, each row so many bytes behind the one before.
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
    /// The bytes from the first to the last.
    fn bytes(&self) -> Result<usize, Error> {
        let row = self.width.checked_mul(self.unit).ok_or(Error::INVALID_VALUE)?;
        let rows = if self.height == 1 { Some(0) } else { self.pitch.checked_mul(self.height - 1) };
        rows.and_then(|rows| rows.checked_add(row)).ok_or(Error::INVALID_VALUE)
    }

    pub(crate) fn check(&self, process: &Process) -> Result<(), Error> {
        let &Self { to, pitch, unit, width, height, .. } = self;
        if !matches!(unit, 1 | 2 | 4) || width == 0 || height == 0 {
            return Err(Error::INVALID_VALUE);
        }
        let bytes = self.bytes()?;
        let is_aligned = to.is_multiple_of(unit as u64) && (height == 1 || pitch.is_multiple_of(unit));
        let is_apart = height == 1 || pitch >= width * unit;
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

fn fill(rows: Rows, stream: Handle, form: Form) -> Result<(), Error> {
    let stream = stream::find(stream)?;
    let process = process()?;
    if rows.width == 0 || rows.height == 0 {
        return Ok(());
    }
    rows.check(process)?;
    if let Some(capture) = stream.captured().filter(|_| form == Form::Async) {
        return capture.add(&stream, Task::Set(rows));
    }
    let is_awaited = form == Form::Plain && Place::of(process, rows.to, rows.bytes()?).is_reached_by_host();
    let set = stream.submit(Work::run(move || rows.set(process)))?;
    if is_awaited {
        set.wait();
        return stream.context.check();
    }
    Ok(())
}

fn line(to: u64, value: u32, unit: usize, count: usize) -> Rows {
    Rows { to, pitch: 0, value, unit, width: count, height: 1 }
}

driver! {
    fn cuMemsetD8_v2[ptds](to: u64, value: u8, count: usize) {
        fill(line(to, value.into(), 1, count), Handle::NULL, Form::Plain)
    }

    fn cuMemsetD16_v2[ptds](to: u64, value: u16, count: usize) {
        fill(line(to, value.into(), 2, count), Handle::NULL, Form::Plain)
    }

    fn cuMemsetD32_v2[ptds](to: u64, value: u32, count: usize) {
        fill(line(to, value, 4, count), Handle::NULL, Form::Plain)
    }

    fn cuMemsetD8Async[ptsz](to: u64, value: u8, count: usize, stream: Handle) {
        fill(line(to, value.into(), 1, count), stream, Form::Async)
    }

    fn cuMemsetD16Async[ptsz](to: u64, value: u16, count: usize, stream: Handle) {
        fill(line(to, value.into(), 2, count), stream, Form::Async)
    }

    fn cuMemsetD32Async[ptsz](to: u64, value: u32, count: usize, stream: Handle) {
        fill(line(to, value, 4, count), stream, Form::Async)
    }

    fn cuMemsetD2D8_v2[ptds](to: u64, pitch: usize, value: u8, width: usize, height: usize) {
        fill(Rows { to, pitch, value: value.into(), unit: 1, width, height }, Handle::NULL, Form::Plain)
    }

    fn cuMemsetD2D16_v2[ptds](to: u64, pitch: usize, value: u16, width: usize, height: usize) {
        fill(Rows { to, pitch, value: value.into(), unit: 2, width, height }, Handle::NULL, Form::Plain)
    }

    fn cuMemsetD2D32_v2[ptds](to: u64, pitch: usize, value: u32, width: usize, height: usize) {
        fill(Rows { to, pitch, value, unit: 4, width, height }, Handle::NULL, Form::Plain)
    }

    fn cuMemsetD2D8Async[ptsz](to: u64, pitch: usize, value: u8, width: usize, height: usize, stream: Handle) {
        fill(Rows { to, pitch, value: value.into(), unit: 1, width, height }, stream, Form::Async)
    }

    fn cuMemsetD2D16Async[ptsz](to: u64, pitch: usize, value: u16, width: usize, height: usize, stream: Handle) {
        fill(Rows { to, pitch, value: value.into(), unit: 2, width, height }, stream, Form::Async)
    }

    fn cuMemsetD2D32Async[ptsz](to: u64, pitch: usize, value: u32, width: usize, height: usize, stream: Handle) {
        fill(Rows { to, pitch, value, unit: 4, width, height }, stream, Form::Async)
    }
}
