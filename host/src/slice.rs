use std::fmt;
use std::ops::{Bound, Range, RangeBounds};
use std::sync::Arc;

use gridwright_core::KernelArg;

use crate::allocation::Allocation;
use crate::backend::Place;
use crate::{Buffer, Device, Error};

/// A part of a [`Buffer`] to read: what `&buffer` can be, this can be too.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let buffer = stream.upload(&[1, 2, 3, 4])?;
/// let tail = buffer.slice(2..)?;
/// assert_eq!(tail.len(), 2);
/// # Ok::<(), gridwright::Error>(())
/// ```
pub struct BufferSlice<'b, T> {
    buffer: &'b Buffer<T>,
    range: Range<usize>,
}

/// A part of a [`Buffer`] to write: what `&mut buffer` can be, this can be too.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let mut buffer = stream.upload(&[1, 2, 3, 4])?;
/// let mut tail = buffer.slice_mut(2..)?;
/// stream.fill(&mut tail, 0)?;
/// # Ok::<(), gridwright::Error>(())
/// ```
pub struct BufferSliceMut<'b, T> {
    // Shared, so that there can be two; `range` is borrowed by this slice alone.
    buffer: &'b Buffer<T>,
    range: Range<usize>,
}

impl<'b, T: KernelArg> BufferSlice<'b, T> {
    pub(crate) fn new(buffer: &'b Buffer<T>, range: impl RangeBounds<usize>) -> Result<Self, Error> {
        Ok(Self { buffer, range: checked(range, buffer.len())? })
    }
}

impl<'b, T: KernelArg> BufferSliceMut<'b, T> {
    pub(crate) fn new(buffer: &'b mut Buffer<T>, range: impl RangeBounds<usize>) -> Result<Self, Error> {
        Ok(Self { range: checked(range, buffer.len())?, buffer })
    }

    pub(crate) fn split(buffer: &'b mut Buffer<T>, mid: usize) -> Result<(Self, Self), Error> {
        let (low, high) = (checked(..mid, buffer.len())?, checked(mid.., buffer.len())?);
        let buffer = &*buffer;
        Ok((Self { buffer, range: low }, Self { buffer, range: high }))
    }
}

macro_rules! slices {
    ($($slice:ident)*) => {$(
        impl<T: KernelArg> $slice<'_, T> {
            /// The number of elements.
            ///
            /// ```
            /// # let stream = gridwright::Device::cpu()?.stream()?;
            /// # let mut buffer = stream.upload(&[1, 2, 3])?;
            /// assert_eq!(buffer.slice(1..)?.len(), buffer.slice_mut(1..)?.len());
            /// # Ok::<(), gridwright::Error>(())
            /// ```
            pub fn len(&self) -> usize {
                self.range.len()
            }

            /// Whether there are no elements.
            ///
            /// ```
            /// # let stream = gridwright::Device::cpu()?.stream()?;
            /// # let mut buffer = stream.upload(&[1, 2, 3])?;
            /// assert!(buffer.slice(3..)?.is_empty() && buffer.slice_mut(3..)?.is_empty());
            /// # Ok::<(), gridwright::Error>(())
            /// ```
            pub fn is_empty(&self) -> bool {
                self.range.is_empty()
            }

            pub(crate) fn device(&self) -> &Device {
                self.buffer.device()
            }

            pub(crate) fn place(&self) -> Place {
                let place = self.buffer.place();
                // SAFETY: the range is in the buffer.
                let pointer = unsafe { place.pointer.add(self.range.start * size_of::<T>()) };
                Place { pointer, ..place }
            }

            pub(crate) fn owner(&self) -> Option<&Arc<Allocation>> {
                self.buffer.owner()
            }
        }

        impl<T> fmt::Debug for $slice<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($slice)).field("range", &self.range).finish_non_exhaustive()
            }
        }
    )*};
}

slices!(BufferSlice BufferSliceMut);

impl<T> Clone for BufferSlice<'_, T> {
    fn clone(&self) -> Self {
        Self { buffer: self.buffer, range: self.range.clone() }
    }
}

fn checked(range: impl RangeBounds<usize>, len: usize) -> Result<Range<usize>, Error> {
    // A bound beyond the largest number is beyond the end all the same.
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => len,
    };
    if start <= end && end <= len { Ok(start..end) } else { Err(Error::OutOfRange { start, end, len }) }
}
