//! What differs between targets. `cpu` runs a kernel's threads in loops; `gpu` is one thread, on top of
//! what `nvptx` and `amdgcn` say of the hardware: the same functions in both. This one picks.

#[cfg(target_arch = "amdgpu")]
mod amdgcn;
#[cfg(target_arch = "nvptx64")]
mod nvptx;

#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
mod cpu;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
mod gpu;
#[cfg(not(target_arch = "nvptx64"))]
mod texture_memory;
mod turns;

#[cfg(target_arch = "amdgpu")]
use amdgcn as hardware;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub use cpu::*;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
pub use gpu::*;
#[cfg(target_arch = "nvptx64")]
use nvptx as hardware;
pub use turns::{Endless, Turns};
