//! Memory set to a value. Neither form waits.

use crate::error::Error;
use crate::locks::read;
use crate::memory::is_covered;
use crate::process::process;
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
