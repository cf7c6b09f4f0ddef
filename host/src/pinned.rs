use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use gridwright_core::KernelArg;

use crate::host_memory::too_much;
use crate::profile::Piece;
use crate::submission::Ticket;
use crate::{Activity, Device, Error, ReadFrom, Stream, WriteTo};

/// Elements in the host's memory that a device copies from and to by itself, while the host goes on: pinned memory. It is
/// a slice.
///
/// A copy takes it along and gives it back when it is done, so that nobody looks at it in between.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let mut input = stream.pinned::<f32>(1000)?;
/// input.fill(1.5);
/// let mut buffer = stream.alloc_zeroed(1000)?;
/// let sent = stream.copy_from_pinned(&mut buffer, input)?;
/// // … launches with `buffer`, which run after the copy …
/// let input = sent.wait()?;
/// assert_eq!(input[999], 1.5);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// Memory of `cudaMallocHost`, or of `cudaHostAlloc`. Dropping it is `cudaFreeHost`, behind its copy.
pub struct PinnedBuffer<T> {
    device: Device,
    // Dangling, but aligned and not null, where there are no bytes.
    pointer: NonNull<T>,
    len: usize,
    /// The copy that may still be at work.
    copy: Option<Ticket>,
    _elements: PhantomData<T>,
}

// SAFETY: it owns its elements, like a `Vec`; the backend is thread-safe.
unsafe impl<T: Send> Send for PinnedBuffer<T> {}
// SAFETY: a shared one is only read: what copies take it, and own it.
unsafe impl<T: Sync> Sync for PinnedBuffer<T> {}

/// A copy from or to a [`PinnedBuffer`], which it keeps until it is done.
///
/// Dropped, the copy is made all the same, and the memory freed afterwards.
///
/// ```
/// # let stream = gridwright::Device::cpu()?.stream()?;
/// let buffer = stream.upload(&[1, 2, 3])?;
/// let copied = stream.copy_to_pinned(&buffer, stream.pinned(3)?)?;
/// // … anything else …
/// assert_eq!(copied.wait()?[..], [1, 2, 3]);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// A `cudaMemcpyAsync` that may be at work, with an event behind it.
#[must_use = "it has the memory that was copied from or to"]
pub struct Pending<T> {
    memory: PinnedBuffer<T>,
    /// The stream of the copy. For memory of no bytes there is no copy, and nothing but the stream to wait
    /// for.
    stream: Stream,
}

impl Stream {
    /// New pinned memory of the host for `len` elements, whose bytes are zero.
    ///
    /// It takes long to make and is worth it for copies that the host doesn't wait for, again and again.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(stream.pinned::<u32>(3)?[..], [0, 0, 0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMallocHost`, and zeros.
    pub fn pinned<T: KernelArg>(&self, len: usize) -> Result<PinnedBuffer<T>, Error> {
        let device = self.device().clone();
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| too_much::<T>(len))?;
        let pointer =
            if bytes == 0 { NonNull::dangling() } else { device.backend().allocate_pinned(bytes)?.cast() };
        Ok(PinnedBuffer { device, pointer, len, copy: None, _elements: PhantomData })
    }

    /// Copies a buffer, a matrix, a volume or a part of a buffer to pinned memory of the same length, after the stream's
    /// work. The host doesn't wait.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignBuffer`], [`Error::DeviceLost`]. The pinned memory is freed then.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let buffer = stream.upload(&[1, 2, 3])?;
    /// let copied = stream.copy_to_pinned(&buffer, stream.pinned(3)?)?;
    /// assert_eq!(copied.wait()?[..], [1, 2, 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpyAsync` from the device to pinned memory. The length is checked.
    pub fn copy_to_pinned<B: ReadFrom>(
        &self,
        buffer: &B,
        mut to: PinnedBuffer<B::Element>,
    ) -> Result<Pending<B::Element>, Error> {
        self.forbid_capture("copy_to_pinned")?;
        let region = buffer.region();
        self.check(&region, to.len, "copy_to_pinned")?;
        self.check_pinned(&to, "copy_to_pinned")?;
        if to.bytes() != 0 {
            let backend = self.device().backend();
            let (to_bytes, bytes) = (to.pointer.cast(), to.bytes());
            let timing = self.timing(&[region.access()], || Piece::moves(Activity::CopyToHost, bytes));
            // SAFETY: the region has as many bytes. The memory is pinned and has as many; `Pending` keeps it, and frees
            // it by the ticket.
            let ticket = unsafe { backend.read_pinned(self.id(), region.place, to_bytes, bytes) }?;
            timing.end();
            to.copy = Some(ticket);
        }
        Ok(Pending { memory: to, stream: self.clone() })
    }

    /// Copies pinned memory to a buffer, a matrix, a volume or a part of a buffer of the same length, after the stream's
    /// work. The host doesn't wait.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignBuffer`], [`Error::DeviceLost`]. The pinned memory is freed then.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut input = stream.pinned(2)?;
    /// input.copy_from_slice(&[5.0, 6.0]);
    /// let mut buffer = stream.alloc_zeroed::<f32>(4)?;
    /// let sent = stream.copy_from_pinned(&mut buffer.slice_mut(1..3)?, input)?;
    /// assert_eq!(stream.download(&buffer)?, [0.0, 5.0, 6.0, 0.0]);
    /// # drop(sent);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpyAsync` from pinned memory to the device. The length is checked.
    pub fn copy_from_pinned<B: WriteTo>(
        &self,
        buffer: &mut B,
        mut from: PinnedBuffer<B::Element>,
    ) -> Result<Pending<B::Element>, Error> {
        self.forbid_capture("copy_from_pinned")?;
        let region = buffer.region_mut();
        self.check(&region, from.len, "copy_from_pinned")?;
        self.check_pinned(&from, "copy_from_pinned")?;
        if from.bytes() != 0 {
            let backend = self.device().backend();
            let (from_bytes, bytes) = (from.pointer.cast(), from.bytes());
            let timing = self.timing(&[region.access()], || Piece::moves(Activity::CopyToDevice, bytes));
            // SAFETY: the region has room for as many bytes. The memory is pinned and has as many; `Pending` keeps it
            // from being written, and frees it by the ticket.
            let ticket = unsafe { backend.write_pinned(self.id(), region.place, from_bytes, bytes) }?;
            timing.end();
            from.copy = Some(ticket);
        }
        Ok(Pending { memory: from, stream: self.clone() })
    }

    /// Checks that pinned memory is of the stream's device: tickets are of one device.
    fn check_pinned<T>(&self, memory: &PinnedBuffer<T>, place: &'static str) -> Result<(), Error> {
        if self.device().is(&memory.device) {
            return Ok(());
        }
        Err(Error::ForeignBuffer {
            place: format!("{place}, pinned memory"),
            device: self.device().identity(),
            buffer_device: memory.device.identity(),
        })
    }
}

