//! Devices that reach each other's memory.

use std::ffi::{c_int, c_uint};

use crate::abi::Out;
use crate::context::{current, find};
use crate::error::Error;
use crate::locks::lock;
use crate::process::process;
use crate::registry::Handle;

driver! {
    fn cuDeviceCanAccessPeer(can: Out<c_int>, device: c_int, peer: c_int) {
        let process = process()?;
        let (device, peer) = (process.gpu(device)?.ordinal, process.gpu(peer)?.ordinal);
        can.put(c_int::from(device != peer))
    }

    /// Rank, access and atomics; no arrays.
    fn cuDeviceGetP2PAttribute(value: Out<c_int>, attribute: c_int, device: c_int, peer: c_int) {
        let process = process()?;
        if process.gpu(device)?.ordinal == process.gpu(peer)?.ordinal {
            return Err(Error::INVALID_DEVICE);
        }
        value.put(match attribute {
            1 | 4 => 0,
            2 | 3 => 1,
            _ => return Err(Error::INVALID_VALUE),
        })
    }

    /// Kept; kernels reach all devices anyway.
    fn cuCtxEnablePeerAccess(peer: Handle, flags: c_uint) {
        let context = current()?;
        let peer = find(peer)?;
        if flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        if peer.is(context) {
            return Err(Error::INVALID_CONTEXT);
        }
        let is_new = lock(&context.peers).insert(peer.handle.0);
        if is_new { Ok(()) } else { Err(Error::PEER_ACCESS_ALREADY_ENABLED) }
    }

    fn cuCtxDisablePeerAccess(peer: Handle) {
        let context = current()?;
        let was_there = lock(&context.peers).remove(&find(peer)?.handle.0);
        if was_there { Ok(()) } else { Err(Error::PEER_ACCESS_NOT_ENABLED) }
    }
}
