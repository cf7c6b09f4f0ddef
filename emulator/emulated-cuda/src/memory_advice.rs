//! Advice on managed memory, which is the host's own here and moves nowhere: it is kept for those who ask.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{c_int, c_uint};
use std::sync::Mutex;

use crate::abi::{InOut, Untyped};
use crate::context::current;
use crate::error::Error;
use crate::host_memory::HOST_MEMORY;
use crate::locks::lock;
use crate::process::process;
use crate::registry::Handle;
use crate::stream;

/// `CUmemLocation`, of which a call has two words in one.
const ON_DEVICE: u32 = 1;
const ON_HOST: u32 = 2;
/// The host's number among devices, and that of no place.
const HOST: c_int = -1;
const NOWHERE: c_int = -2;

/// What was said of a whole allocation: parts aren't told apart.
#[derive(Clone, Default)]
struct Advice {
    is_read_mostly: bool,
    preferred: Option<c_int>,
    accessed_by: BTreeSet<c_int>,
    prefetched: Option<c_int>,
}

/// By the identifier of an allocation.
static ADVICE: Mutex<BTreeMap<u64, Advice>> = Mutex::new(BTreeMap::new());

/// The identifier of managed memory that holds a range.
fn managed(address: u64, bytes: usize) -> Result<u64, Error> {
    current()?;
    let (start, block) = HOST_MEMORY.find(address as usize).ok_or(Error::INVALID_VALUE)?;
    let is_there = bytes > 0 && bytes <= block.bytes - (address as usize - start);
    if is_there && block.is_managed() { Ok(block.id) } else { Err(Error::INVALID_VALUE) }
}

/// A place as older calls number it.
fn place(number: c_int) -> Result<c_int, Error> {
    if number != HOST {
        process()?.gpu(number)?;
    }
    Ok(number)
}

/// A place as newer calls say it: its kind in the lower half, and a device's number.
fn location(words: u64) -> Result<c_int, Error> {
    match words as u32 {
        ON_DEVICE => place((words >> 32) as c_int),
        // The host, and its nodes.
        ON_HOST..=4 => Ok(HOST),
        _ => Err(Error::INVALID_VALUE),
    }
}

fn advise(
    address: u64,
    bytes: usize,
    advice: c_uint,
    at: impl FnOnce() -> Result<c_int, Error>,
) -> Result<(), Error> {
    let id = managed(address, bytes)?;
    let mut all = lock(&ADVICE);
    let known = all.entry(id).or_default();
    match advice {
        1 | 2 => known.is_read_mostly = advice == 1,
        3 => known.preferred = Some(at()?),
        4 => known.preferred = None,
        5 => {
            known.accessed_by.insert(at()?);
        }
        6 => {
            known.accessed_by.remove(&at()?);
        }
        _ => return Err(Error::INVALID_VALUE),
    }
    Ok(())
}

fn prefetch(address: u64, bytes: usize, at: c_int, stream: Handle) -> Result<(), Error> {
    stream::find(stream)?;
    let id = managed(address, bytes)?;
    lock(&ADVICE).entry(id).or_default().prefetched = Some(at);
    Ok(())
}

/// Writes one attribute into so many bytes.
fn attribute(data: Untyped, size: usize, attribute: c_int, known: &Advice) -> Result<(), Error> {
    let kind = |place: Option<c_int>| match place {
        None => 0,
        Some(HOST) => ON_HOST as c_int,
        Some(_) => ON_DEVICE as c_int,
    };
    let value = match attribute {
        1 => known.is_read_mostly.into(),
        2 => known.preferred.unwrap_or(NOWHERE),
        3 => {
            if size == 0 || !size.is_multiple_of(4) {
                return Err(Error::INVALID_VALUE);
            }
            let mut places = known.accessed_by.iter().copied();
            for index in 0..size / 4 {
                data.in_out().put_at(index, places.next().unwrap_or(NOWHERE))?;
            }
            return Ok(());
        }
        4 => known.prefetched.unwrap_or(NOWHERE),
        5 => kind(known.preferred),
        6 => known.preferred.unwrap_or(0).max(0),
        7 => kind(known.prefetched),
        8 => known.prefetched.unwrap_or(0).max(0),
        _ => return Err(Error::INVALID_VALUE),
    };
    if size == 4 { data.out().put(value) } else { Err(Error::INVALID_VALUE) }
}

driver! {
    fn cuMemAdvise(address: u64, bytes: usize, advice: c_uint, device: c_int) {
        advise(address, bytes, advice, || place(device))
    }

    fn cuMemAdvise_v2(address: u64, bytes: usize, advice: c_uint, at: u64) {
        advise(address, bytes, advice, || location(at))
    }

    /// Moves nothing.
    fn cuMemPrefetchAsync[ptsz](address: u64, bytes: usize, device: c_int, stream: Handle) {
        prefetch(address, bytes, place(device)?, stream)
    }

    /// Moves nothing.
    fn cuMemPrefetchAsync_v2[ptsz](address: u64, bytes: usize, at: u64, flags: c_uint, stream: Handle) {
        if flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        prefetch(address, bytes, location(at)?, stream)
    }

    /// What was advised of the whole allocation.
    fn cuMemRangeGetAttribute(data: Untyped, size: usize, number: c_int, address: u64, bytes: usize) {
        let id = managed(address, bytes)?;
        let known = lock(&ADVICE).get(&id).cloned().unwrap_or_default();
        attribute(data, size, number, &known)
    }

    fn cuMemRangeGetAttributes(
        data: InOut<Untyped>,
        sizes: InOut<usize>,
        numbers: InOut<c_int>,
        count: usize,
        address: u64,
        bytes: usize,
    ) {
        let id = managed(address, bytes)?;
        let known = lock(&ADVICE).get(&id).cloned().unwrap_or_default();
        if count == 0 {
            return Err(Error::INVALID_VALUE);
        }
        for index in 0..count {
            attribute(data.at(index)?, sizes.at(index)?, numbers.at(index)?, &known)?;
        }
        Ok(())
    }
}
