use std::mem::align_of;

use gridwright_core::{KernelArg, MOST_ALIGNMENT};

use crate::{Buffer, BufferSliceMut, Error};

/// Memory as parts for elements of any types, one behind another: temporary memory of which calls take what they need.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let mut memory = stream.alloc_zeroed::<u64>(100)?;
/// let mut parts = memory.typed_parts();
/// let (mut counts, mut sums) = (parts.take::<u32>(3)?, parts.take::<f64>(2)?);
/// stream.fill(&mut counts, 7)?;
/// stream.fill(&mut sums, 0.5)?;
/// assert_eq!(stream.download(&counts)?, [7; 3]);
/// assert_eq!(stream.download(&sums)?, [0.5; 2]);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// A pointer into temporary memory that is moved on and rounded up by hand, as of CUB's `d_temp_storage`.
#[derive(Debug)]
pub struct BufferParts<'b> {
    /// What is left.
    left: BufferSliceMut<'b, u64>,
}

impl Buffer<u64> {
    /// The buffer as parts for elements of any types.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut memory = stream.alloc_zeroed::<u64>(8)?;
    /// assert_eq!(memory.typed_parts().take::<u8>(64)?.len(), 64);
    /// assert!(memory.typed_parts().take::<u8>(65).is_err());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn typed_parts(&mut self) -> BufferParts<'_> {
        let len = self.len();
        BufferParts { left: BufferSliceMut::of_words(self, len) }
    }
}

impl<'b> BufferParts<'b> {
    /// The bytes that parts of some elements of a type take: whole multiples of 64, so that each part begins where any element may.
    ///
    /// ```
    /// use gridwright::memory::BufferParts;
    ///
    /// assert_eq!(BufferParts::bytes_of::<u32>(17), Some(128));
    /// assert_eq!(BufferParts::bytes_of::<u32>(usize::MAX), None);
    /// ```
    pub fn bytes_of<T: KernelArg>(len: usize) -> Option<usize> {
        len.checked_mul(size_of::<T>())?.checked_next_multiple_of(MOST_ALIGNMENT)
    }

    /// The next part, of `len` elements that are whatever lies there.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], in bytes of what is left.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// # let mut memory = stream.alloc_zeroed::<u64>(100)?;
    /// let mut parts = memory.typed_parts();
    /// assert_eq!((parts.take::<u16>(5)?.len(), parts.take::<[f32; 3]>(2)?.len()), (5, 2));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn take<T: KernelArg>(&mut self, len: usize) -> Result<BufferSliceMut<'b, T>, Error> {
        const { assert!(align_of::<T>() <= MOST_ALIGNMENT, "a kernel argument is aligned to 64 bytes at most") };
        let left = self.left.len() * size_of::<u64>();
        let end = Self::bytes_of::<T>(len).unwrap_or(usize::MAX);
        if end > left {
            return Err(Error::OutOfRange { start: 0, end, len: left });
        }
        // SAFETY: the part begins at a multiple of the most alignment, its bytes are there and nobody else's, and any bytes are elements.
        Ok(unsafe { self.left.split_off_front(end / size_of::<u64>(), len) })
    }
}
