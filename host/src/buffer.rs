use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeBounds;
use std::sync::Arc;

use gridwright_core::KernelArg;

use crate::allocation::Allocation;
#[cfg(feature = "dlpack")]
use crate::allocation::Foreign;
use crate::backend::Backend;
use crate::profile::Piece;
use crate::submission::{Contents, Home, Memory, Place, forbid};
use crate::{Activity, BufferSlice, BufferSliceMut, Device, Error, Stream};

/// Elements in a device's memory. Freed when dropped, after the work that uses it, on whatever streams.
///
/// Work on several streams that uses one buffer runs in the order in which it was submitted where one of the two writes it;
/// launches that only read it don't wait for each other.
///
/// A kernel's `&[T]` takes a `&Buffer<T>`; what it writes, `PerThread<[T]>`, `PerGroup<[T]>` and `Atomic<[T]>`, takes
/// a `&mut Buffer<T>`.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let buffer = stream.upload(&[1.0_f32, 2.0, 3.0])?;
/// assert_eq!(buffer.len(), 3);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// The `float*` that `cudaMalloc` gives, with its length.
/// Dropping the buffer is `cudaFreeAsync`, behind all work that uses it.
pub struct Buffer<T> {
    device: Device,
    /// The memory; none where there are no bytes.
    memory: Option<Arc<Allocation>>,
    len: usize,
    _elements: PhantomData<T>,
}

// SAFETY: a buffer owns its elements, like a `Vec`; the backend is thread-safe.
unsafe impl<T: Send> Send for Buffer<T> {}
// SAFETY: a shared buffer is only read.
unsafe impl<T: Sync> Sync for Buffer<T> {}

impl<T: KernelArg> Buffer<T> {
    /// A buffer of `len` elements, whose bytes are zero unless the next thing is to write them all.
    pub(crate) fn new(stream: &Stream, len: usize, contents: Contents) -> Result<Self, Error> {
        Self::of(stream, len, |backend, bytes| {
            if contents == Contents::Unset {
                return backend.allocate(stream.id(), bytes, contents);
            }
            let timing = stream.timing(&[], || Piece::moves(Activity::Fill, bytes));
            let memory = backend.allocate(stream.id(), bytes, contents)?;
            timing.end();
            Ok(memory)
        })
    }

    /// A buffer of `len` elements, all bytes zero, which the host reaches at their place.
    pub(crate) fn unified(stream: &Stream, len: usize, home: Home) -> Result<Self, Error> {
        Self::of(stream, len, |backend, bytes| backend.allocate_unified(bytes, home))
    }

    fn of(
        stream: &Stream,
        len: usize,
        allocate: impl FnOnce(&dyn Backend, usize) -> Result<Memory, Error>,
    ) -> Result<Self, Error> {
        let device = stream.device();
        let too_large = || Error::OutOfMemory {
            device: device.name().into(),
            requested: (len as u128).saturating_mul(size_of::<T>() as u128),
            free: None,
            total: None,
        };
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(too_large)?;
        forbid("alloc")?;
        let memory = if bytes == 0 {
            None
        } else {
            let memory = allocate(device.backend(), bytes)?;
            // SAFETY: of as many bytes, just now.
            Some(Arc::new(unsafe { Allocation::new(device.clone(), memory, bytes) }))
        };
        Ok(Self { device: device.clone(), memory, len, _elements: PhantomData })
    }

    /// A buffer of `len` elements that lie in memory of a device, which is the buffer's from here on.
    ///
    /// # Safety
    /// The device's backend took the memory, which has room for them, and they have bytes.
    #[cfg(feature = "cudarc")]
    pub(crate) unsafe fn from_memory(device: Device, memory: Memory, len: usize) -> Self {
        // SAFETY: the caller says that the device's backend took the memory, which has room for as many bytes.
        let allocation = unsafe { Allocation::new(device.clone(), memory, len * size_of::<T>()) };
        Self { device, memory: Some(Arc::new(allocation)), len, _elements: PhantomData }
    }

    /// A buffer of `len` elements that lie in memory of a device, which its owner frees when it is dropped.
    ///
    /// # Safety
    /// The device's backend adopted the memory, which has them until the owner is dropped, and they have bytes.
    #[cfg(feature = "dlpack")]
    pub(crate) unsafe fn of_owner(device: Device, memory: Memory, len: usize, owner: Foreign) -> Self {
        let bytes = len * size_of::<T>();
        // SAFETY: the caller says that the device's backend adopted the memory, which has as many bytes until the owner is dropped.
        let allocation = unsafe { Allocation::of_owner(device.clone(), memory, bytes, owner) };
        Self { device, memory: Some(Arc::new(allocation)), len, _elements: PhantomData }
    }

    /// Whether the memory is another library's, which frees it.
    #[cfg(feature = "cudarc")]
    pub(crate) fn is_foreign(&self) -> bool {
        #[cfg(feature = "dlpack")]
        return self.memory.as_ref().is_some_and(|memory| memory.is_foreign());
        #[cfg(not(feature = "dlpack"))]
        false
    }

