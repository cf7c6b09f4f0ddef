//! Buffers as tensors.

use std::ptr::null_mut;

use gridwright_core::KernelArg;

use super::layout::tensor_device;
use super::{DataType, RawTensor, Tensor, TensorMemory, wrap};
use crate::submission::{Kind, MemoryId, forbid};
use crate::{Buffer, Error};

/// What owns a tensor of ours.
struct Exported<T: KernelArg> {
    /// The memory, until it is dropped.
    buffer: Option<Buffer<T>>,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

/// A buffer, a matrix or a volume as a tensor, without a copy. The tensor's owner frees it, whoever that comes to be.
///
/// The call waits for the work that uses the memory, so that a library may use it at once, on any stream of its own. On a GPU
/// who deletes the tensor waits for the device's work, which may use it.
///
/// # Errors
/// The buffer is dropped then. [`Error::ElementType`] for elements that aren't numbers of up to 64 bits; [`Error::Interop`] for
/// memory that a graph has too, and for an emulated device, which DLPack doesn't know; [`Error::KernelPanic`] and others of what
/// was waited for.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::dlpack::{self, Tensor};
///
/// let stream = Device::cpu()?.stream()?;
/// let tensor: Tensor = dlpack::export(stream.upload_matrix(2, 2, &[1.0_f32, 2.0, 3.0, 4.0])?)?;
/// // For Python: a capsule of this pointer, named `dltensor_versioned`, is what `__dlpack__` gives.
/// let pointer = tensor.into_raw_versioned();
/// # // SAFETY: nobody else has it.
/// # let _ = unsafe { Tensor::from_raw_versioned(pointer)? };
/// # Ok::<(), gridwright::Error>(())
/// ```
pub fn export<M: TensorMemory>(memory: M) -> Result<Tensor, Error> {
    const CALL: &str = "dlpack::export";
    forbid(CALL)?;
    let refused = |reason: String| Error::Interop { call: CALL, reason };
    let shape = memory.shape();
    let buffer = memory.into_elements();
    let data_type = DataType::of::<M::Element>().ok_or_else(|| Error::ElementType {
        place: CALL,
        given: std::any::type_name::<M::Element>().into(),
        expected: "a number of up to 64 bits".into(),
    })?;
    let backend = buffer.device().backend();
    let device = tensor_device(buffer.device(), CALL)?;
    if !buffer.is_alone() {
        return Err(refused("a graph has the buffer's memory too, and uses it when it is launched".into()));
    }
    let place = buffer.place();
    if place.memory != MemoryId::NONE {
        buffer.device().waiting(CALL, || backend.wait_for_memory(place.memory, Kind::Write))?;
    }
    buffer.device().host_panics().report()?;
    let strides = row_major(&shape);
    let sizes = |numbers: &[usize]| numbers.iter().map(|&number| number as i64).collect::<Vec<_>>();
    let mut exported = Exported { shape: sizes(&shape), strides: sizes(&strides), buffer: Some(buffer) };
    let data = if place.memory == MemoryId::NONE { null_mut() } else { place.pointer.as_ptr().cast() };
    // Their elements stay where they are when they are moved.
    let (shape, strides) = (exported.shape.as_mut_ptr(), exported.strides.as_mut_ptr());
    let dimensions = exported.shape.len() as i32;
    let tensor = RawTensor { data, device, dimensions, data_type, shape, strides, byte_offset: 0 };
    // SAFETY: made here.
    let tensor = unsafe { Tensor::of_ours(wrap::versioned(tensor, 0, exported)) };
    tensor.ok_or_else(|| refused("there is no tensor".into()))
}

impl<T: KernelArg> Drop for Exported<T> {
    fn drop(&mut self) {
        let Some(buffer) = self.buffer.take() else { return };
        let device = buffer.device().clone();
        device.outside_host_calls(move |device| {
            // What the library submitted may still use it.
            device.backend().wait_for_others();
            drop(buffer);
        });
    }
}

/// The elements from one index of a dimension to the next: those of the dimensions behind it.
fn row_major(shape: &[usize]) -> Vec<usize> {
    let behind = |dimension: usize| shape.iter().skip(dimension + 1).map(|&size| size.max(1));
    (0..shape.len()).map(|dimension| behind(dimension).fold(1, usize::saturating_mul)).collect()
}
