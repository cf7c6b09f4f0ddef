//! Memory set to a value. No form waits.

use std::ffi::c_int;

use crate::context::Hip;
use crate::error::Error;
use crate::memory::ALLOCATIONS;
use crate::process::process;
use crate::queue::Work;
use crate::registry::Handle;
use crate::shared::fill::{Memory, Rows};
use crate::stream;

impl Memory for Hip {
    fn is_covered(address: u64, bytes: u64) -> bool {
        ALLOCATIONS.is_covered(address, bytes)
    }

    fn set(rows: &Rows) -> Result<(), Error> {
        let process = process()?;
        rows.each(|to, unit| {
            if !ALLOCATIONS.is_covered(to, (rows.width * unit.len()) as u64) {
                return Err(Error::ILLEGAL_ADDRESS);
            }
            process.arena.fill(to, unit, rows.width as u64);
            Ok(())
        })
    }
}

fn fill(rows: Rows, stream: Handle) -> Result<(), Error> {
    let stream = stream::find(stream)?;
    if rows.is_empty() {
        return Ok(());
    }
    rows.check::<Hip>()?;
    stream.submit(Work::run(move || Hip::set(&rows))).map(drop)
}

hip! {
    fn hipMemset(to: u64, value: c_int, bytes: usize) {
        fill(Rows::line(to, u32::from(value as u8), 1, bytes), Handle::NULL)
    }

    fn hipMemsetAsync(to: u64, value: c_int, bytes: usize, stream: Handle) {
        fill(Rows::line(to, u32::from(value as u8), 1, bytes), stream)
    }

    fn hipMemsetD8(to: u64, value: u8, count: usize) {
        fill(Rows::line(to, value.into(), 1, count), Handle::NULL)
    }

    fn hipMemsetD16(to: u64, value: u16, count: usize) {
        fill(Rows::line(to, value.into(), 2, count), Handle::NULL)
    }

    fn hipMemsetD32(to: u64, value: c_int, count: usize) {
        fill(Rows::line(to, value as u32, 4, count), Handle::NULL)
    }

    fn hipMemsetD8Async(to: u64, value: u8, count: usize, stream: Handle) {
        fill(Rows::line(to, value.into(), 1, count), stream)
    }

    fn hipMemsetD16Async(to: u64, value: u16, count: usize, stream: Handle) {
        fill(Rows::line(to, value.into(), 2, count), stream)
    }

    fn hipMemsetD32Async(to: u64, value: c_int, count: usize, stream: Handle) {
        fill(Rows::line(to, value as u32, 4, count), stream)
    }
}