    /// Whether no graph has the memory too. It stays so, as a graph gets it from the buffer only.
    #[cfg(any(feature = "cudarc", feature = "dlpack"))]
    pub(crate) fn is_alone(&self) -> bool {
        self.memory.as_ref().is_none_or(|memory| Arc::strong_count(memory) == 1)
    }

    /// The device's memory, which isn't freed; none if it is somebody else's too, or there is none.
    #[cfg(feature = "cudarc")]
    pub(crate) fn into_memory(self) -> Option<Memory> {
        Arc::into_inner(self.memory?).map(Allocation::into_memory)
    }

    /// The number of elements.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(stream.upload(&[1, 2, 3])?.len(), 3);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert!(stream.alloc_zeroed::<f32>(0)?.is_empty());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A part of the buffer to read.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let buffer = stream.upload(&[1, 2, 3, 4])?;
    /// assert_eq!(stream.download(&buffer.slice(1..3)?)?, [2, 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// The pointer `d + start`, with a length, which is checked.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<BufferSlice<'_, T>, Error> {
        BufferSlice::new(self, range)
    }

    /// A part of the buffer to write.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut buffer = stream.upload(&[1, 2, 3, 4])?;
    /// stream.fill(&mut buffer.slice_mut(2..)?, 0)?;
    /// assert_eq!(stream.download(&buffer)?, [1, 2, 0, 0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// The pointer `d + start`, with a length, which is checked.
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<BufferSliceMut<'_, T>, Error> {
        BufferSliceMut::new(self, range)
    }

    /// The elements before `mid`, and those from it on: two parts that can be written in one launch.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `mid` is beyond the end.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut buffer = stream.upload(&[1, 2, 3, 4])?;
    /// let (mut low, mut high) = buffer.split_at_mut(1)?;
    /// stream.fill(&mut low, 8)?;
    /// stream.fill(&mut high, 9)?;
    /// assert_eq!(stream.download(&buffer)?, [8, 9, 9, 9]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// The pointers `d` and `d + mid`, with their lengths.
    pub fn split_at_mut(
        &mut self,
        mid: usize,
    ) -> Result<(BufferSliceMut<'_, T>, BufferSliceMut<'_, T>), Error> {
        BufferSliceMut::split(self, mid)
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// The place where the elements begin.
    pub(crate) fn place(&self) -> Place {
        self.memory.as_ref().map_or_else(Place::nowhere, |memory| memory.place())
    }

    /// The memory; none where there are no bytes.
    pub(crate) fn allocation(&self) -> Option<&Arc<Allocation>> {
        self.memory.as_ref()
    }

    /// The owner, who frees the memory; none where the host looks at it as if nobody but who borrows it used
    /// it.
    pub(crate) fn owner(&self) -> Option<&Arc<Allocation>> {
        self.memory.as_ref().filter(|memory| memory.place().home == Home::Device)
    }
}

impl<T> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer").field("len", &self.len).field("device", &self.device.name()).finish()
    }
}

/// A matrix in a device's memory, row after row.
///
/// A kernel's `&Matrix<T>` takes a `&MatrixBuffer<T>`; `PerThread<Matrix<T>>` and `PerGroup<Matrix<T>>` take a
/// `&mut MatrixBuffer<T>`.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let matrix = stream.upload_matrix(2, 3, &[1, 2, 3, 4, 5, 6])?;
/// assert_eq!((matrix.rows(), matrix.cols()), (2, 3));
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// Memory with rows as from `cudaMallocPitch`. There is no pitch: a row begins where the one before it ends.
pub struct MatrixBuffer<T> {
    elements: Buffer<T>,
    rows: usize,
    cols: usize,
}

impl<T: KernelArg> MatrixBuffer<T> {
    /// A matrix of `rows * cols` elements.
    pub(crate) fn new(elements: Buffer<T>, rows: usize, cols: usize) -> Self {
        Self { elements, rows, cols }
    }

    /// The number of rows.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(stream.alloc_matrix_zeroed::<f32>(2, 3)?.rows(), 2);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(stream.alloc_matrix_zeroed::<f32>(2, 3)?.cols(), 3);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The elements, row after row, without their shape.
    #[cfg(feature = "dlpack")]
    pub(crate) fn into_buffer(self) -> Buffer<T> {
        self.elements
    }

    /// The elements, row after row.
    pub(crate) fn elements(&self) -> &Buffer<T> {
        &self.elements
    }

    pub(crate) fn len(&self) -> usize {
        self.elements.len()
    }

    pub(crate) fn device(&self) -> &Device {
        self.elements.device()
    }

    pub(crate) fn place(&self) -> Place {
        self.elements.place()
    }

    pub(crate) fn owner(&self) -> Option<&Arc<Allocation>> {
        self.elements.owner()
    }
}

impl<T> fmt::Debug for MatrixBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MatrixBuffer")
            .field("rows", &self.rows)
            .field("cols", &self.cols)
            .finish_non_exhaustive()
    }
}
