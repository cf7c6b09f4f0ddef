//! Copies between memory of one device.

use crate::transfer::Region;
use crate::{Error, ReadFrom, Stream, WriteTo};

impl Stream {
    /// Copies a buffer, a matrix, a volume or a part of a buffer to another one with as many elements, on the device, after
    /// the stream's work. The host doesn't wait.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignBuffer`], [`Error::DeviceLost`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let from = stream.upload(&[1, 2, 3])?;
    /// let mut to = stream.alloc_zeroed(4)?;
    /// stream.copy(&from, &mut to.slice_mut(1..)?)?;
    /// assert_eq!(stream.download(&to)?, [0, 1, 2, 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
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
        // SAFETY: both have as many bytes; one is borrowed, the other mutably, so that they don't overlap.
        unsafe { self.device().backend().copy(self.id(), from.place, to.place, bytes) }
    }

    /// How many bytes are to be copied.
    pub(crate) fn check_copy<T>(&self, from: &Region<'_>, to: &Region<'_>) -> Result<usize, Error> {
        self.check(from, from.len, "copy, from")?;
        self.check(to, from.len, "copy, to")?;
        // No overflow: the memory has as many.
        Ok(from.len * size_of::<T>())
    }
}
