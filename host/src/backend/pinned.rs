use std::ptr::NonNull;

use crate::Error;
use crate::submission::{Place, StreamId, Ticket};

/// Memory of the host from and to which a device copies in its own time.
pub(crate) trait PinnedMemory {
    /// Memory of the host of a number of bytes that isn't zero, all of them zero, aligned to at least 64, from and to
    /// which the device copies by itself.
    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, Error>;

    /// Gives the host's memory back, once the work of `after` is done.
    ///
    /// # Safety
    /// It came from `allocate_pinned` with as many bytes, nobody uses it any more, and the device only for `after`.
    unsafe fn free_pinned(&self, memory: NonNull<u8>, bytes: usize, after: Option<Ticket>);

    /// Copies to the device, at least a byte, in its own time.
    ///
    /// # Safety
    /// `to` has room for the bytes; `from` is of `allocate_pinned`, has as many, and stays as it is until the ticket's
    /// work is done.
    unsafe fn write_pinned(
        &self,
        stream: StreamId,
        to: Place,
        from: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error>;

    /// Copies to the host, at least a byte, in the device's own time.
    ///
    /// # Safety
    /// `from` has as many bytes; `to` is of `allocate_pinned`, has room for them, and nobody looks at it until the
    /// ticket's work is done.
    unsafe fn read_pinned(
        &self,
        stream: StreamId,
        from: Place,
        to: NonNull<u8>,
        bytes: usize,
    ) -> Result<Ticket, Error>;

    /// Whether a ticket's work is done.
    fn is_done(&self, ticket: Ticket) -> Result<bool, Error>;

    /// Waits until a ticket's work is done, and reports what [`synchronize`](super::Streams::synchronize) does.
    fn wait_until_done(&self, ticket: Ticket) -> Result<(), Error>;
}
