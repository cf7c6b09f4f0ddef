//! Memory of the host from and to which the device copies in its own time.

use std::ffi::c_void;
use std::ptr::NonNull;

use super::handles::StreamHandle;
use super::memory::address;
use super::state::{Dropped, DroppedMemory};
use super::status::Called;
use super::{Api, Driver, Status, Vendor};
use crate::Error;
use crate::backend::PinnedMemory;
use crate::submission::{Access, Kind, Place, StreamId, Ticket};

impl<V: Vendor> PinnedMemory for Driver<V> {
    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, Error> {
        drop(self.begin()?);
        let mut memory: *mut c_void = std::ptr::null_mut();
        // SAFETY: the context is current; an address to write.
        let status = unsafe { (self.api().allocate_host.call)(&raw mut memory, bytes, V::NUMBERS.portable) };
        let out_of_memory = || Error::OutOfMemory {
            device: "the host, pinned".into(),
            requested: bytes as u128,
            free: None,
            total: None,
        };
        if status == Status::OUT_OF_MEMORY {
            return Err(out_of_memory());
        }
        self.checked(self.api().allocate_host.name, status)?;
        let memory = NonNull::new(memory.cast::<u8>()).ok_or_else(out_of_memory)?;
        // SAFETY: as many bytes were just allocated.
        unsafe { memory.write_bytes(0, bytes) };
        Ok(memory)
    }

    /// Frees pinned memory behind its copy.
    unsafe fn free_pinned(&self, memory: NonNull<u8>, _: usize, after: Option<Ticket>) {
        let memory = DroppedMemory::Host(memory.as_ptr().expose_provenance());
        let entered = self.enter().is_ok();
        let state = &mut *self.lock();
        state.dropped.push(Dropped { memory, uses: after.into_iter().collect() });
        if entered {
            self.free_dropped(state);
        }
    }

    unsafe fn write_pinned(
        &self,
        stream: StreamId,
        to: Place,
        from: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        let access = Access { memory: to.memory, kind: Kind::Write };
        self.copy_pinned(stream, access, |api, stream| {
            // SAFETY: the caller says that `to` has room for the bytes, and that `from` is pinned, has as many, and stays as it is
            // until the copy is done; the stream waits for the other uses of `to`.
            let status = unsafe {
                (api.copy_to_device.call)(
                    address(to.pointer),
                    from.as_ptr().cast_const().cast(),
                    bytes,
                    stream,
                )
            };
            (api.copy_to_device.name, status)
        })
    }

    unsafe fn read_pinned(
        &self,
        stream: StreamId,
        from: Place,
        to: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error> {
        let access = Access { memory: from.memory, kind: Kind::Read };
        self.copy_pinned(stream, access, |api, stream| {
            // SAFETY: the caller says that `from` has as many bytes, and that `to` is pinned, has room for them, and isn't looked
            // at until the copy is done; the stream waits for what writes `from`.
            let status =
                unsafe { (api.copy_to_host.call)(to.as_ptr().cast(), address(from.pointer), bytes, stream) };
            (api.copy_to_host.name, status)
        })
    }

    fn is_done(&self, ticket: Ticket) -> Result<bool, Error> {
        let state = &mut *self.begin()?;
        let done = state.is_done(self.api(), ticket);
        done.map_err(|status| self.error_in(state, self.api().query_event.name, status))
    }

    fn wait_until_done(&self, ticket: Ticket) -> Result<(), Error> {
        self.wait_for_ticket(ticket)?;
        self.report()
    }
}

impl<V: Vendor> Driver<V> {
    /// A copy from or to pinned memory, marked so that who waits for it waits for nothing behind it.
    fn copy_pinned(
        &self,
        stream: StreamId,
        access: Access,
        copy: impl FnOnce(&Api, StreamHandle) -> Called,
    ) -> Result<Ticket, Error> {
        let submitted = self.submit(stream, &[access], |api, stream| match copy(api, stream) {
            (_, Status::SUCCESS) => Ok(()),
            failed => Err(failed),
        });
        if submitted.is_err() {
            // The pinned memory is given back next, which a part of the copy may still use. After an error of this nothing runs.
            let raw = self.lock().stream(stream).raw;
            // SAFETY: the stream is of this device, and open: somebody gives it work.
            let _ = unsafe { (self.api().synchronize_stream.call)(raw) };
        }
        let ticket = submitted?;
        // Without a mark, who waits does so for what comes later too.
        let _ = self.lock().stream_mut(stream).event_behind(self.api(), ticket.number);
        Ok(ticket)
    }
}
