//! What a Gridwright kernel is made of: the [`Thread`] that proves who runs, and the views through
//! which it reads ([`Matrix`], plain slices) and writes ([`PerThread`]).
//!
//! What differs between targets is in [`arch`], one module a target, and nowhere else. The crate never
//! allocates and knows no driver, stream or buffer.

#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), no_std)]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), feature(core_intrinsics))]
#![cfg_attr(target_arch = "nvptx64", feature(stdarch_nvptx, asm_experimental_arch))]
#![cfg_attr(target_arch = "amdgpu", feature(stdarch_amdgpu, gpu_intrinsics))]
#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), allow(internal_features))]

pub mod arch;
mod matrix;
mod per_thread;
mod thread;

pub use matrix::{Matrix, ReadMatrix};
pub use per_thread::{OwnMatrix, OwnShape, OwnSlice, PerThread};
pub use thread::{Local, Thread};
