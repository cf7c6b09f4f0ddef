//! Whether a tensor is what a buffer is: elements of one type, one after another, in memory of a device.

use std::ptr::NonNull;

use gridwright_core::KernelArg;

use super::{DataType, Tensor, TensorDevice};
use crate::{Device, DeviceKind, Error};

/// What was found of a tensor.
pub(super) struct Checked {
    /// The first element; dangling where there is none.
    pub(super) elements: NonNull<u8>,
    pub(super) len: usize,
    /// The size along each dimension.
    pub(super) shape: Vec<usize>,
}

impl Tensor {
    /// The elements of a tensor of a device, whose name is for people, as elements of `T` in row-major order.
    pub(super) fn check<T: KernelArg>(
        &self,
        call: &'static str,
        device: TensorDevice,
        name: &str,
        alignment: usize,
    ) -> Result<Checked, Error> {
        let (expected, given) = (DataType::of::<T>(), self.data_type());
        if expected != Some(given) {
            let expected =
                expected.map_or_else(|| std::any::type_name::<T>().into(), |known| known.to_string());
            return Err(Error::ElementType { place: call, given: given.to_string(), expected });
        }
        if self.device() != device {
            let (place, device, buffer_device) = (call.into(), name.into(), name_of(self.device()));
            return Err(Error::ForeignBuffer { place, device, buffer_device });
        }
        let refused = |reason: String| Error::Interop { call, reason };
        let shape: Vec<usize> = self.shape().iter().map(|&size| size as usize).collect();
        // As `usize` counts them, and bytes too.
        let len = count(&shape)
            .filter(|len| len.checked_mul(size_of::<T>()).is_some_and(|bytes| bytes <= isize::MAX as usize));
        let len =
            len.ok_or_else(|| refused(format!("a tensor of the shape {shape:?} is more than any memory")))?;
        if let Some(strides) = self.strides()
            && !is_row_major(&shape, strides)
        {
            let strides = strides.iter().map(|&stride| stride as isize).collect();
            return Err(Error::Strided { place: call, shape, strides });
        }
        if len == 0 {
            return Ok(Checked { elements: NonNull::<T>::dangling().cast(), len, shape });
        }
        let elements = NonNull::new(self.as_ptr().cast_mut().cast::<u8>());
        let elements = elements.ok_or_else(|| refused("the tensor's memory is null".into()))?;
        if !elements.addr().get().is_multiple_of(alignment) {
            return Err(refused(format!(
                "the tensor begins at {elements:?}, which isn't a multiple of {alignment}: copy it"
            )));
        }
        Ok(Checked { elements, len, shape })
    }
}

/// The product of sizes, if a `usize` counts it: none of them is zero where it doesn't.
fn count(shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1_usize, |product, &size| product.checked_mul(size))
}

/// Whether the last dimension's elements lie one after another, and each dimension's what the next ones take. How far apart
/// a single element's neighbours would be doesn't matter.
pub(super) fn is_row_major(shape: &[usize], strides: &[i64]) -> bool {
    if shape.contains(&0) {
        return true;
    }
    let mut expected = 1_u128;
    shape.iter().zip(strides).rev().all(|(&size, &stride)| {
        let fits = size == 1 || u128::try_from(stride) == Ok(expected);
        expected = expected.saturating_mul(size as u128);
        fits
    })
}

/// A device of ours, as DLPack has it.
///
/// # Errors
/// [`Error::Interop`] for what DLPack doesn't know.
pub(super) fn tensor_device(device: &Device, call: &'static str) -> Result<TensorDevice, Error> {
    let backend = device.backend();
    let kind = match backend.kind() {
        DeviceKind::Cpu => Some(TensorDevice::CPU),
        DeviceKind::Cuda => Some(TensorDevice::CUDA),
        DeviceKind::Hip => Some(TensorDevice::ROCM),
        DeviceKind::Emulator => None,
    };
    let place = kind.zip(i32::try_from(backend.index()).ok());
    place.map(|(kind, index)| TensorDevice { kind, index }).ok_or_else(|| Error::Interop {
        call,
        reason: format!("`{}` isn't a device that DLPack knows", backend.name()),
    })
}

/// A tensor's device, for people.
fn name_of(device: TensorDevice) -> String {
    let TensorDevice { kind, index } = device;
    match kind {
        TensorDevice::CPU => "the CPU".into(),
        TensorDevice::CUDA => format!("cuda:{index}"),
        TensorDevice::ROCM => format!("hip:{index}"),
        kind => format!("DLPack's device {kind}:{index}"),
    }
}
