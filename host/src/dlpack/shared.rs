//! A tensor that is handed out more than once.

use std::ffi::c_void;
use std::sync::Arc;

use super::{DataType, ManagedTensor, Tensor, TensorDevice, VersionedTensor, wrap};
use crate::Error;

/// A tensor that may be handed out any number of times, as Python's `__dlpack__` asks: all that it is handed out as have the same
/// elements, which are freed when the last of them is deleted and this is dropped.
///
/// As others may write the elements, they can't be looked at here.
///
/// ```
/// use gridwright::dlpack::{self, SharedTensor, Tensor};
///
/// let stream = gridwright::Device::cpu()?.stream()?;
/// let shared = SharedTensor::new(dlpack::export(stream.upload(&[1_u32, 2])?)?);
/// let (first, second) = (shared.to_raw_versioned(), shared.to_raw()?);
/// // SAFETY: nobody writes the elements, and nobody else has the two.
/// let (first, second) = unsafe { (Tensor::from_raw_versioned(first)?, Tensor::from_raw(second)?) };
/// assert_eq!(first.as_ptr(), second.as_ptr());
/// # Ok::<(), gridwright::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SharedTensor(Arc<Tensor>);

impl SharedTensor {
    /// A tensor, to be handed out more than once.
    ///
    /// ```
    /// use gridwright::dlpack::{self, SharedTensor};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let shared = SharedTensor::new(dlpack::export(stream.upload(&[1_u32, 2])?)?);
    /// assert_eq!(shared.shape(), [2]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn new(tensor: Tensor) -> Self {
        Self(Arc::new(tensor))
    }

    /// The tensor in a struct of DLPack before 1.0, which its new owner deletes.
    ///
    /// # Errors
    /// As for [`Tensor::into_raw`].
    ///
    /// ```
    /// use gridwright::dlpack::{self, SharedTensor, Tensor};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let raw = SharedTensor::new(dlpack::export(stream.upload(&[1_u32, 2])?)?).to_raw()?;
    /// // SAFETY: nobody else has it.
    /// assert_eq!(unsafe { Tensor::from_raw(raw)? }.shape(), [2]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn to_raw(&self) -> Result<*mut ManagedTensor, Error> {
        self.0.check_writable("SharedTensor::to_raw")?;
        Ok(wrap::unversioned(*self.0.raw(), self.clone()))
    }

    /// The tensor in a struct of DLPack 1.0, which its new owner deletes.
    ///
    /// ```
    /// use gridwright::dlpack::{self, SharedTensor, Tensor};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let raw = SharedTensor::new(dlpack::export(stream.upload(&[1_u32, 2])?)?).to_raw_versioned();
    /// // SAFETY: nobody else has it.
    /// assert_eq!(unsafe { Tensor::from_raw_versioned(raw)? }.shape(), [2]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn to_raw_versioned(&self) -> *mut VersionedTensor {
        let flags = if self.0.is_read_only() { VersionedTensor::READ_ONLY } else { 0 };
        wrap::versioned(*self.0.raw(), flags, self.clone())
    }

    /// Where the tensor lies, as [`Tensor::device`].
    ///
    /// ```
    /// use gridwright::dlpack::{self, SharedTensor, TensorDevice};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let shared = SharedTensor::new(dlpack::export(stream.upload(&[1_u32, 2])?)?);
    /// assert_eq!(shared.device().kind, TensorDevice::CPU);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn device(&self) -> TensorDevice {
        self.0.device()
    }

    /// What the elements are, as [`Tensor::data_type`].
    ///
    /// ```
    /// use gridwright::dlpack::{self, SharedTensor};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// let shared = SharedTensor::new(dlpack::export(stream.upload(&[1_u32, 2])?)?);
    /// assert_eq!(shared.data_type().to_string(), "uint32");
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn data_type(&self) -> DataType {
        self.0.data_type()
    }

    /// The size of each dimension.
    ///
    /// ```
    /// use gridwright::dlpack::{self, SharedTensor};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// assert_eq!(SharedTensor::new(dlpack::export(stream.upload(&[1_u32, 2])?)?).shape(), [2]);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn shape(&self) -> &[i64] {
        self.0.shape()
    }

    /// The address of the first element, as [`Tensor::as_ptr`].
    ///
    /// ```
    /// use gridwright::dlpack::{self, SharedTensor};
    ///
    /// let stream = gridwright::Device::cpu()?.stream()?;
    /// assert!(!SharedTensor::new(dlpack::export(stream.upload(&[1_u32, 2])?)?).as_ptr().is_null());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn as_ptr(&self) -> *const c_void {
        self.0.as_ptr()
    }
}
