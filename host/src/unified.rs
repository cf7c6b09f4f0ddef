use std::fmt;
use std::ops::RangeBounds;
use std::sync::Arc;

use gridwright_core::KernelArg;

use crate::allocation::Allocation;
use crate::submission::{Home, Kind, Place, forbid};
use crate::{Buffer, BufferSlice, BufferSliceMut, Device, Error, Stream};

/// Elements that device and host reach in one place, without copies: unified memory, from
/// [`alloc_unified`](Stream::alloc_unified), whose pages move to who uses them, or mapped memory, from
/// [`alloc_mapped`](Stream::alloc_mapped), which stays with the host.
///
/// To kernels, copies and `fill` it is what a [`Buffer`] is. The host looks at it by [`read`](Self::read) and
/// [`write`](Self::write), which wait for the work that it would meet there. As long as it has what they give, that borrows
/// the buffer: a launch that writes what the host reads, or uses what it writes, doesn't compile.
///
/// ```compile_fail,E0502
/// # use gridwright::prelude::*;
/// # #[gpu_kernel]
/// # fn double(t: Thread, mut x: PerThread<[f32]>) { if let Some(x) = x.get_mut(t) { *x *= 2.0; } }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// # let kernel = double::load(&device)?;
/// let mut x = stream.alloc_unified::<f32>(1000)?;
/// let seen = x.read()?;
/// kernel.launch(&stream, LaunchConfig::threads(1000), (&mut x,))?; // error: cannot borrow `x` as mutable
/// println!("{}", seen[0]);
/// # Ok(())
/// # }
/// ```
///
/// Kernels that only read it may run while the host reads it. On the CPU all memory is of this kind.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel]
/// fn double(t: Thread, mut x: PerThread<[f32]>) {
///     if let Some(x) = x.get_mut(t) {
///         *x *= 2.0;
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let mut x = stream.alloc_unified::<f32>(3)?;
/// x.write()?.copy_from_slice(&[1.0, 2.0, 3.0]);
/// double::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&mut x,))?;
/// assert_eq!(x.read()?, [2.0, 4.0, 6.0]); // waits for the kernel
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// Memory of `cudaMallocManaged`, or of `cudaHostAlloc` with `cudaHostAllocMapped`.
/// The borrow of [`read`](Self::read) and [`write`](Self::write) stands in for `cudaDeviceSynchronize` before
/// the host's access.
pub struct UnifiedBuffer<T> {
    // Of memory that `allocate_unified` gave, or of no bytes.
    elements: Buffer<T>,
}

impl Stream {
    /// New unified memory for `len` elements, whose bytes are zero: its pages move to the device or to the host, whichever
    /// uses them.
    ///
    /// Where a GPU of the machine can't share such memory with the host at any time, as on Windows, this is
    /// [mapped](Self::alloc_mapped) memory.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut x = stream.alloc_unified::<u32>(3)?;
    /// x.write()?[1] = 5;
    /// assert_eq!(x.read()?, [0, 5, 0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaMallocManaged`, and zeros. Where a GPU of the machine lacks `concurrentManagedAccess`, it is
    /// mapped memory.
    pub fn alloc_unified<T: KernelArg>(&self, len: usize) -> Result<UnifiedBuffer<T>, Error> {
        Ok(UnifiedBuffer { elements: Buffer::unified(self, len, Home::Unified)? })
    }

    /// New memory of the host for `len` elements, whose bytes are zero, which kernels reach where it is. A GPU fetches
    /// each element over its bus each time: it is for what a kernel looks at once, or writes little of.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut x = stream.alloc_mapped::<u32>(3)?;
    /// stream.fill(&mut x, 7)?;
    /// assert_eq!(x.read()?, [7, 7, 7]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaHostAlloc` with `cudaHostAllocMapped`, and zeros.
    pub fn alloc_mapped<T: KernelArg>(&self, len: usize) -> Result<UnifiedBuffer<T>, Error> {
        Ok(UnifiedBuffer { elements: Buffer::unified(self, len, Home::Mapped)? })
    }
}

