//! Host memory that devices reach: pinned and managed. It has one address for all.

use std::ffi::{c_int, c_uint};

use crate::abi::Out;
use crate::context::current;
use crate::error::Error;
use crate::memory::{ALLOCATIONS, Origin, free_when_idle};
use crate::process::process;
use crate::registry::Handle;
use crate::stream;

/// Portable, mapped, write-combined, of a numa node, coherent or not.
const FLAGS: c_uint = 0xe000_0007;

fn allocate(address: Out<u64>, bytes: usize, origin: Origin, flags: c_uint) -> Result<(), Error> {
    let context = current()?;
    let process = process()?;
    if address.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    if bytes == 0 {
        return address.put(0);
    }
    address.put(ALLOCATIONS.allocate(process, context, bytes, origin, flags)?)
}

fn is_covered(address: u64, bytes: usize) -> Result<(), Error> {
    if ALLOCATIONS.is_covered(address, bytes as u64) { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

hip! {
    /// All pinned memory is mapped.
    fn hipHostMalloc(address: Out<u64>, bytes: usize, flags: c_uint) {
        if flags & !FLAGS != 0 {
            return Err(Error::INVALID_VALUE);
        }
        allocate(address, bytes, Origin::Pinned, flags)
    }

    /// Waits for the device, as HIP's documents say.
    fn hipHostFree(address: u64) {
        free_when_idle(address, |origin| matches!(origin, Origin::Pinned))
    }

    /// The host's address is the device's: there is one address space.
    fn hipHostGetDevicePointer(device: Out<u64>, host: u64, flags: c_uint) {
        current()?;
        let found = ALLOCATIONS.find(host).filter(|(_, found)| found.origin.is_of_host());
        if flags != 0 || found.is_none() {
            return Err(Error::INVALID_VALUE);
        }
        device.put(host)
    }

    fn hipHostGetFlags(flags: Out<c_uint>, host: u64) {
        current()?;
        let found = ALLOCATIONS.find(host).filter(|(_, found)| matches!(found.origin, Origin::Pinned));
        flags.put(found.ok_or(Error::INVALID_VALUE)?.1.flags)
    }

    /// Never: the emulator doesn't see the program's own memory.
    fn hipHostRegister(_address: u64, _bytes: usize, _flags: c_uint) {
        current()?;
        Err(Error::NOT_SUPPORTED)
    }

    /// Host memory that kernels reach: it moves nowhere.
    fn hipMallocManaged(address: Out<u64>, bytes: usize, flags: c_uint) {
        if !matches!(flags, 1 | 2) {
            return Err(Error::INVALID_VALUE);
        }
        allocate(address, bytes, Origin::Managed, flags)
    }

    /// Advice on managed memory, which changes nothing.
    fn hipMemAdvise(address: u64, bytes: usize, _advice: c_int, _device: c_int) {
        current()?;
        is_covered(address, bytes)
    }

    /// Prefetches managed memory, which changes nothing.
    fn hipMemPrefetchAsync(address: u64, bytes: usize, _device: c_int, stream: Handle) {
        stream::find(stream)?;
        is_covered(address, bytes)
    }

    /// Any stream may use managed memory.
    fn hipStreamAttachMemAsync(stream: Handle, _address: u64, _bytes: usize, flags: c_uint) {
        stream::find(stream)?;
        if matches!(flags, 1 | 2 | 4) { Ok(()) } else { Err(Error::INVALID_VALUE) }
    }
}
