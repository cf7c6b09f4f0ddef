//! What is known of an address.

use std::ffi::{c_int, c_uint};

use crate::abi::Out;
use crate::context::current;
use crate::error::Error;
use crate::memory::{ALLOCATIONS, Origin};
use crate::process::process;

/// `hipPointerAttribute_t`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Attributes {
    kind: c_int,
    device: c_int,
    device_pointer: u64,
    host_pointer: u64,
    is_managed: c_int,
    flags: c_uint,
}

/// Host, device, managed: as HIP 6 and as the versions before number them, which had none for managed memory.
const KINDS: [[c_int; 3]; 2] = [[1, 2, 3], [0, 1, 1]];

hip! {
    fn hipPointerGetAttributes(attributes: Out<Attributes>, address: u64) {
        current()?;
        let process = process()?;
        let (_, allocation) = ALLOCATIONS.find(address).ok_or(Error::INVALID_VALUE)?;
        let [host, device, managed] = KINDS[usize::from(process.settings.version.major < 6)];
        attributes.put(Attributes {
            kind: match allocation.origin {
                Origin::Pinned => host,
                Origin::Managed => managed,
                _ => device,
            },
            device: allocation.context.device as c_int,
            device_pointer: address,
            host_pointer: if allocation.origin.is_of_host() { address } else { 0 },
            is_managed: matches!(allocation.origin, Origin::Managed).into(),
            flags: allocation.flags,
        })
    }
}
