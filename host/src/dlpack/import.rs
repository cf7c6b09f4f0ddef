//! Tensors as buffers.

use gridwright_core::{KernelArg, MOST_ALIGNMENT};

use super::layout::{Checked, tensor_device};
use super::{ReadOnly, Tensor, TensorMemory};
use crate::submission::Contents;
use crate::{Buffer, DeviceKind, Error, Stream};

pub(super) const CALL: &str = "Tensor::import";

impl Tensor {
    /// The tensor as memory of the stream's device, without a copy, for kernels to read and write. It is deleted when the
    /// memory is dropped, once nothing uses it.
    ///
    /// What uses it comes behind the stream's work so far. If the tensor's producer works on another stream, it has to wait
    /// first: in Python `__dlpack__(stream=…)` does, with the number that [`interop::raw_stream`](crate::interop::raw_stream)
    /// gives, or `None` for one that the producer waits for.
    ///
    /// # Errors
    /// The tensor is deleted then, which its producer notices by nothing else. [`Error::ElementType`] for elements of another type;
    /// [`Error::ForeignBuffer`] for a tensor of another device; [`Error::Strided`] for one that isn't in row-major order;
    /// [`Error::MatrixLimit`], [`Error::VolumeLimit`]; [`Error::Interop`] for one that is read-only, has another number of
    /// dimensions, or begins where elements may not; [`Error::DeviceLost`].
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright::dlpack::{self, Tensor};
    ///
    /// /// Halves what another library made.
    /// fn halve(stream: &Stream, tensor: Tensor) -> Result<(), gridwright::Error> {
    ///     let mut x: MatrixBuffer<f32> = tensor.import(stream)?;
    ///     halved::load(stream.device())?.launch(stream, LaunchConfig::for_matrix(x.rows(), x.cols()), (&mut x,))?;
    ///     stream.synchronize()
    /// }
    ///
    /// #[gpu_kernel]
    /// fn halved(t: Thread, mut x: PerThread<Matrix<f32>>) {
    ///     if let Some(x) = x.get_mut(t) {
    ///         *x *= 0.5;
    ///     }
    /// }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let stream = Device::cpu()?.stream()?;
    /// # halve(&stream, dlpack::export(stream.upload_matrix(1, 2, &[1.0_f32, 2.0])?)?)
    /// # }
    /// ```
    pub fn import<M: TensorMemory>(self, stream: &Stream) -> Result<M, Error> {
        if self.is_read_only() {
            let reason = "the tensor is read-only: take it by `import_read_only`".into();
            return Err(Error::Interop { call: CALL, reason });
        }
        self.into_memory(stream)
    }

    /// The tensor as memory that kernels read, without a copy, whether others may write it or not.
    ///
    /// # Errors
    /// As for [`import`](Self::import), but for what is read-only.
    ///
    /// ```
    /// use gridwright::dlpack::{self, ReadOnly};
    /// use gridwright::{Buffer, Device};
    ///
    /// let stream = Device::cpu()?.stream()?;
    /// let tensor = dlpack::export(stream.upload(&[1_u32, 2])?)?;
    /// let buffer: ReadOnly<Buffer<u32>> = tensor.import_read_only(&stream)?;
    /// assert_eq!(buffer.len(), 2);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn import_read_only<M: TensorMemory>(self, stream: &Stream) -> Result<ReadOnly<M>, Error> {
        self.into_memory(stream).map(ReadOnly)
    }

    fn into_memory<M: TensorMemory>(self, stream: &Stream) -> Result<M, Error> {
        stream.forbid_capture(CALL)?;
        let refused = |reason: String| Error::Interop { call: CALL, reason };
        let backend = stream.device().backend();
        let device = tensor_device(stream.device(), CALL)?;
        // Kernels of GPUs take all memory to begin as our own does. Those of the CPU take elements where they may lie.
        let alignment =
            if backend.kind() == DeviceKind::Cpu { align_of::<M::Element>() } else { MOST_ALIGNMENT };
        let identity = stream.device().identity();
        let checked = self.check::<M::Element>(CALL, device, &identity, alignment)?;
        M::check_shape(&checked.shape)?;
        let elements = self.into_elements::<M::Element>(stream, &checked)?;
        M::from_elements(elements, &checked.shape).ok_or_else(|| refused("the tensor's shape changed".into()))
    }

    fn into_elements<T: KernelArg>(self, stream: &Stream, checked: &Checked) -> Result<Buffer<T>, Error> {
        if checked.len == 0 {
            return Buffer::new(stream, 0, Contents::Unset);
        }
        let memory = stream.device().backend().adopt(stream.id(), checked.elements)?;
        // SAFETY: adopted just now; it was checked to have as many elements, which are the tensor's until it is deleted.
        Ok(unsafe { Buffer::of_owner(stream.device().clone(), memory, checked.len, Box::new(self)) })
    }
}