impl<T: KernelArg> UnifiedBuffer<T> {
    /// The elements, for the host to read, once all work submitted so far that writes them is done.
    ///
    /// # Errors
    /// [`Error::KernelPanic`] and [`Error::HostPanic`] if a kernel or a host function of the device panicked since the last
    /// synchronisation, on whatever stream; [`Error::DeviceLost`]; [`Error::InHostFunction`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let x = stream.alloc_unified::<u32>(3)?;
    /// assert_eq!(x.read()?, [0, 0, 0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaEventSynchronize` before the host reads the memory, for all work that writes it.
    pub fn read(&self) -> Result<&[T], Error> {
        self.wait(Kind::Read)?;
        // SAFETY: the host reaches the memory at this address, and it has so many elements, of which all bytes are values of
        // a `KernelArg`. What wrote them is done, and what is submitted as long as the slice borrows the buffer reads.
        Ok(unsafe { std::slice::from_raw_parts(self.place().pointer.cast().as_ptr(), self.len()) })
    }

    /// The elements, for the host to write, once all work submitted so far that uses them is done.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut x = stream.alloc_mapped::<u32>(2)?;
    /// x.write()?.copy_from_slice(&[3, 4]);
    /// assert_eq!(stream.download(&x)?, [3, 4]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `cudaEventSynchronize` before the host writes the memory, for all work that uses it.
    pub fn write(&mut self) -> Result<&mut [T], Error> {
        self.wait(Kind::Write)?;
        // SAFETY: the host reaches the memory at this address, and it has so many elements, of which all bytes are values of a
        // `KernelArg`. What used them is done, and nothing is submitted as long as the slice borrows the buffer.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.place().pointer.cast().as_ptr(), self.len()) })
    }

    /// The number of elements.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(stream.alloc_unified::<u32>(3)?.len(), 3);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// assert!(stream.alloc_mapped::<u32>(0)?.is_empty());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// A part of the buffer, for kernels and copies to read.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let x = stream.alloc_unified::<u32>(4)?;
    /// assert_eq!(stream.download(&x.slice(1..3)?)?, [0, 0]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// The pointer `x + start`, with a length, which is checked.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<BufferSlice<'_, T>, Error> {
        self.elements.slice(range)
    }

    /// A part of the buffer, for kernels and copies to write.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    ///
    /// ```
    /// # let stream = gridwright::Device::cpu()?.stream()?;
    /// let mut x = stream.alloc_unified::<u32>(4)?;
    /// stream.fill(&mut x.slice_mut(2..)?, 9)?;
    /// assert_eq!(x.read()?, [0, 0, 9, 9]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// The pointer `x + start`, with a length, which is checked.
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<BufferSliceMut<'_, T>, Error> {
        self.elements.slice_mut(range)
    }

    fn wait(&self, kind: Kind) -> Result<(), Error> {
        forbid("a look at unified memory")?;
        if self.len() * size_of::<T>() == 0 {
            return Ok(());
        }
        let call = match kind {
            Kind::Read => "UnifiedBuffer::read",
            Kind::Write => "UnifiedBuffer::write",
        };
        self.device().waiting(call, || self.device().backend().wait_for_memory(self.place().memory, kind))?;
        self.device().host_panics().report()
    }

    pub(crate) fn device(&self) -> &Device {
        self.elements.device()
    }

    /// The owner, which is none: graphs would use the memory without a borrow.
    pub(crate) fn owner(&self) -> Option<&Arc<Allocation>> {
        self.elements.owner()
    }

    pub(crate) fn place(&self) -> Place {
        self.elements.place()
    }
}

impl<T> fmt::Debug for UnifiedBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UnifiedBuffer").field(&self.elements).finish()
    }
}
