use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, Range, RangeBounds};
use std::sync::Arc;

use gridwright_core::KernelArg;

use crate::allocation::Allocation;
use crate::submission::{Home, Place};
use crate::{Buffer, Device, Error, MatrixBuffer};

/// A part of a [`Buffer`] to read: what `&buffer` can be, this can be too.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let buffer = stream.upload(&[1, 2, 3, 4])?;
/// let tail = buffer.slice(2..)?;
/// assert_eq!(tail.len(), 2);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// A device pointer with an offset, such as `d + start`, and a length.
pub struct BufferSlice<'b, T> {
    memory: Memory<'b>,
    /// The first byte in the memory.
    start: usize,
    len: usize,
    _elements: PhantomData<&'b T>,
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
///
/// # From CUDA
/// A device pointer with an offset, such as `d + start`, and a length.
pub struct BufferSliceMut<'b, T> {
    // Shared, so that there can be two; the part is borrowed by this slice alone.
    memory: Memory<'b>,
    start: usize,
    len: usize,
    _elements: PhantomData<&'b mut T>,
}

/// A buffer's memory, whatever its elements are.
#[derive(Clone, Copy)]
struct Memory<'b> {
    device: &'b Device,
    /// The allocation; none where there are no bytes.
    allocation: Option<&'b Arc<Allocation>>,
}

impl<'b> Memory<'b> {
    fn of<T: KernelArg>(buffer: &'b Buffer<T>) -> Self {
        Self { device: buffer.device(), allocation: buffer.allocation() }
    }
}

impl<'b, T: KernelArg> BufferSlice<'b, T> {
    pub(crate) fn new(buffer: &'b Buffer<T>, range: impl RangeBounds<usize>) -> Result<Self, Error> {
        Ok(Self::part(Memory::of(buffer), &checked(range, buffer.len())?))
    }
}

impl<'b, T: KernelArg> BufferSliceMut<'b, T> {
    pub(crate) fn new(buffer: &'b mut Buffer<T>, range: impl RangeBounds<usize>) -> Result<Self, Error> {
        Ok(Self::part(Memory::of(buffer), &checked(range, buffer.len())?))
    }

    pub(crate) fn split(buffer: &'b mut Buffer<T>, mid: usize) -> Result<(Self, Self), Error> {
        let (low, high) = (checked(..mid, buffer.len())?, checked(mid.., buffer.len())?);
        let memory = Memory::of(buffer);
        Ok((Self::part(memory, &low), Self::part(memory, &high)))
    }
}

impl<'b> BufferSliceMut<'b, u64> {
    /// The first words of a buffer that has as many.
    pub(crate) fn of_words(buffer: &'b mut Buffer<u64>, len: usize) -> Self {
        Self::part(Memory::of(buffer), &(0..len))
    }

    /// Takes some words off the front, which there are, as elements of another type.
    ///
    /// # Safety
    /// The words have as many elements' bytes, the first lies where one may, and any bytes are one.
    pub(crate) unsafe fn split_off_front<T: KernelArg>(
        &mut self,
        words: usize,
        len: usize,
    ) -> BufferSliceMut<'b, T> {
        let front = BufferSliceMut { memory: self.memory, start: self.start, len, _elements: PhantomData };
        self.start += words * size_of::<u64>();
        self.len -= words;
        front
    }
}

impl<T: KernelArg> MatrixBuffer<T> {
    /// Rows of the matrix to read, one after another: a part of a buffer, for copies and for kernels that take slices.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], which counts elements.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let matrix = stream.upload_matrix(3, 2, &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(stream.download(&matrix.slice_rows(1..)?)?, [3, 4, 5, 6]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// The pointer to a row, such as `d + row * cols`, with a length, which is checked.
    pub fn slice_rows(&self, rows: impl RangeBounds<usize>) -> Result<BufferSlice<'_, T>, Error> {
        let range = elements(rows, self.rows(), self.cols())?;
        Ok(BufferSlice::part(Memory::of(self.elements()), &range))
    }

    /// Rows of the matrix to write.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], which counts elements.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let (above, mut below) = (stream.upload_matrix(2, 2, &[1, 2, 3, 4])?, stream.alloc_matrix_zeroed(2, 2)?);
    /// stream.copy(&above.slice_rows(1..)?, &mut below.slice_rows_mut(..1)?)?;
    /// assert_eq!(stream.download(&below)?, [3, 4, 0, 0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// The pointer to a row, such as `d + row * cols`, with a length, which is checked.
    pub fn slice_rows_mut(&mut self, rows: impl RangeBounds<usize>) -> Result<BufferSliceMut<'_, T>, Error> {
        let range = elements(rows, self.rows(), self.cols())?;
        Ok(BufferSliceMut::part(Memory::of(self.elements()), &range))
    }
}

