//! Memory that the host reaches too. It is allocated and freed outside of streams' order.

use std::ffi::c_void;
use std::ptr::NonNull;

use cudarc::driver::sys::{CUdeviceptr, CUmemAttach_flags_enum as Attach};

use super::Cuda;
use super::errors::Status;
use crate::Error;
use crate::backend::{Home, Kind, Memory, MemoryId, Ticket};

/// Pinned for all contexts of the process, and in the devices' address space.
const PORTABLE_AND_MAPPED: u32 = 1 | 2;

impl Cuda {
    /// Where devices can't share managed memory with the host at any time, which pulls pages from under its feet there,
    /// memory is the host's.
    pub(super) fn allocate_for_both(&self, bytes: usize, home: Home) -> Result<Memory, Error> {
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
                return Err(self.reporter.out_of_memory(bytes));
            }
            let call = if home == Home::Mapped { "cuMemHostAlloc" } else { "cuMemAllocManaged" };
            return Err(self.error(call, status));
        };
        // SAFETY: as many bytes were just allocated, which the host reaches, and no kernel knows of them.
        unsafe { pointer.write_bytes(0, bytes) };
        let id = self.lock().add_memory();
        Ok(Memory { pointer, id, home })
    }

    /// With unified addressing, which every device for which there is PTX has, both have one address for it.
    fn try_allocate_for_both(&self, bytes: usize, home: Home) -> (CUdeviceptr, Status) {
        if home == Home::Mapped {
            let mut memory: *mut c_void = std::ptr::null_mut();
            // SAFETY: the context is current; an address to write.
            let status = unsafe { (self.api().allocate_host)(&raw mut memory, bytes, PORTABLE_AND_MAPPED) };
            return (memory.expose_provenance() as CUdeviceptr, status);
        }
        let (mut address, flags) = (0, Attach::CU_MEM_ATTACH_GLOBAL as u32);
        // SAFETY: as above.
        let status = unsafe { (self.api().allocate_managed)(&raw mut address, bytes, flags) };
        (address, status)
    }

    /// Waits for what the host's use of memory comes behind.
    pub(super) fn wait_for_uses_of(&self, memory: MemoryId, kind: Kind) -> Result<(), Error> {
        let uses: Vec<Ticket> = self.begin()?.uses_before(memory, kind).collect();
        uses.into_iter().try_for_each(|ticket| self.wait_for_ticket(ticket))?;
        self.report()
    }
}
