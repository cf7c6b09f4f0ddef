//! The structs of DLPack's C header, `dlpack.h`.

use std::ffi::c_void;

/// Where a tensor lies: `DLDevice`.
///
/// ```
/// use gridwright::dlpack::{self, TensorDevice};
///
/// let stream = gridwright::Device::cpu()?.stream()?;
/// let tensor = dlpack::export(stream.upload(&[1.0_f32, 2.0])?)?;
/// assert_eq!(tensor.device(), TensorDevice { kind: TensorDevice::CPU, index: 0 });
/// # Ok::<(), gridwright::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct TensorDevice {
    /// The kind of the device: `DLDeviceType`, such as [`CPU`](Self::CPU).
    pub kind: i32,
    /// The device's number among those of its kind.
    pub index: i32,
}

impl TensorDevice {
    /// `kDLCPU`.
    pub const CPU: i32 = 1;
    /// `kDLCUDA`.
    pub const CUDA: i32 = 2;
    /// `kDLROCM`: memory of HIP's.
    pub const ROCM: i32 = 10;
}

/// What the elements of a tensor are: `DLDataType`.
///
/// ```
/// use gridwright::dlpack::DataType;
///
/// assert_eq!(DataType::of::<f32>(), Some(DataType { code: DataType::FLOAT, bits: 32, lanes: 1 }));
/// assert_eq!(DataType::of::<[f32; 3]>(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct DataType {
    /// The kind of number: `DLDataTypeCode`, such as [`FLOAT`](Self::FLOAT).
    pub code: u8,
    /// The bits of a number.
    pub bits: u8,
    /// The numbers of an element: one, or more for a vector.
    pub lanes: u16,
}

impl DataType {
    /// `kDLInt`.
    pub const INT: u8 = 0;
    /// `kDLUInt`.
    pub const UINT: u8 = 1;
    /// `kDLFloat`.
    pub const FLOAT: u8 = 2;
    /// `kDLBfloat`.
    pub const BFLOAT: u8 = 4;
}

/// Where the elements of a tensor are: `DLTensor`.
///
/// ```
/// use gridwright::dlpack::{DataType, RawTensor};
///
/// /// The bytes of a tensor, as a library that gets one may count them.
/// fn bytes(tensor: &RawTensor, shape: &[i64]) -> i64 {
///     shape.iter().product::<i64>() * i64::from(tensor.data_type.bits) / 8
/// }
/// # let _ = bytes;
/// # let _ = DataType::FLOAT;
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawTensor {
    /// The memory. The first element is `byte_offset` behind it.
    pub data: *mut c_void,
    /// The device whose memory it is.
    pub device: TensorDevice,
    /// The number of dimensions.
    pub dimensions: i32,
    /// What the elements are.
    pub data_type: DataType,
    /// The size of each dimension.
    pub shape: *mut i64,
    /// The elements from one index of a dimension to the next; null where the tensor is in row-major order.
    pub strides: *mut i64,
    /// The bytes from `data` to the first element.
    pub byte_offset: u64,
}

/// A tensor with its owner, as of DLPack before 1.0: `DLManagedTensor`, in Python the capsule `dltensor`.
///
/// ```
/// use gridwright::dlpack::{self, Tensor};
///
/// let stream = gridwright::Device::cpu()?.stream()?;
/// let raw: *mut dlpack::ManagedTensor = dlpack::export(stream.upload(&[1_u32, 2])?)?.into_raw()?;
/// // SAFETY: a tensor that nobody else has.
/// let tensor = unsafe { Tensor::from_raw(raw)? };
/// assert_eq!(tensor.shape(), [2]);
/// # Ok::<(), gridwright::Error>(())
/// ```
#[derive(Debug)]
#[repr(C)]
pub struct ManagedTensor {
    /// The tensor.
    pub tensor: RawTensor,
    /// What the deleter frees.
    pub context: *mut c_void,
    /// Frees the tensor, if there is something to free.
    pub deleter: Option<unsafe extern "C" fn(*mut Self)>,
}

/// The version of DLPack that a tensor is of: `DLPackVersion`.
///
/// ```
/// use gridwright::dlpack::TensorVersion;
///
/// assert_eq!(TensorVersion::OURS.major, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct TensorVersion {
    /// Another number has other structs.
    pub major: u32,
    /// Another number has the same structs.
    pub minor: u32,
}

impl TensorVersion {
    /// The version of these structs.
    pub const OURS: Self = Self { major: 1, minor: 0 };
}

/// A tensor with its owner, as of DLPack 1.0: `DLManagedTensorVersioned`, in Python the capsule `dltensor_versioned`.
///
/// ```
/// use gridwright::dlpack::{self, Tensor};
///
/// let stream = gridwright::Device::cpu()?.stream()?;
/// let raw: *mut dlpack::VersionedTensor = dlpack::export(stream.upload(&[1_u32, 2])?)?.into_raw_versioned();
/// // SAFETY: a tensor that nobody else has.
/// let tensor = unsafe { Tensor::from_raw_versioned(raw)? };
/// assert_eq!(tensor.shape(), [2]);
/// # Ok::<(), gridwright::Error>(())
/// ```
#[derive(Debug)]
#[repr(C)]
pub struct VersionedTensor {
    /// The version, which says whether the rest is as here.
    pub version: TensorVersion,
    /// What the deleter frees.
    pub context: *mut c_void,
    /// Frees the tensor, if there is something to free.
    pub deleter: Option<unsafe extern "C" fn(*mut Self)>,
    /// What else is true of the tensor, such as [`READ_ONLY`](Self::READ_ONLY).
    pub flags: u64,
    /// The tensor.
    pub tensor: RawTensor,
}

impl VersionedTensor {
    /// `DLPACK_FLAG_BITMASK_READ_ONLY`: nobody may write the elements.
    pub const READ_ONLY: u64 = 1;
}

// The header's sizes, on machines of 64 bits.
const _: () = assert!(size_of::<RawTensor>() == 48 && size_of::<ManagedTensor>() == 64);
const _: () = assert!(size_of::<VersionedTensor>() == 80);