/// The elements of some rows of a matrix, whose number a `usize` counts.
fn elements(rows: impl RangeBounds<usize>, all: usize, cols: usize) -> Result<Range<usize>, Error> {
    match checked(rows, all) {
        Ok(Range { start, end }) => Ok(start * cols..end * cols),
        Err(Error::OutOfRange { start, end, len }) => {
            let of = |rows: usize| rows.saturating_mul(cols.max(1));
            Err(Error::OutOfRange { start: of(start), end: of(end), len: of(len) })
        }
        Err(other) => Err(other),
    }
}

macro_rules! slices {
    ($($slice:ident)*) => {$(
        impl<'b, T: KernelArg> $slice<'b, T> {
            /// The elements of a range, which are in the memory.
            fn part(memory: Memory<'b>, range: &Range<usize>) -> Self {
                Self { memory, start: range.start * size_of::<T>(), len: range.len(), _elements: PhantomData }
            }

            /// The number of elements.
            ///
            /// ```
            /// # let stream = gridwright::Device::cpu()?.stream()?;
            /// # let mut buffer = stream.upload(&[1, 2, 3])?;
            /// assert_eq!(buffer.slice(1..)?.len(), buffer.slice_mut(1..)?.len());
            /// # Ok::<(), gridwright::Error>(())
            /// ```
            pub fn len(&self) -> usize {
                self.len
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
                self.len == 0
            }

            pub(crate) fn device(&self) -> &Device {
                self.memory.device
            }

/// The first elements of the part.
            ///
            /// # Errors
            /// [`Error::OutOfRange`] where the part has fewer.
            ///
            /// ```
            /// # let stream = gridwright::Device::cpu()?.stream()?;
            /// let buffer = stream.upload(&[1, 2, 3, 4])?;
            /// let part = buffer.slice(1..)?.first(2)?;
            /// assert_eq!(stream.download(&part)?, [2, 3]);
            /// # Ok::<(), gridwright::Error>(())
            /// ```
            ///
            /// # From CUDA
            /// The pointer, with a smaller length.
            pub fn first(self, len: usize) -> Result<Self, Error> {
                if len > self.len {
                    return Err(Error::OutOfRange { start: 0, end: len, len: self.len });
                }
                Ok(Self { len, ..self })
            }

                        pub(crate) fn place(&self) -> Place {
                // Of nothing, where the part begins may be no place for an element.
                let Some(allocation) = self.memory.allocation.filter(|_| self.len > 0) else {
                    return Place::nowhere();
                };
                let place = allocation.place();
                // SAFETY: the part is in the memory.
                let pointer = unsafe { place.pointer.add(self.start) };
                Place { pointer, ..place }
            }

            pub(crate) fn owner(&self) -> Option<&Arc<Allocation>> {
                self.memory.allocation.filter(|allocation| allocation.place().home == Home::Device)
            }

            /// The part's bytes as elements of another type.
            ///
            /// # Safety
            /// The bytes are whole elements of it, the first lies where one may, and any bytes are one.
            pub(crate) unsafe fn cast<U: KernelArg>(self) -> $slice<'b, U> {
                let len = self.len * size_of::<T>() / size_of::<U>();
                $slice { memory: self.memory, start: self.start, len, _elements: PhantomData }
            }
        }

        impl<T> fmt::Debug for $slice<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($slice)).field("len", &self.len).finish_non_exhaustive()
            }
        }
    )*};
}

slices!(BufferSlice BufferSliceMut);

impl<'b, T: KernelArg> From<&'b Buffer<T>> for BufferSlice<'b, T> {
    fn from(buffer: &'b Buffer<T>) -> Self {
        Self::part(Memory::of(buffer), &(0..buffer.len()))
    }
}

impl<'b, T: KernelArg> From<&'b mut Buffer<T>> for BufferSliceMut<'b, T> {
    fn from(buffer: &'b mut Buffer<T>) -> Self {
        Self::part(Memory::of(buffer), &(0..buffer.len()))
    }
}

impl<T: KernelArg> BufferSliceMut<'_, T> {
    /// The part to read, for as long as it isn't written.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut buffer = stream.upload(&[1, 2, 3])?;
    /// let part = buffer.slice_mut(1..)?;
    /// assert_eq!(stream.download(&part.as_slice())?, [2, 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn as_slice(&self) -> BufferSlice<'_, T> {
        BufferSlice { memory: self.memory, start: self.start, len: self.len, _elements: PhantomData }
    }

    /// The part to write, for a call that takes it as a value.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut buffer = stream.upload(&[1, 2, 3])?;
    /// let mut part = buffer.slice_mut(1..)?;
    /// stream.fill(&mut part.reborrow(), 0)?;
    /// assert_eq!(stream.download(&part)?, [0, 0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn reborrow(&mut self) -> BufferSliceMut<'_, T> {
        BufferSliceMut { memory: self.memory, start: self.start, len: self.len, _elements: PhantomData }
    }
}

impl<T> Clone for BufferSlice<'_, T> {
    fn clone(&self) -> Self {
        Self { ..*self }
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
