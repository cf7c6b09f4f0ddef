use std::mem::align_of;

use gridwright_core::{KernelArg, Vector, VectorElement};

use crate::{Buffer, BufferSlice, BufferSliceMut, Error};

impl<T: KernelArg> Buffer<T> {
    /// The buffer's memory as vectors, for kernels that read several numbers at once. Nothing is copied.
    ///
    /// ```
    /// use gridwright::memory::Vector;
    /// use gridwright::prelude::*;
    ///
    /// /// y = a*x + y, four neighbours a thread.
    /// #[gpu_kernel(requires = x.len() == y.len())]
    /// fn saxpy4(t: Thread, a: f32, x: &[Vector<f32, 4>], mut y: PerThread<[Vector<f32, 4>]>) {
    ///     if let Some(y) = y.get_mut(t) {
    ///         *y = x[t.index()] * a + *y;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let x = stream.upload(&[1.0_f32; 1000])?;
    /// let mut y = stream.upload(&[2.0_f32; 1000])?;
    /// saxpy4::load(&device)?.launch(&stream, LaunchConfig::threads(250), (3.0, x.vectors()?, y.vectors_mut()?))?;
    /// assert!(stream.download(&y)?.iter().all(|&y| y == 5.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::UnevenVectors`] if the buffer isn't whole vectors.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let buffer = stream.upload(&[1.0_f32, 2.0, 3.0, 4.0])?;
    /// let vectors = buffer.vectors::<2>()?;
    /// assert_eq!(*stream.download(&vectors)?[1], [3.0, 4.0]);
    /// assert!(buffer.slice(1..)?.vectors::<2>().is_err()); // three numbers
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `reinterpret_cast<const float4*>(x)`. The length and the alignment are checked.
    pub fn vectors<const N: usize>(&self) -> Result<BufferSlice<'_, Vector<T, N>>, Error>
    where
        T: VectorElement<N>,
    {
        self.slice(..)?.vectors()
    }

    /// The buffer's memory as vectors, to write.
    ///
    /// # Errors
    /// [`Error::UnevenVectors`] if the buffer isn't whole vectors.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut buffer = stream.alloc_zeroed::<u32>(4)?;
    /// stream.fill(&mut buffer.vectors_mut::<2>()?, [1, 2].into())?;
    /// assert_eq!(stream.download(&buffer)?, [1, 2, 1, 2]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `reinterpret_cast<float4*>(x)`. The length and the alignment are checked.
    pub fn vectors_mut<const N: usize>(&mut self) -> Result<BufferSliceMut<'_, Vector<T, N>>, Error>
    where
        T: VectorElement<N>,
    {
        self.slice_mut(..)?.vectors_mut()
    }
}

impl<'b, T: KernelArg> BufferSlice<'b, T> {
    /// The part as vectors, as for [`Buffer::vectors`].
    ///
    /// # Errors
    /// [`Error::UnevenVectors`] if it isn't whole vectors, or doesn't begin where a vector may lie.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let buffer = stream.upload(&[1_u32, 2, 3, 4, 5, 6])?;
    /// assert_eq!(*stream.download(&buffer.slice(2..)?.vectors::<2>()?)?[0], [3, 4]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `reinterpret_cast<const float4*>(x + start)`. The length and the alignment are checked.
    pub fn vectors<const N: usize>(self) -> Result<BufferSlice<'b, Vector<T, N>>, Error>
    where
        T: VectorElement<N>,
    {
        check::<T, N>(self.len(), self.place().pointer.as_ptr())?;
        // SAFETY: it begins where a vector may lie, and is whole vectors, of which any bytes are values.
        Ok(unsafe { self.cast() })
    }
}

impl<'b, T: KernelArg> BufferSliceMut<'b, T> {
    /// The part as vectors to write, as for [`Buffer::vectors_mut`].
    ///
    /// # Errors
    /// As for [`BufferSlice::vectors`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut buffer = stream.alloc_zeroed::<u32>(6)?;
    /// assert!(buffer.slice_mut(2..)?.vectors_mut::<4>().is_err()); // in the middle of a vector's place
    /// stream.fill(&mut buffer.slice_mut(4..)?.vectors_mut::<2>()?, [1, 2].into())?;
    /// assert_eq!(stream.download(&buffer)?, [0, 0, 0, 0, 1, 2]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `reinterpret_cast<float4*>(x + start)`. The length and the alignment are checked.
    pub fn vectors_mut<const N: usize>(self) -> Result<BufferSliceMut<'b, Vector<T, N>>, Error>
    where
        T: VectorElement<N>,
    {
        check::<T, N>(self.len(), self.place().pointer.as_ptr())?;
        // SAFETY: it begins where a vector may lie, and is whole vectors, of which any bytes are values.
        Ok(unsafe { self.cast() })
    }
}

fn check<T: VectorElement<N>, const N: usize>(len: usize, first: *const u8) -> Result<(), Error> {
    let alignment = align_of::<Vector<T, N>>();
    let beyond = first.addr() % alignment;
    // Of nothing, the place doesn't matter.
    if len.is_multiple_of(N) && (beyond == 0 || len == 0) {
        return Ok(());
    }
    Err(Error::UnevenVectors { len, vector: N, beyond })
}
