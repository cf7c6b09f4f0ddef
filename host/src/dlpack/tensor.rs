//! A tensor, whoever made it.

use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;

use gridwright_core::KernelArg;

use super::layout::Checked;
use super::{DataType, ManagedTensor, RawTensor, TensorDevice, TensorVersion, VersionedTensor, wrap};
use crate::Error;

/// A tensor of DLPack's, which is freed by its producer's function when it is dropped.
///
/// [`export`](super::export) makes one of a buffer; [`from_raw`](Self::from_raw) and
/// [`from_raw_versioned`](Self::from_raw_versioned) take another library's.
///
/// ```
/// use gridwright::dlpack;
///
/// let stream = gridwright::Device::cpu()?.stream()?;
/// let tensor = dlpack::export(stream.upload_matrix(2, 3, &[1, 2, 3, 4, 5, 6])?)?;
/// assert_eq!(tensor.shape(), [2, 3]);
/// assert_eq!(tensor.as_slice::<i32>()?, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), gridwright::Error>(())
/// ```
pub struct Tensor(Form);

/// The struct that a tensor is in. It isn't null, is valid, and is ours alone.
enum Form {
    Unversioned(NonNull<ManagedTensor>),
    Versioned(NonNull<VersionedTensor>),
}

// SAFETY: who made it says that any thread may use and delete it: `from_raw` asks for that, and a buffer is `Send`.
unsafe impl Send for Tensor {}
// SAFETY: who shares it only reads it and its elements.
unsafe impl Sync for Tensor {}

