//! What is known of an address.

use std::ffi::{c_int, c_uint};

use crate::abi::{InOut, Untyped};
use crate::context::current;
use crate::error::Error;
use crate::host_memory::HOST_MEMORY;
use crate::memory::ALLOCATIONS;
use crate::process::process;
use crate::registry::Handle;

/// An address that the driver knows.
struct Known {
    context: Handle,
    device: usize,
    id: u64,
    start: u64,
    bytes: u64,
    is_host: bool,
    is_managed: bool,
    /// Whether other processes can open it.
    is_shareable: bool,
    /// The pool that it came from; null for other memory.
    pool: Handle,
}

const HOST: c_uint = 1;
const DEVICE: c_uint = 2;

fn known(address: u64) -> Result<Option<Known>, Error> {
    let context = current()?;
    let process = process()?;
    if let Some((start, allocation)) = ALLOCATIONS.find(address) {
        return Ok(Some(Known {
            context: allocation.context.handle,
            device: allocation.device,
            id: allocation.id,
            start,
            bytes: allocation.bytes,
            is_host: false,
            is_managed: false,
            is_shareable: allocation.is_shareable(),
            pool: allocation.pool.map_or(Handle::NULL, |pool| pool.handle),
        }));
    }
    if let Some((start, block)) = HOST_MEMORY.find(address as usize) {
        return Ok(Some(Known {
            context: block.context.handle,
            device: block.context.device,
            id: block.id,
            start: start as u64,
            bytes: block.bytes as u64,
            is_host: !block.is_managed(),
            is_managed: block.is_managed(),
            is_shareable: false,
            pool: Handle::NULL,
        }));
    }
    // A variable of a module.
    Ok(process.emulator.allocation(address).ok().map(|(start, bytes)| Known {
        context: context.handle,
        device: context.device,
        id: start,
        start,
        bytes,
        is_host: false,
        is_managed: false,
        is_shareable: false,
        pool: Handle::NULL,
    }))
}

fn put(data: Untyped, attribute: c_int, address: u64, known: Option<&Known>) -> Result<(), Error> {
    let Some(known) = known else {
        // What `cuPointerGetAttributes` says of other addresses.
        return match attribute {
            2 | 13 | 16 => data.out::<c_uint>().put(0),
            8 => data.out::<u8>().put(0),
            9 => data.out::<c_int>().put(-2),
            1 | 3 | 4 | 7 | 11 | 12 | 17 => data.out::<u64>().put(0),
            _ => Err(Error::INVALID_VALUE),
        };
    };
    let is_reached_by_host = known.is_host || known.is_managed;
    match attribute {
        1 => data.out().put(if known.pool == Handle::NULL { known.context } else { Handle::NULL }),
        2 => data.out().put(if known.is_host { HOST } else { DEVICE }),
        3 => data.out().put(address),
        4 if is_reached_by_host => data.out().put(address),
        7 => data.out().put(known.id),
        8 => data.out::<u8>().put(u8::from(known.is_managed)),
        9 => data.out().put(known.device as c_int),
        10 => data.out::<u8>().put(u8::from(known.is_shareable)),
        11 => data.out().put(known.start),
        12 => data.out().put(known.bytes as usize),
        13 => data.out::<c_uint>().put(1),
        14 => data.out::<u64>().put(0),
        15 => data.out::<u8>().put(0),
        // Read and write.
        16 => data.out::<c_uint>().put(3),
        17 => data.out().put(known.pool),
        _ => Err(Error::INVALID_VALUE),
    }
}

driver! {
    fn cuPointerGetAttribute(data: Untyped, attribute: c_int, address: u64) {
        let known = known(address)?.ok_or(Error::INVALID_VALUE)?;
        put(data, attribute, address, Some(&known))
    }

    /// Whether copies of it are always awaited: taken, and without effect, since a missing wait is to show.
    fn cuPointerSetAttribute(value: Untyped, attribute: c_int, address: u64) {
        const SYNCHRONOUS: c_int = 6;
        known(address)?.ok_or(Error::INVALID_VALUE)?;
        if attribute != SYNCHRONOUS {
            return Err(Error::INVALID_VALUE);
        }
        value.input::<c_int>().get().map(drop)
    }

    /// Of an address that the driver doesn't know, zeros.
    fn cuPointerGetAttributes(count: c_uint, attributes: InOut<c_int>, data: InOut<Untyped>, address: u64) {
        let known = known(address)?;
        if count == 0 {
            return Err(Error::INVALID_VALUE);
        }
        for index in 0..count as usize {
            put(data.at(index)?, attributes.at(index)?, address, known.as_ref())?;
        }
        Ok(())
    }
}
