use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::sys::CUdeviceptr;
use cudarc::driver::{CudaContext, CudaStream, DevicePtr, DevicePtrMut, DeviceSlice, SyncOnDrop, result};

use super::cuda;
use crate::backend::{Cuda, Streams};
use crate::driver_arguments::check_lent;
use crate::submission::Access;
use crate::transfer::Region;
use crate::{Error, ReadFrom, Stream, WriteTo};

/// Lends buffers to what takes cudarc's [`DevicePtr`] and [`DevicePtrMut`], as the calls of its libraries do, on one stream.
///
/// What `work` gives to the stream is behind the uses of the buffers before it, on whatever streams, and later uses wait for it.
/// This call doesn't wait for the work.
///
/// What a library is told to do on another stream than the scope's is in order too, but slow: the host waits before and after
/// it.
///
/// # Errors
/// What `work` returns; [`Error::Interop`] for a stream of a device that isn't CUDA's, [`Error::DeviceLost`], [`Error::Backend`].
///
/// # Panics
/// If `work` does. What it gave to the stream by then counts.
///
/// ```no_run
/// use gridwright::interop;
/// use gridwright::prelude::*;
///
/// let stream = Device::cuda(0)?.stream()?;
/// let a = stream.upload(&[1.0_f32, 2.0])?;
/// let mut b = stream.alloc_zeroed::<f32>(2)?;
/// interop::scope(&stream, |scope| -> Result<(), Box<dyn std::error::Error>> {
///     let (a, mut b) = (scope.read(&a)?, scope.write(&mut b)?);
///     scope.stream().memcpy_dtod(&a, &mut b)?;
///     Ok(())
/// })?;
/// assert_eq!(stream.download(&b)?, [1.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What is lent stays in the scope:
///
/// ```compile_fail
/// use gridwright::interop;
/// use gridwright::prelude::*;
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let stream = Device::cuda(0)?.stream()?;
/// let a = stream.upload(&[1.0_f32, 2.0])?;
/// let kept = interop::scope(&stream, |scope| scope.read(&a))?;
/// # Ok(())
/// # }
/// ```
///
/// so that two scopes' can't be exchanged:
///
/// ```compile_fail,E0521
/// use gridwright::interop;
/// use gridwright::prelude::*;
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let stream = Device::cuda(0)?.stream()?;
/// let (mut x, mut y) = (stream.upload(&[1, 2])?, stream.upload(&[3, 4])?);
/// interop::scope(&stream, |outer| -> Result<(), gridwright::Error> {
///     let mut x = outer.write(&mut x)?;
///     interop::scope(&stream, |inner| -> Result<(), gridwright::Error> {
///         let mut y = inner.write(&mut y)?;
///         std::mem::swap(&mut x, &mut y);
///         Ok(())
///     })
/// })?;
/// # Ok(())
/// # }
/// ```
pub fn scope<'env, R, E: From<Error>>(
    stream: &'env Stream,
    work: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> Result<R, E>,
) -> Result<R, E> {
    let cuda = cuda(stream.device(), "interop::scope")?;
    stream.forbid_capture("interop::scope")?;
    let theirs = cuda.cudarc_stream(stream.id())?;
    let uses = Uses { stream, cuda, theirs, noted: Mutex::default(), elsewhere: Mutex::default() };
    // What was lent is noted when it is dropped, also in a panic.
    let scope = Scope { uses, _scope: PhantomData, _env: PhantomData };
    work(&scope)
}

/// A scope that buffers are lent in, from [`scope`].
///
/// ```no_run
/// use gridwright::prelude::*;
/// use gridwright::{Error, interop};
///
/// fn zero(scope: &interop::Scope<'_, '_>) -> Result<(), Error> {
///     println!("on {:?}", scope.stream());
///     Ok(())
/// }
///
/// interop::scope(&Device::cuda(0)?.stream()?, |scope| zero(scope))?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Scope<'scope, 'env: 'scope> {
    uses: Uses<'env>,
    /// A lifetime that gets neither longer nor shorter, as in `std::thread::Scope`.
    _scope: PhantomData<&'scope mut &'scope ()>,
    _env: PhantomData<&'env mut &'env ()>,
}

