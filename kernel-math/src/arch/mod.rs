//! What differs between targets: instructions on numbers. `cpu` and `gpu` have the same functions; `gpu` rests on those of `nvptx` or
//! `amdgcn`, which are the same in both. This one picks.

#[cfg(target_arch = "amdgpu")]
mod amdgcn;
#[cfg(target_arch = "nvptx64")]
mod nvptx;

#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
mod cpu;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
mod gpu;

#[cfg(target_arch = "amdgpu")]
use amdgcn as hardware;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub(crate) use cpu::*;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
pub(crate) use gpu::*;
#[cfg(target_arch = "nvptx64")]
use nvptx as hardware;
