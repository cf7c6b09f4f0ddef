use std::sync::Arc;

use gridwright_core::KernelArg;

use crate::graph::Capture;
use crate::host_memory::zeros;
use crate::profile::Piece;
use crate::staging::Staging;
use crate::submission::{Contents, StreamId, forbid};
use crate::transfer::Region;
use crate::{Activity, Buffer, Device, Error, Event, MatrixBuffer, Priority, ReadFrom, WriteTo};

/// A queue of work for a device: copies and launches, one after another.
///
/// Several streams of a GPU run side by side. Where they use one buffer, and not both only read it, what was submitted
/// later waits for what was submitted earlier, without being told. Clones are the same stream.
///
/// While a stream is [captured](Self::capture), calls are recorded for a graph and nothing runs.
///
/// On the CPU, a thread does a stream's work while the program goes on. What takes little and waits for nothing is done by the call itself,
/// and all is where the device has one thread. A kernel that launches another may wait for its own stream for ever.
///
/// ```
/// use gridwright::prelude::*;
///
/// let stream = Device::cpu()?.stream()?;
/// let buffer = stream.upload(&[1, 2, 3])?;
/// assert_eq!(stream.download(&buffer)?, [1, 2, 3]);
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// `cudaStream_t`. There is no default stream. Dropping the last clone stands in for `cudaStreamDestroy`.
#[derive(Clone, Debug)]
pub struct Stream(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    device: Device,
    id: StreamId,
    priority: Priority,
    capture: Capture,
    staging: Staging,
}

impl Stream {
    pub(crate) fn open(device: Device) -> Result<Self, Error> {
        Self::open_with(device, Priority::NORMAL)
    }

    /// Opens a stream with a priority that the device has.
    pub(crate) fn open_with(device: Device, priority: Priority) -> Result<Self, Error> {
        forbid("stream")?;
        let id = device.backend().open_stream(priority)?;
        Ok(Self::new(device, id, priority))
    }

    /// A stream that the backend opened, and closes with this.
    pub(crate) fn new(device: Device, id: StreamId, priority: Priority) -> Self {
        let (capture, staging) = (Capture::default(), Staging::default());
        Self(Arc::new(Inner { device, id, priority, capture, staging }))
    }

    pub(crate) fn id(&self) -> StreamId {
        self.0.id
    }

    /// The device that the stream is of.
    ///
    /// ```
    /// # let device = gridwright::Device::cpu()?;
    /// assert_eq!(device.stream()?.device().name(), device.name());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaStreamGetDevice`.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// The stream's priority: what [`Device::stream_with_priority`] made of the one that it was given.
    ///
    /// ```
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(stream.priority(), gridwright::Priority::NORMAL);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaStreamGetPriority`, with its sign changed: here greater priorities come first.
    pub fn priority(&self) -> Priority {
        self.0.priority
    }

    /// A new buffer with a copy of `elements`. An empty slice makes an empty buffer.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let buffer = stream.upload(&[1.0_f32; 1000])?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc`, or `cudaMallocAsync` where the device has memory pools, and `cudaMemcpy` from the host.
    pub fn upload<T: KernelArg>(&self, elements: &[T]) -> Result<Buffer<T>, Error> {
        // What is recorded writes it in a replay, and there may never be one.
        let contents = if self.is_recorded("upload")? { Contents::Zero } else { Contents::Unset };
        let mut buffer = Buffer::new(self, elements.len(), contents)?;
        self.copy_from_slice(&mut buffer, elements)?;
        Ok(buffer)
    }

    /// A new matrix with a copy of `elements`, which lie row after row.
    ///
    /// # Errors
    /// [`Error::MatrixSize`] if there aren't `rows * cols` of them, [`Error::MatrixLimit`], [`Error::OutOfMemory`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let identity = stream.upload_matrix(2, 2, &[1.0, 0.0, 0.0, 1.0])?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc`, and `cudaMemcpy` from the host to the device. There is no pitch, as from
    /// `cudaMallocPitch`.
    pub fn upload_matrix<T: KernelArg>(
        &self,
        rows: usize,
        cols: usize,
        elements: &[T],
    ) -> Result<MatrixBuffer<T>, Error> {
        check_elements(rows, cols, elements.len())?;
        check_matrix(rows, cols)?;
        Ok(MatrixBuffer::new(self.upload(elements)?, rows, cols))
    }