impl<'scope, 'env> Scope<'scope, 'env> {
    /// The scope's stream, for a library's handle.
    ///
    /// ```no_run
    /// # use gridwright::{Device, Error, interop};
    /// interop::scope(&Device::cuda(0)?.stream()?, |scope| {
    ///     println!("{:?}", scope.stream().cu_stream());
    ///     Ok::<(), Error>(())
    /// })?;
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # From CUDA
    /// The `cudaStream_t` that `cublasSetStream` and its like take.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.uses.theirs
    }

    /// Lends a buffer, a matrix, a volume or a part of a buffer to be read.
    ///
    /// # Errors
    /// [`Error::ForeignBuffer`], [`Error::DeviceLost`], [`Error::Backend`].
    ///
    /// ```no_run
    /// # use gridwright::{Device, Error, interop};
    /// let stream = Device::cuda(0)?.stream()?;
    /// let x = stream.upload(&[1, 2, 3])?;
    /// let copy = interop::scope(&stream, |scope| -> Result<_, Box<dyn std::error::Error>> {
    ///     Ok(scope.stream().clone_dtod(&scope.read(&x)?)?)
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # From CUDA
    /// The `const float*` that a library's call takes.
    pub fn read<B: ReadFrom>(&'scope self, buffer: &'env B) -> Result<Lent<'scope, B::Element>, Error> {
        let (address, len) = self.uses.lend(&buffer.region())?;
        Ok(Lent { uses: &self.uses, address, len, _elements: PhantomData })
    }

    /// Lends a buffer, a matrix, a volume or a part of a buffer to be written.
    ///
    /// # Errors
    /// [`Error::ForeignBuffer`], [`Error::DeviceLost`], [`Error::Backend`].
    ///
    /// ```no_run
    /// # use gridwright::{Device, Error, interop};
    /// let stream = Device::cuda(0)?.stream()?;
    /// let mut x = stream.upload(&[1, 2, 3])?;
    /// interop::scope(&stream, |scope| -> Result<(), Box<dyn std::error::Error>> {
    ///     Ok(scope.stream().memset_zeros(&mut scope.write(&mut x)?)?)
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # From CUDA
    /// The `float*` that a library's call takes.
    pub fn write<B: WriteTo>(
        &'scope self,
        buffer: &'env mut B,
    ) -> Result<LentMut<'scope, B::Element>, Error> {
        let (address, len) = self.uses.lend(&buffer.region_mut())?;
        Ok(LentMut(Lent { uses: &self.uses, address, len, _elements: PhantomData }))
    }
}

/// The buffers of a scope.
struct Uses<'env> {
    stream: &'env Stream,
    cuda: &'env Cuda,
    theirs: Arc<CudaStream>,
    noted: Mutex<Vec<Access>>,
    /// The contexts of other streams that something was lent to.
    elsewhere: Mutex<Vec<Arc<CudaContext>>>,
}

impl Uses<'_> {
    fn lend(&self, region: &Region<'_>) -> Result<(CUdeviceptr, usize), Error> {
        if !check_lent(self.stream, region, "interop::scope")? {
            return Ok((0, region.len));
        }
        self.cuda.wait_for_earlier(self.stream.id(), &[region.access()])?;
        lock(&self.noted).push(region.access());
        Ok((Cuda::driver_address(region.place.pointer), region.len))
    }

    /// Orders a use by a stream behind the others: only the scope's own stream is known to be in order.
    fn meet(&self, stream: &CudaStream) {
        let is_own = stream.cu_stream() == self.theirs.cu_stream()
            && stream.context().cu_ctx() == self.cuda.raw_context();
        let mut elsewhere = lock(&self.elsewhere);
        if is_own && elsewhere.is_empty() {
            return;
        }
        self.wait_for(&elsewhere);
        if !is_own && !elsewhere.iter().any(|context| context == stream.context()) {
            elsewhere.push(Arc::clone(stream.context()));
        }
    }

    /// Waits on the host for our own work, and that of contexts. Where it fails, the context is broken and nothing runs.
    fn wait_for(&self, contexts: &[Arc<CudaContext>]) {
        for context in contexts.iter().filter(|context| context.cu_ctx() != self.cuda.raw_context()) {
            // Not by the methods of the context, which return without waiting if an earlier call failed.
            // SAFETY: the context is retained.
            if unsafe { result::ctx::set_current(context.cu_ctx()) }.is_ok() {
                let _ = result::ctx::synchronize();
            }
        }
        let _ = self.cuda.wait_for_all();
    }
}

impl Drop for Uses<'_> {
    fn drop(&mut self) {
        let elsewhere = std::mem::take(&mut *lock(&self.elsewhere));
        if !elsewhere.is_empty() {
            self.wait_for(&elsewhere);
        }
        let noted = std::mem::take(&mut *lock(&self.noted));
        if !noted.is_empty() {
            self.cuda.note_uses(self.stream.id(), &noted);
        }
    }
}

impl fmt::Debug for Uses<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Uses")
            .field("stream", &self.theirs)
            .field("noted", &self.noted)
            .finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whoever panicked with it had added to a list, or not.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Elements that are lent in a [`scope`] to be read: what takes a [`DevicePtr`] takes them.