impl Tensor {
    /// Takes a tensor in the struct of DLPack before 1.0.
    ///
    /// # Errors
    /// [`Error::Interop`] for null, and a shape that isn't one; the tensor is deleted then.
    ///
    /// # Safety
    /// - It is null, or as DLPack says: its shape, its strides and its elements are valid until it is deleted. It is the caller's,
    ///   who uses it no more; in Python, whose capsule is named `used_dltensor` from here on.
    /// - Its elements were written. What writes them on a device is done, or is given to it before the stream's next work.
    /// - As long as this, or a buffer made of it, is there, nobody else writes the elements. While work is submitted that
    ///   writes them, nobody else reads them.
    /// - Any thread may delete it.
    ///
    /// ```
    /// use gridwright::dlpack::{self, Tensor};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let raw = dlpack::export(stream.upload(&[1_u32, 2])?)?.into_raw()?;
    /// // SAFETY: a tensor that nobody else has.
    /// assert_eq!(unsafe { Tensor::from_raw(raw)? }.shape(), [2]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub unsafe fn from_raw(tensor: *mut ManagedTensor) -> Result<Self, Error> {
        const CALL: &str = "Tensor::from_raw";
        let tensor = NonNull::new(tensor).ok_or_else(|| null(CALL))?;
        Self(Form::Unversioned(tensor)).checked(CALL)
    }

    /// Takes a tensor in the struct of DLPack 1.
    ///
    /// # Errors
    /// [`Error::Interop`] for null, a shape that isn't one, and another major version; the tensor is deleted then.
    ///
    /// # Safety
    /// As for [`from_raw`](Self::from_raw). If it is [read-only](Self::is_read_only), others may read the elements at any time.
    ///
    /// ```
    /// use gridwright::dlpack::{self, Tensor};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let raw = dlpack::export(stream.upload(&[1_u32, 2])?)?.into_raw_versioned();
    /// // SAFETY: a tensor that nobody else has.
    /// assert_eq!(unsafe { Tensor::from_raw_versioned(raw)? }.shape(), [2]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub unsafe fn from_raw_versioned(tensor: *mut VersionedTensor) -> Result<Self, Error> {
        const CALL: &str = "Tensor::from_raw_versioned";
        let tensor = NonNull::new(tensor).ok_or_else(|| null(CALL))?;
        // Deleted when it is dropped, whatever its version: up to the deleter the struct is the same in all.
        let taken = Self(Form::Versioned(tensor));
        // SAFETY: the caller says that it is valid.
        let version = unsafe { tensor.as_ref() }.version;
        if version.major != TensorVersion::OURS.major {
            let TensorVersion { major, minor } = version;
            let reason = format!(
                "the tensor is of DLPack {major}.{minor}, and only 1 is known here: ask for `max_version=(1, 0)`"
            );
            return Err(Error::Interop { call: CALL, reason });
        }
        taken.checked(CALL)
    }

    /// The tensor in the struct of DLPack before 1.0, which its new owner deletes.
    ///
    /// # Errors
    /// [`Error::Interop`] for a [read-only](Self::is_read_only) tensor, of which that struct can't tell.
    ///
    /// ```
    /// use gridwright::dlpack;
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let raw = dlpack::export(stream.upload(&[1_u32, 2])?)?.into_raw()?;
    /// // SAFETY: the tensor is ours to delete, once.
    /// unsafe {
    ///     if let Some(delete) = (*raw).deleter {
    ///         delete(raw);
    ///     }
    /// }
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn into_raw(self) -> Result<*mut ManagedTensor, Error> {
        self.check_writable("Tensor::into_raw")?;
        if let Form::Unversioned(tensor) = self.0 {
            std::mem::forget(self);
            return Ok(tensor.as_ptr());
        }
        Ok(wrap::unversioned(*self.raw(), self))
    }

    /// The tensor in the struct of DLPack 1.0, which its new owner deletes.
    ///
    /// ```
    /// use gridwright::dlpack;
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let raw = dlpack::export(stream.upload(&[1_u32, 2])?)?.into_raw_versioned();
    /// // SAFETY: the tensor is ours to delete, once.
    /// unsafe {
    ///     if let Some(delete) = (*raw).deleter {
    ///         delete(raw);
    ///     }
    /// }
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn into_raw_versioned(self) -> *mut VersionedTensor {
        if let Form::Versioned(tensor) = self.0 {
            std::mem::forget(self);
            return tensor.as_ptr();
        }
        wrap::versioned(*self.raw(), 0, self)
    }

    /// Where the tensor lies.
    ///
    /// ```
    /// use gridwright::dlpack::{self, TensorDevice};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(dlpack::export(stream.upload(&[1, 2])?)?.device().kind, TensorDevice::CPU);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn device(&self) -> TensorDevice {
        self.raw().device
    }

    /// What the elements are.
    ///
    /// ```
    /// use gridwright::dlpack::{self, DataType};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(dlpack::export(stream.upload(&[1_u8, 2])?)?.data_type(), DataType::of::<u8>().unwrap());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn data_type(&self) -> DataType {
        self.raw().data_type
    }

    /// The size of each dimension.
    ///
    /// ```
    /// use gridwright::dlpack;
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(dlpack::export(stream.alloc_volume_zeroed::<f32>(2, 3, 4)?)?.shape(), [2, 3, 4]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn shape(&self) -> &[i64] {
        // SAFETY: the shape has as many sizes as the tensor dimensions, until the tensor is deleted.
        unsafe { self.raw().numbers(self.raw().shape) }
    }

    /// The elements from one index of each dimension to the next; none where the tensor is in row-major order and doesn't
    /// say so by numbers.
    ///
    /// ```
    /// use gridwright::dlpack;
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(dlpack::export(stream.alloc_volume_zeroed::<f32>(2, 3, 4)?)?.strides(), Some(&[12, 4, 1][..]));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn strides(&self) -> Option<&[i64]> {
        let raw = self.raw();
        // SAFETY: strides that aren't null are as many as the tensor has dimensions, until it is deleted.
        (!raw.strides.is_null()).then(|| unsafe { raw.numbers(raw.strides) })
    }

    /// Whether nobody may write the elements.
    ///
    /// ```
    /// use gridwright::dlpack;
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// assert!(!dlpack::export(stream.upload(&[1, 2])?)?.is_read_only());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn is_read_only(&self) -> bool {
        match self.0 {
            Form::Unversioned(_) => false,
            // SAFETY: valid until it is deleted.
            Form::Versioned(tensor) => unsafe { tensor.as_ref() }.flags & VersionedTensor::READ_ONLY != 0,
        }
    }

    /// The address of the first element, on its device; it means nothing for a tensor of no elements. It is what
    /// `__cuda_array_interface__` of Python has as `data`.
    ///
    /// ```
    /// use gridwright::dlpack;
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// assert!(!dlpack::export(stream.upload(&[1, 2])?)?.as_ptr().is_null());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn as_ptr(&self) -> *const c_void {
        let raw = self.raw();
        raw.data.cast_const().wrapping_byte_add(raw.byte_offset as usize)
    }

    /// The elements of a tensor of the CPU, row after row. Nothing is copied: to copy them to a device, upload them.
    ///
    /// # Errors
    /// [`Error::ElementType`] for elements of another type, [`Error::Strided`] for strides of another order,
    /// [`Error::ForeignBuffer`] for a tensor of another device, [`Error::Interop`] for memory that isn't aligned as `T` is.
    ///
    /// ```
    /// use gridwright::dlpack;
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let tensor = dlpack::export(stream.upload(&[1_u32, 2])?)?;
    /// let copy = stream.upload(tensor.as_slice::<u32>()?)?;
    /// assert_eq!(stream.download(&copy)?, [1, 2]);
    /// assert!(tensor.as_slice::<f32>().is_err());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn as_slice<T: KernelArg>(&self) -> Result<&[T], Error> {
        let cpu = TensorDevice { kind: TensorDevice::CPU, index: 0 };
        let Checked { elements, len, .. } =
            self.check::<T>("Tensor::as_slice", cpu, "the host", align_of::<T>())?;
        // SAFETY: checked to be as many elements of `T`, in order and aligned, in memory of the host, which is the tensor's until it is
        // deleted. They were written, any bytes are a `T`, and nobody else writes them, as `from_raw` asks.
        Ok(unsafe { std::slice::from_raw_parts(elements.cast().as_ptr(), len) })
    }

    pub(super) fn raw(&self) -> &RawTensor {
        match &self.0 {
            // SAFETY: valid until it is deleted.
            Form::Unversioned(tensor) => unsafe { &tensor.as_ref().tensor },
            // SAFETY: valid until it is deleted.
            Form::Versioned(tensor) => unsafe { &tensor.as_ref().tensor },
        }
    }

    /// Takes a tensor that [`wrap`] made.
    ///
    /// # Safety
    /// Nobody else has it.
    pub(super) unsafe fn of_ours(tensor: *mut VersionedTensor) -> Option<Self> {
        NonNull::new(tensor).map(|tensor| Self(Form::Versioned(tensor)))
    }

    /// Refuses what is read-only, of which the struct of DLPack before 1.0 can't tell.
    pub(super) fn check_writable(&self, call: &'static str) -> Result<(), Error> {
        if self.is_read_only() {
            let reason = "the tensor is read-only, which the struct of DLPack before 1.0 can't say";
            return Err(Error::Interop { call, reason: reason.into() });
        }
        Ok(())
    }

    /// The tensor, if its shape is one.
    fn checked(self, call: &'static str) -> Result<Self, Error> {
        let raw = self.raw();
        let is_shape = raw.dimensions == 0
            || (raw.dimensions > 0 && !raw.shape.is_null() && self.shape().iter().all(|&size| size >= 0));
        if is_shape {
            return Ok(self);
        }
        Err(Error::Interop { call, reason: "the tensor's shape isn't a list of sizes".into() })
    }
}