    /// A new buffer of `len` elements whose bytes are zero.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let sums = stream.alloc_zeroed::<f32>(1000)?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc`, or `cudaMallocAsync` where the device has memory pools, and `cudaMemsetAsync` with zero.
    pub fn alloc_zeroed<T: KernelArg>(&self, len: usize) -> Result<Buffer<T>, Error> {
        let mut buffer = Buffer::new(self, len, Contents::Zero)?;
        if self.is_recorded("alloc_zeroed")? {
            let zero = vec![0; size_of::<T>()];
            self.record_call(|draft| draft.fill(&buffer.region_mut(), &zero))?;
        }
        Ok(buffer)
    }

    /// A new buffer of `len` elements that are whatever lies there: for what is written before it is read. On the CPU they are zero,
    /// which costs nothing there.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut copy = stream.alloc_unset::<f32>(3)?;
    /// stream.copy(&stream.upload(&[1.0, 2.0, 3.0])?, &mut copy)?;
    /// assert_eq!(stream.download(&copy)?, [1.0, 2.0, 3.0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc`, or `cudaMallocAsync` where the device has memory pools.
    pub fn alloc_unset<T: KernelArg>(&self, len: usize) -> Result<Buffer<T>, Error> {
        // A capture doesn't record it: the memory is there before the graph runs.
        self.is_recorded("alloc_unset")?;
        Buffer::new(self, len, Contents::Unset)
    }

    /// A new matrix whose bytes are zero.
    ///
    /// # Errors
    /// [`Error::MatrixLimit`] for more than 2³² - 1 rows or columns, [`Error::OutOfMemory`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let image = stream.alloc_matrix_zeroed::<f32>(480, 640)?;
    /// assert_eq!((image.rows(), image.cols()), (480, 640));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMalloc` and `cudaMemsetAsync` with zero. There is no pitch, as from `cudaMallocPitch`.
    pub fn alloc_matrix_zeroed<T: KernelArg>(
        &self,
        rows: usize,
        cols: usize,
    ) -> Result<MatrixBuffer<T>, Error> {
        check_matrix(rows, cols)?;
        let len = rows.checked_mul(cols).ok_or_else(|| Error::OutOfMemory {
            device: self.device().name().into(),
            requested: (rows as u128 * cols as u128).saturating_mul(size_of::<T>() as u128),
            free: None,
            total: None,
        })?;
        Ok(MatrixBuffer::new(self.alloc_zeroed(len)?, rows, cols))
    }

    /// The elements of a buffer, a matrix, a volume or a part of a buffer, once the work submitted so far is done.
    ///
    /// # Errors
    /// [`Error::KernelPanic`] if a kernel of the device panicked since the last synchronisation,
    /// [`Error::ForeignBuffer`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let buffer = stream.upload(&[1, 2, 3])?;
    /// assert_eq!(stream.download(&buffer)?, [1, 2, 3]);
    /// assert_eq!(stream.download(&buffer.slice(1..)?)?, [2, 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpy` from the device to the host, into a new `Vec`.
    pub fn download<B: ReadFrom>(&self, buffer: &B) -> Result<Vec<B::Element>, Error> {
        let region = buffer.region();
        let mut elements = zeros(region.len)?;
        self.read(&region, &mut elements, "download")?;
        Ok(elements)
    }