///
/// ```no_run
/// use gridwright::interop::cudarc::driver::DeviceSlice;
/// use gridwright::{Device, Error, interop};
///
/// let stream = Device::cuda(0)?.stream()?;
/// let x = stream.upload(&[1, 2, 3])?;
/// interop::scope(&stream, |scope| {
///     assert_eq!(scope.read(&x)?.len(), 3);
///     Ok::<(), Error>(())
/// })?;
/// # Ok::<(), Error>(())
/// ```
pub struct Lent<'scope, T> {
    uses: &'scope Uses<'scope>,
    address: CUdeviceptr,
    len: usize,
    _elements: PhantomData<&'scope [T]>,
}

/// Elements that are lent in a [`scope`] to be written: what takes a [`DevicePtrMut`] takes them.
///
/// ```no_run
/// use gridwright::{Device, interop};
///
/// let stream = Device::cuda(0)?.stream()?;
/// let mut x = stream.alloc_zeroed::<u8>(3)?;
/// interop::scope(&stream, |scope| -> Result<(), Box<dyn std::error::Error>> {
///     Ok(scope.stream().memcpy_htod(&[1, 2, 3], &mut scope.write(&mut x)?)?)
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LentMut<'scope, T>(Lent<'scope, T>);

impl<'scope, T> Lent<'scope, T> {
    /// The lent bytes as elements of another type, like a library's type of complex numbers. None if they aren't a whole
    /// number of them, or not at a multiple of their alignment.
    ///
    /// # Safety
    /// - All bytes are a value of `U`.
    /// - `U` has no padding.
    ///
    /// ```no_run
    /// # use gridwright::{Device, Error, interop};
    /// let stream = Device::cuda(0)?.stream()?;
    /// let x = stream.upload(&[1.0_f32, 0.0, 2.0, 0.5])?;
    /// interop::scope(&stream, |scope| {
    ///     // SAFETY: numbers, of one size.
    ///     let complex = unsafe { scope.read(&x)?.cast::<[f32; 2]>() };
    ///     assert!(complex.is_some());
    ///     Ok::<(), Error>(())
    /// })?;
    /// # Ok::<(), Error>(())
    /// ```
    pub unsafe fn cast<U>(self) -> Option<Lent<'scope, U>> {
        let bytes = self.len.checked_mul(size_of::<T>())?;
        let len = bytes.checked_div(size_of::<U>())?;
        let fits =
            bytes.is_multiple_of(size_of::<U>()) && self.address.is_multiple_of(align_of::<U>() as u64);
        fits.then_some(Lent { uses: self.uses, address: self.address, len, _elements: PhantomData })
    }
}

impl<'scope, T> LentMut<'scope, T> {
    /// The lent bytes as elements of another type, to write, as for [`Lent::cast`].
    ///
    /// # Safety
    /// As for [`Lent::cast`].
    ///
    /// ```no_run
    /// # use gridwright::{Device, Error, interop};
    /// let stream = Device::cuda(0)?.stream()?;
    /// let mut x = stream.alloc_zeroed::<f32>(4)?;
    /// interop::scope(&stream, |scope| {
    ///     // SAFETY: numbers, of one size.
    ///     let complex = unsafe { scope.write(&mut x)?.cast::<[f32; 2]>() };
    ///     assert!(complex.is_some());
    ///     Ok::<(), Error>(())
    /// })?;
    /// # Ok::<(), Error>(())
    /// ```
    pub unsafe fn cast<U>(self) -> Option<LentMut<'scope, U>> {
        // SAFETY: the caller says that all bytes are a value of `U`, and that `U` has no padding.
        unsafe { self.0.cast() }.map(LentMut)
    }
}

impl<T> DeviceSlice<T> for Lent<'_, T> {
    fn len(&self) -> usize {
        self.len
    }

    fn stream(&self) -> &Arc<CudaStream> {
        &self.uses.theirs
    }
}

impl<T> DevicePtr<T> for Lent<'_, T> {
    fn device_ptr<'a>(&'a self, stream: &'a CudaStream) -> (CUdeviceptr, SyncOnDrop<'a>) {
        self.uses.meet(stream);
        (self.address, SyncOnDrop::Record(None))
    }
}

impl<T> DeviceSlice<T> for LentMut<'_, T> {
    fn len(&self) -> usize {
        self.0.len
    }

    fn stream(&self) -> &Arc<CudaStream> {
        self.0.stream()
    }
}

impl<T> DevicePtr<T> for LentMut<'_, T> {
    fn device_ptr<'a>(&'a self, stream: &'a CudaStream) -> (CUdeviceptr, SyncOnDrop<'a>) {
        self.0.device_ptr(stream)
    }
}

impl<T> DevicePtrMut<T> for LentMut<'_, T> {
    fn device_ptr_mut<'a>(&'a mut self, stream: &'a CudaStream) -> (CUdeviceptr, SyncOnDrop<'a>) {
        self.0.device_ptr(stream)
    }
}

impl<T> fmt::Debug for Lent<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lent").field("len", &self.len).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for LentMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LentMut").field("len", &self.0.len).finish_non_exhaustive()
    }
}