impl RawTensor {
    /// A list with a number for each dimension.
    ///
    /// # Safety
    /// It has so many, as long as the tensor is borrowed.
    unsafe fn numbers(&self, list: *const i64) -> &[i64] {
        let len = usize::try_from(self.dimensions).unwrap_or(0);
        if len == 0 || list.is_null() {
            return &[];
        }
        // SAFETY: as many numbers, as this function asks.
        unsafe { std::slice::from_raw_parts(list, len) }
    }
}

impl Drop for Tensor {
    fn drop(&mut self) {
        // SAFETY: the tensor is ours, valid, and deleted once: here, or by whom it was given to.
        unsafe {
            match self.0 {
                Form::Unversioned(tensor) => {
                    if let Some(delete) = tensor.as_ref().deleter {
                        delete(tensor.as_ptr());
                    }
                }
                Form::Versioned(tensor) => {
                    if let Some(delete) = tensor.as_ref().deleter {
                        delete(tensor.as_ptr());
                    }
                }
            }
        }
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tensor")
            .field("device", &self.device())
            .field("data_type", &self.data_type().to_string())
            .field("shape", &self.shape())
            .finish_non_exhaustive()
    }
}

fn null(call: &'static str) -> Error {
    Error::Interop { call, reason: "the tensor is a null pointer".into() }
}