    /// Copies a buffer, a matrix, a volume or a part of a buffer to a slice of the same length, once the work
    /// submitted so far is done.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::KernelPanic`], [`Error::ForeignBuffer`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let buffer = stream.upload(&[1, 2, 3])?;
    /// let mut elements = [0; 3];
    /// stream.copy_to_slice(&buffer, &mut elements)?;
    /// assert_eq!(elements, [1, 2, 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpy` from the device to the host, behind the stream's work. It waits for the copy and checks
    /// the length.
    pub fn copy_to_slice<B: ReadFrom>(&self, buffer: &B, elements: &mut [B::Element]) -> Result<(), Error> {
        self.read(&buffer.region(), elements, "copy_to_slice")
    }

    /// Copies a slice to a buffer, a matrix, a volume or a part of a buffer of the same length. The slice may be used again
    /// when this returns; [`copy_from_pinned`](Self::copy_from_pinned) doesn't wait.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignBuffer`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut buffer = stream.alloc_zeroed::<f32>(4)?;
    /// stream.copy_from_slice(&mut buffer.slice_mut(1..3)?, &[5.0, 6.0])?;
    /// assert_eq!(stream.download(&buffer)?, [0.0, 5.0, 6.0, 0.0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemcpy` from the host to the device, in the stream's order. It waits for the copy and checks the
    /// length.
    pub fn copy_from_slice<B: WriteTo>(&self, buffer: &mut B, elements: &[B::Element]) -> Result<(), Error> {
        let region = buffer.region_mut();
        self.check(&region, elements.len(), "copy_from_slice")?;
        let bytes: &[u8] = bytemuck::cast_slice(elements);
        if self.is_recorded("copy_from_slice")? {
            return self.record_call(|draft| draft.write(&region, bytes));
        }
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: the region has as many elements, borrowed mutably.
        self.device().waiting("copy_from_slice", || unsafe { self.write_bytes(&region, bytes) })
    }

    /// Sets each element of a buffer, a matrix, a volume or a part of a buffer.
    ///
    /// # Errors
    /// [`Error::ForeignBuffer`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut buffer = stream.alloc_zeroed::<f32>(3)?;
    /// stream.fill(&mut buffer, 7.0)?;
    /// assert_eq!(stream.download(&buffer)?, [7.0; 3]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMemsetAsync`. The value is an element of any type, rather than a byte.
    pub fn fill<B: WriteTo>(&self, buffer: &mut B, value: B::Element) -> Result<(), Error> {
        let region = buffer.region_mut();
        self.check(&region, region.len, "fill")?;
        let pattern = bytemuck::bytes_of(&value);
        if self.is_recorded("fill")? {
            return self.record_call(|draft| draft.fill(&region, pattern));
        }
        if region.is_empty() {
            return Ok(());
        }
        let bytes = size_of::<B::Element>() * region.len;
        let timing = self.timing(&[region.access()], || Piece::moves(Activity::Fill, bytes));
        // SAFETY: the region has as many elements, borrowed mutably.
        unsafe { self.device().backend().fill(self.id(), region.place, pattern, region.len) }?;
        timing.end();
        Ok(())
    }

    /// Marks the point that the stream has reached.
    ///
    /// # Errors
    /// None on the CPU; on a GPU [`Error::DeviceLost`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let start = stream.record()?;
    /// let end = stream.record()?;
    /// println!("{:?}", end.duration_since(&start)?);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaEventCreate` and `cudaEventRecord`.
    pub fn record(&self) -> Result<Event, Error> {
        self.forbid_capture("record")?;
        let mark = self.device().backend().record(self.id())?;
        Ok(Event::new(self.device().clone(), mark))
    }

    /// Lets the stream go on only once another has reached `event`. The host doesn't wait.
    ///
    /// # Errors
    /// [`Error::ForeignStream`] for an event of another device.
    ///
    /// ```
    /// # let device = gridwright::Device::cpu()?;
    /// let (producer, consumer) = (device.stream()?, device.stream()?);
    /// consumer.wait(&producer.record()?)?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaStreamWaitEvent`. Buffers need none: streams that use one buffer wait for each other by
    /// themselves.
    pub fn wait(&self, event: &Event) -> Result<(), Error> {
        self.forbid_capture("wait")?;
        if self.device().is(event.device()) {
            return self.device().backend().wait(self.id(), event.mark());
        }
        Err(Error::ForeignStream {
            place: "wait".into(),
            what: "event",
            device: self.device().identity(),
            other: event.device().identity(),
        })
    }