impl<T> PinnedBuffer<T> {
    fn bytes(&self) -> usize {
        // No overflow: as many were allocated.
        self.len * size_of::<T>()
    }
}

impl<T> Pending<T> {
    /// Waits for the copy, and gives the memory back.
    ///
    /// # Errors
    /// [`Error::KernelPanic`] if a kernel of the device panicked since the last synchronisation, [`Error::DeviceLost`].
    /// The memory is freed then.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let buffer = stream.upload(&[1, 2, 3])?;
    /// let elements = stream.copy_to_pinned(&buffer, stream.pinned(3)?)?.wait()?;
    /// assert_eq!(elements[..], [1, 2, 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaEventSynchronize`, for an event behind the copy.
    pub fn wait(self) -> Result<PinnedBuffer<T>, Error> {
        let Self { mut memory, stream } = self;
        stream.forbid_capture("Pending::wait")?;
        stream.device().waiting("Pending::wait", || match memory.copy {
            Some(ticket) => memory.device.backend().wait_until_done(ticket),
            None => stream.device().backend().synchronize(stream.id()),
        })?;
        stream.device().host_panics().report()?;
        memory.copy = None;
        Ok(memory)
    }

    /// Whether the copy is done, so that [`wait`](Self::wait) doesn't wait.
    ///
    /// # Errors
    /// [`Error::DeviceLost`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let buffer = stream.upload(&[1, 2, 3])?;
    /// let copied = stream.copy_to_pinned(&buffer, stream.pinned(3)?)?;
    /// while !copied.is_done()? {
    ///     std::thread::yield_now();
    /// }
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaEventQuery`, for an event behind the copy.
    pub fn is_done(&self) -> Result<bool, Error> {
        match self.memory.copy {
            Some(ticket) => self.memory.device.backend().is_done(ticket),
            None => Ok(true),
        }
    }
}

impl<T: KernelArg> Deref for PinnedBuffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: as many elements were allocated; all bytes are values of a `KernelArg`; a copy that is at work has the
        // buffer in its `Pending`, which lends it to nobody.
        unsafe { std::slice::from_raw_parts(self.pointer.as_ptr(), self.len) }
    }
}

impl<T: KernelArg> DerefMut for PinnedBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as many elements were allocated; all bytes are values of a `KernelArg`; the buffer is borrowed mutably, and a
        // copy that is at work has it in its `Pending`, which lends it to nobody.
        unsafe { std::slice::from_raw_parts_mut(self.pointer.as_ptr(), self.len) }
    }
}

impl<T> Drop for PinnedBuffer<T> {
    fn drop(&mut self) {
        if self.bytes() != 0 {
            let (address, bytes, copy) = (self.pointer.expose_provenance(), self.bytes(), self.copy);
            self.device.outside_host_calls(move |device| {
                let pointer = NonNull::with_exposed_provenance(address);
                // SAFETY: `pinned` allocated as many; of the device, only the copy of the ticket uses it.
                unsafe { device.backend().free_pinned(pointer, bytes, copy) };
            });
        }
    }
}

impl<T> fmt::Debug for PinnedBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PinnedBuffer").field("len", &self.len).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("memory", &self.memory).finish_non_exhaustive()
    }
}
