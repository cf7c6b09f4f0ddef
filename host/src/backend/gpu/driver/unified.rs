//! Memory that the host reaches too. It is allocated and freed outside of streams' order.

use std::ffi::c_void;
use std::ptr::NonNull;

use super::handles::Address;
use super::{Driver, Status, Vendor};
use crate::Error;
use crate::backend::UnifiedMemory;
use crate::submission::{Home, Kind, Memory, MemoryId, Ticket};

/// The flag of managed memory that any device may use, for all drivers.
const FOR_ALL: u32 = 1;

impl<V: Vendor> UnifiedMemory for Driver<V> {
    /// Memory for the device and the host. Where devices can't share managed memory with the host at any
    /// time, which pulls pages from under its feet there, memory is the host's.
    fn allocate_unified(&self, bytes: usize, home: Home) -> Result<Memory, Error> {
        let home = if self.traits.shares_managed_memory { home } else { Home::Mapped };
        drop(self.begin()?);
        let (mut address, mut status) = self.try_allocate_for_both(bytes, home);
        if status == Status::OUT_OF_MEMORY {
            // What was dropped may still be in use.
            self.reclaim();
            (address, status) = self.try_allocate_for_both(bytes, home);
        }
        let pointer = NonNull::new(std::ptr::with_exposed_provenance_mut::<u8>(address as usize));
        let (Status::SUCCESS, Some(pointer)) = (status, pointer) else {
            if matches!(status, Status::OUT_OF_MEMORY | Status::SUCCESS) {
                return Err(self.out_of_memory(bytes));
            }
            let call = if home == Home::Mapped {
                self.api().allocate_host.name
            } else {
                self.api().allocate_managed.name
            };
            return Err(self.error(call, status));
        };
        // SAFETY: as many bytes were just allocated, which the host reaches, and no kernel knows of them.
        unsafe { pointer.write_bytes(0, bytes) };
        let id = self.lock().add_memory();
        Ok(Memory { pointer, id, home })
    }

    /// Waits for what the host's use of memory comes behind.
    fn wait_for_memory(&self, memory: MemoryId, kind: Kind) -> Result<(), Error> {
        let uses: Vec<Ticket> = self.begin()?.uses_before(memory, kind).collect();
        uses.into_iter().try_for_each(|ticket| self.wait_for_ticket(ticket))?;
        self.report()
    }
}

impl<V: Vendor> Driver<V> {
    /// An address for the device and the host, and the driver's status.
    /// With unified addressing, which every device that our images run on has, both have one address for it.
    fn try_allocate_for_both(&self, bytes: usize, home: Home) -> (Address, Status) {
        if home == Home::Mapped {
            let mut memory: *mut c_void = std::ptr::null_mut();
            // SAFETY: the context is current; an address to write.
            let status = unsafe {
                (self.api().allocate_host.call)(&raw mut memory, bytes, V::NUMBERS.portable_and_mapped)
            };
            return (memory.expose_provenance() as Address, status);
        }
        let mut address = 0;
        // SAFETY: the context is current; an address to write.
        let status = unsafe { (self.api().allocate_managed.call)(&raw mut address, bytes, FOR_ALL) };
        (address, status)
    }
}
