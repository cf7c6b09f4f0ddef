//! Operations of streams on words of memory: they wait for a value, or write one.

use std::ffi::c_uint;
use std::thread;
use std::time::Duration;

use crate::abi::InOut;
use crate::context::Context;
use crate::error::Error;
use crate::memory::is_covered;
use crate::process::{Process, process};
use crate::queue::Work;
use crate::registry::Handle;
use crate::stream;

const WAIT_32: c_uint = 1;
const WRITE_32: c_uint = 2;
const FLUSH: c_uint = 3;
const WAIT_64: c_uint = 4;
const WRITE_64: c_uint = 5;
const BARRIER: c_uint = 6;

/// How long a stream sleeps between two looks.
const PAUSE: Duration = Duration::from_micros(20);

/// `CUstreamBatchMemOpParams`: all kinds begin so.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Parameters {
    kind: c_uint,
    address: u64,
    value: u64,
    flags: c_uint,
    _alias: [u64; 2],
}

const _: () = assert!(size_of::<Parameters>() == 48);

#[derive(Clone, Copy)]
struct Word {
    address: u64,
    value: u64,
    bytes: usize,
}

#[derive(Clone, Copy)]
enum Operation {
    /// Until the word is so, of one of four ways to say it.
    Wait(Word, c_uint),
    Write(Word),
    /// Operations of one stream are in order anyway.
    Barrier,
}

impl Operation {
    fn new(process: &Process, of: Parameters) -> Result<Self, Error> {
        let word = |bytes: usize| {
            let value = if bytes == 4 { of.value & 0xffff_ffff } else { of.value };
            let is_there = is_covered(process, of.address, bytes as u64);
            if !is_there || !of.address.is_multiple_of(bytes as u64) {
                return Err(Error::INVALID_VALUE);
            }
            Ok(Word { address: of.address, value, bytes })
        };
        // A flush of what other devices wrote can be asked for, and there is none to do.
        let way = of.flags & !(1 << 30);
        match of.kind {
            WAIT_32 | WAIT_64 if way <= 3 => {
                Ok(Self::Wait(word(if of.kind == WAIT_32 { 4 } else { 8 })?, way))
            }
            WRITE_32 | WRITE_64 if of.flags <= 1 => {
                Ok(Self::Write(word(if of.kind == WRITE_32 { 4 } else { 8 })?))
            }
            FLUSH | BARRIER => Ok(Self::Barrier),
            _ => Err(Error::INVALID_VALUE),
        }
    }

    fn run(self, process: &Process, context: &Context) -> Result<(), Error> {
        match self {
            Self::Barrier => Ok(()),
            Self::Write(word) => {
                let bytes = word.value.to_le_bytes();
                let bytes = bytes.get(..word.bytes).unwrap_or(&bytes);
                process.emulator.write(word.address, bytes).map_err(|_| Error::ILLEGAL_ADDRESS)
            }
            Self::Wait(word, way) => {
                while context.fault.get().is_none() {
                    let mut bytes = [0; 8];
                    let target = bytes.get_mut(..word.bytes).ok_or(Error::UNKNOWN)?;
                    process.emulator.read(word.address, target).map_err(|_| Error::ILLEGAL_ADDRESS)?;
                    if word.is_reached(u64::from_le_bytes(bytes), way) {
                        break;
                    }
                    thread::sleep(PAUSE);
                }
                Ok(())
            }
        }
    }
}

impl Word {
    fn is_reached(self, found: u64, way: c_uint) -> bool {
        let mask = if self.bytes == 4 { 0xffff_ffff } else { u64::MAX };
        match way {
            // Numbers go round: the difference has a sign.
            0 if self.bytes == 4 => (found as u32).wrapping_sub(self.value as u32) as i32 >= 0,
            0 => found.wrapping_sub(self.value) as i64 >= 0,
            1 => found == self.value,
            2 => found & self.value != 0,
            _ => !(found | self.value) & mask != 0,
        }
    }
}

fn submit(stream: Handle, operations: Vec<Operation>) -> Result<(), Error> {
    let stream = stream::find(stream)?;
    let process = process()?;
    let context = stream.context;
    stream.submit(Work::run(move || {
        operations.iter().try_for_each(|operation| operation.run(process, context))
    }))?;
    Ok(())
}

fn one(stream: Handle, kind: c_uint, address: u64, value: u64, flags: c_uint) -> Result<(), Error> {
    stream::find(stream)?;
    let of = Parameters { kind, address, value, flags, _alias: [0; 2] };
    submit(stream, vec![Operation::new(process()?, of)?])
}

driver! {
    fn cuStreamWaitValue32_v2[ptsz](stream: Handle, address: u64, value: u32, flags: c_uint) {
        one(stream, WAIT_32, address, value.into(), flags)
    }

    fn cuStreamWaitValue64_v2[ptsz](stream: Handle, address: u64, value: u64, flags: c_uint) {
        one(stream, WAIT_64, address, value, flags)
    }

    fn cuStreamWriteValue32_v2[ptsz](stream: Handle, address: u64, value: u32, flags: c_uint) {
        one(stream, WRITE_32, address, value.into(), flags)
    }

    fn cuStreamWriteValue64_v2[ptsz](stream: Handle, address: u64, value: u64, flags: c_uint) {
        one(stream, WRITE_64, address, value, flags)
    }

    /// All of them, in order.
    fn cuStreamBatchMemOp_v2[ptsz](stream: Handle, count: c_uint, operations: InOut<Parameters>, flags: c_uint) {
        const MOST: c_uint = 256;
        stream::find(stream)?;
        if flags != 0 || count == 0 || count > MOST {
            return Err(Error::INVALID_VALUE);
        }
        let process = process()?;
        let all = (0..count as usize).map(|index| Operation::new(process, operations.at(index)?));
        submit(stream, all.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::Word;

    #[test]
    fn words_are_compared_in_four_ways() {
        let word = |value| Word { address: 0, value, bytes: 4 };
        assert!(word(5).is_reached(5, 0) && word(5).is_reached(6, 0) && !word(5).is_reached(4, 0));
        assert!(word(0xffff_fffe).is_reached(1, 0), "round");
        assert!(word(5).is_reached(5, 1) && !word(5).is_reached(6, 1));
        assert!(word(6).is_reached(2, 2) && !word(6).is_reached(1, 2));
        assert!(word(6).is_reached(8, 3) && !word(0xffff_0000).is_reached(0xffff, 3));
    }
}
