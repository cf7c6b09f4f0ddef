//! Devices that reach each other's memory. Without leave a kernel that tries is stopped.

use std::ffi::{c_int, c_uint};

use crate::abi::Out;
use crate::context::current;
use crate::error::Error;
use crate::locks::lock;
use crate::memory::ALLOCATIONS;
use crate::process::process;

hip! {
    fn hipDeviceCanAccessPeer(can: Out<c_int>, device: c_int, peer: c_int) {
        let process = process()?;
        let (device, peer) = (process.gpu(device)?.ordinal, process.gpu(peer)?.ordinal);
        can.put(c_int::from(device != peer))
    }

    /// Lets kernels of the current device reach another's memory.
    fn hipDeviceEnablePeerAccess(peer: c_int, flags: c_uint) {
        let context = current()?;
        let process = process()?;
        let peer = process.gpu(peer)?.ordinal;
        if flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        if peer == context.device {
            return Err(Error::INVALID_DEVICE);
        }
        let is_new = lock(&context.peers).insert(peer);
        ALLOCATIONS.note_change();
        if is_new { Ok(()) } else { Err(Error::PEER_ACCESS_ALREADY_ENABLED) }
    }

    fn hipDeviceDisablePeerAccess(peer: c_int) {
        let context = current()?;
        let process = process()?;
        let was_there = lock(&context.peers).remove(&process.gpu(peer)?.ordinal);
        ALLOCATIONS.note_change();
        if was_there { Ok(()) } else { Err(Error::PEER_ACCESS_NOT_ENABLED) }
    }
}
