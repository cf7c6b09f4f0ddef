//! Memory set to a value. Plain calls wait where the host reaches the memory: CUDA Driver API, "API synchronization behavior".

use crate::context::Cuda;
use crate::copy::{Form, Place};
use crate::error::Error;
use crate::locks::read;
use crate::memory::is_covered;
use crate::process::process;
use crate::queue::Work;
use crate::registry::Handle;
use crate::shared::fill::{Memory, Rows};
use crate::shared::graph::{self, Task};
use crate::stream;

impl Memory for Cuda {
    fn is_covered(address: u64, bytes: u64) -> bool {
        process().is_ok_and(|process| is_covered(process, address, bytes))
    }

    fn set(rows: &Rows) -> Result<(), Error> {
        let process = process()?;
        let _running = read(&process.running);
        rows.each(|to, unit| {
            let set = process.emulator.fill(to, unit, rows.width as u64);
            set.map_err(|_| Error::ILLEGAL_ADDRESS)
        })
    }
}

fn fill(rows: Rows, stream: Handle, form: Form) -> Result<(), Error> {
    let stream = stream::find(stream)?;
    if rows.is_empty() {
        return Ok(());
    }
    rows.check::<Cuda>()?;
    if let Some(capture) = stream.captured().filter(|_| form == Form::Async) {
        return graph::capture(&capture, &stream, Task::Set(rows));
    }
    let is_awaited = form == Form::Plain && Place::of(rows.to, rows.bytes()?).is_reached_by_host();
    let set = stream.submit(Work::run(move || Cuda::set(&rows)))?;
    if is_awaited {
        set.wait();
        return stream.context.check();
    }
    Ok(())
}

driver! {
    fn cuMemsetD8_v2[ptds](to: u64, value: u8, count: usize) {
        fill(Rows::line(to, value.into(), 1, count), Handle::NULL, Form::Plain)
    }

    fn cuMemsetD16_v2[ptds](to: u64, value: u16, count: usize) {
        fill(Rows::line(to, value.into(), 2, count), Handle::NULL, Form::Plain)
    }

    fn cuMemsetD32_v2[ptds](to: u64, value: u32, count: usize) {
        fill(Rows::line(to, value, 4, count), Handle::NULL, Form::Plain)
    }

    fn cuMemsetD8Async[ptsz](to: u64, value: u8, count: usize, stream: Handle) {
        fill(Rows::line(to, value.into(), 1, count), stream, Form::Async)
    }

    fn cuMemsetD16Async[ptsz](to: u64, value: u16, count: usize, stream: Handle) {
        fill(Rows::line(to, value.into(), 2, count), stream, Form::Async)
    }

    fn cuMemsetD32Async[ptsz](to: u64, value: u32, count: usize, stream: Handle) {
        fill(Rows::line(to, value, 4, count), stream, Form::Async)
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