    /// Waits until all work submitted to the stream so far is done.
    ///
    /// # Errors
    /// [`Error::KernelPanic`] if a kernel of the device panicked since the last synchronisation, on whatever
    /// stream. It is reported once. [`Error::DeviceLost`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// stream.synchronize()?;
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaStreamSynchronize`. It also reports panics of kernels, and hands on what they printed.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.forbid_capture("synchronize")?;
        self.device().waiting("synchronize", || self.device().backend().synchronize(self.id()))?;
        self.device().host_panics().report()
    }

    fn read<T: KernelArg>(
        &self,
        region: &Region<'_>,
        elements: &mut [T],
        place: &'static str,
    ) -> Result<(), Error> {
        self.check(region, elements.len(), place)?;
        self.forbid_capture(place)?;
        if size_of_val(elements) == 0 {
            return self.synchronize();
        }
        let bytes = bytemuck::cast_slice_mut(elements);
        // SAFETY: the region has as many elements, borrowed.
        self.device().waiting(place, || unsafe { self.read_bytes(region, bytes) })?;
        self.device().host_panics().report()
    }

    /// Copies at least a byte to memory of the stream's device.
    ///
    /// # Safety
    /// The region has as many bytes, and is borrowed mutably.
    pub(crate) unsafe fn write_bytes(&self, to: &Region<'_>, bytes: &[u8]) -> Result<(), Error> {
        let timing = self.timing(&[to.access()], || Piece::moves(Activity::CopyToDevice, bytes.len()));
        // SAFETY: the caller says that the region has room for as many bytes, and that it is borrowed mutably.
        unsafe { self.device().backend().write(self.id(), to.place, bytes) }?;
        timing.end();
        Ok(())
    }

    /// Copies at least a byte from memory of the stream's device.
    ///
    /// # Safety
    /// The region has as many bytes, and is borrowed.
    pub(crate) unsafe fn read_bytes(&self, from: &Region<'_>, bytes: &mut [u8]) -> Result<(), Error> {
        let timing = self.timing(&[from.access()], || Piece::moves(Activity::CopyToHost, bytes.len()));
        // SAFETY: the caller says that the region has as many bytes, and that it is borrowed.
        unsafe { self.device().backend().read(self.id(), from.place, bytes) }?;
        timing.end();
        Ok(())
    }

    pub(crate) fn capture_state(&self) -> &Capture {
        &self.0.capture
    }

    /// The memory through which functions of the program work on the device's elements.
    pub(crate) fn staging(&self) -> &Staging {
        &self.0.staging
    }

    #[inline]
    pub(crate) fn check(&self, region: &Region<'_>, len: usize, place: &'static str) -> Result<(), Error> {
        if !self.device().is(region.device) {
            return Err(Error::ForeignBuffer {
                place: place.into(),
                device: self.device().identity(),
                buffer_device: region.device.identity(),
            });
        }
        if len != region.len {
            return Err(Error::LengthMismatch { place, given: len, expected: region.len });
        }
        Ok(())
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let id = self.id;
        self.device.outside_host_calls(move |device| device.backend().close_stream(id));
    }
}

/// Whether a matrix of these sizes has so many elements.
pub(crate) fn check_elements(rows: usize, cols: usize, len: usize) -> Result<(), Error> {
    let matches = rows.checked_mul(cols) == Some(len);
    if matches { Ok(()) } else { Err(Error::MatrixSize { rows, cols, len }) }
}

pub(crate) fn check_matrix(rows: usize, cols: usize) -> Result<(), Error> {
    let most = u32::MAX as usize;
    if rows > most || cols > most { Err(Error::MatrixLimit { rows, cols }) } else { Ok(()) }
}
