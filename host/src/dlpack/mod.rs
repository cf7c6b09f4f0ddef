//! Memory as tensors of [DLPack], and back, without a copy: what NumPy, PyTorch, JAX, CuPy and others give and take. Behind the
//! feature `dlpack`, which is off by default and has no dependency.
//!
//! | to | |
//! |---|---|
//! | hand a buffer to another library | [`export`], then [`Tensor::into_raw_versioned`] or [`Tensor::into_raw`] |
//! | hand it out more than once, as Python's `__dlpack__` has to | [`SharedTensor`] |
//! | have kernels use another library's tensor | [`Tensor::from_raw_versioned`] or [`Tensor::from_raw`], then [`Tensor::import`] |
//! | look at a tensor of the CPU, or copy it | [`Tensor::as_slice`] |
//!
//! A tensor is of the device that its memory is of: the CPU's is `kDLCPU`, that of [`Device::cuda`](crate::Device::cuda) is
//! `kDLCUDA`, that of [`Device::hip`](crate::Device::hip) `kDLROCM`.
//!
//! What is wrong with a tensor is an error before anything uses it: elements of another type, a transposed or otherwise strided
//! one, another device, a read-only one that a kernel would write.
//!
//! ```
//! use gridwright::prelude::*;
//! use gridwright::dlpack::{self, Tensor};
//!
//! let stream = Device::cpu()?.stream()?;
//! let pointer = dlpack::export(stream.upload(&[1.0_f32, 2.0])?)?.into_raw_versioned();
//! // … another library has it, and gives it or another one back …
//! // SAFETY: nobody else has the tensor.
//! let buffer: Buffer<f32> = unsafe { Tensor::from_raw_versioned(pointer)? }.import(&stream)?;
//! assert_eq!(stream.download(&buffer)?, [1.0, 2.0]);
//! # Ok::<(), gridwright::Error>(())
//! ```
//!
//! [DLPack]: https://dmlc.github.io/dlpack/latest/

mod abi;
mod data_type;
mod export;
mod import;
mod layout;
mod memory;
mod shared;
mod tensor;
#[cfg(test)]
mod tests;
mod wrap;

pub use abi::{DataType, ManagedTensor, RawTensor, TensorDevice, TensorVersion, VersionedTensor};
pub use export::export;
pub use memory::{ReadOnly, TensorMemory};
pub use shared::SharedTensor;
pub use tensor::Tensor;
