//! Copies from memory of a device to memory of the same or another one.

use crate::profile::Piece;
use crate::transfer::Region;
use crate::{Activity, Error, ReadFrom, Stream, WriteTo};

impl Stream {
    /// Copies a buffer, a matrix, a volume or a part of a buffer to another one with as many elements, on the device, after
    /// the stream's work. The host doesn't wait.
    ///
    /// One of the two may be of another device than the stream. The copy then also waits for the work that uses it there,
    /// and later work on it there for the copy. Between two NVIDIA GPUs the driver copies, directly or through the host as
    /// it can, and the host still doesn't wait; between devices of different kinds, and emulated ones in the program,
    /// the elements go through the host, which waits for that. A graph is of one device, and takes no such copy.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::DeviceLost`]; [`Error::ForeignBuffer`] if neither is of the stream's device. Where
    /// the host waits, also [`Error::KernelPanic`] if a kernel of the device that is copied from panicked.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let from = stream.upload(&[1, 2, 3])?;
    /// let mut to = stream.alloc_zeroed(4)?;
    /// stream.copy(&from, &mut to.slice_mut(1..)?)?;
    /// assert_eq!(stream.download(&to)?, [0, 1, 2, 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpyAsync` on the device, and `cudaMemcpyPeerAsync` between two devices.
    /// The lengths are checked, and the copy waits for earlier work on both buffers, on whatever stream.
    pub fn copy<A, B>(&self, from: &A, to: &mut B) -> Result<(), Error>
    where
        A: ReadFrom,
        B: WriteTo<Element = A::Element>,
    {
        let (from, to) = (from.region(), to.region_mut());
        let bytes = self.check_copy::<A::Element>(&from, &to)?;
        if self.is_recorded("copy")? {
            return self.record_call(|draft| draft.copy(&from, &to, bytes));
        }
        if bytes == 0 {
            return Ok(());
        }
        if !from.device.is(to.device) {
            return self.copy_between(&from, &to, bytes);
        }
        let accesses = [from.access(), to.access()];
        let timing = self.timing(&accesses, || Piece::moves(Activity::CopyOnDevice, bytes));
        // SAFETY: both have as many bytes; one is borrowed, the other mutably, so that they don't overlap.
        unsafe { self.device().backend().copy(self.id(), from.place, to.place, bytes) }?;
        timing.end();
        Ok(())
    }

    /// How many bytes are to be copied.
    pub(crate) fn check_copy<T>(&self, from: &Region<'_>, to: &Region<'_>) -> Result<usize, Error> {
        // Between two devices, one of them is the stream's.
        if from.device.is(to.device) || !self.device().is(to.device) {
            self.check(from, from.len, "copy, from")?;
        }
        if from.len != to.len {
            return Err(Error::LengthMismatch { place: "copy, to", given: from.len, expected: to.len });
        }
        // No overflow: the memory has as many.
        Ok(from.len * size_of::<T>())
    }
}
