use std::ptr::NonNull;

use crate::Error;
use crate::submission::{BoxCopy, Contents, Memory, Place, StreamId};

/// Memory of a device, and copies in the order of a stream.
pub(crate) trait DeviceMemory {
    /// Memory of a number of bytes that isn't zero, aligned to at least 64. Its bytes are zero, or `contents` says that
    /// the next thing is to write them all.
    fn allocate(&self, stream: StreamId, bytes: usize, contents: Contents) -> Result<Memory, Error>;

    /// Gives memory back, once what was submitted has used it.
    ///
    /// # Safety
    /// It came from `allocate` or `allocate_unified` with as many bytes, and nobody submits anything with it any more.
    unsafe fn free(&self, memory: Memory, bytes: usize);

    /// Memory that somebody else frees, used as the device's own from here on. What uses it comes behind the stream's work so far.
    #[cfg(feature = "dlpack")]
    fn adopt(&self, stream: StreamId, pointer: NonNull<u8>) -> Result<Memory, Error>;

    /// Waits for the uses of memory that `adopt` took, and forgets it. Nobody submits anything with it any more.
    #[cfg(feature = "dlpack")]
    fn release(&self, memory: Memory);

    /// Waits for all work on the device, also what others in the program gave it, before memory that they used is freed.
    #[cfg(feature = "dlpack")]
    fn wait_for_others(&self) {}

    /// The host's address of memory for which nothing has to be waited, if that is so on the device.
    fn host_address(&self, _: Place) -> Option<NonNull<u8>> {
        None
    }

    /// Copies to the device, at least a byte. The slice isn't used any more when it returns.
    ///
    /// # Safety
    /// `to` has room for `from`.
    unsafe fn write(&self, stream: StreamId, to: Place, from: &[u8]) -> Result<(), Error>;

    /// Copies to the host, at least a byte, after the stream's work, and reports what [`synchronize`](super::Streams::synchronize)
    /// does.
    ///
    /// # Safety
    /// `from` has as many bytes.
    unsafe fn read(&self, stream: StreamId, from: Place, to: &mut [u8]) -> Result<(), Error>;

    /// Repeats a pattern of at least a byte, at least once. The pattern isn't used any more when it returns.
    ///
    /// # Safety
    /// `to` has room for `count` of them.
    unsafe fn fill(&self, stream: StreamId, to: Place, pattern: &[u8], count: usize) -> Result<(), Error>;

    /// Copies at least a byte on the device.
    ///
    /// # Safety
    /// `from` has as many bytes, and `to` has room for them; the two don't overlap.
    unsafe fn copy(&self, stream: StreamId, from: Place, to: Place, bytes: usize) -> Result<(), Error>;

    /// Copies a box of bytes on the device.
    ///
    /// # Safety
    /// The box lies in memory on both sides, and the two don't overlap.
    unsafe fn copy_box(&self, stream: StreamId, from: Place, to: Place, copy: &BoxCopy) -> Result<(), Error>;
}
