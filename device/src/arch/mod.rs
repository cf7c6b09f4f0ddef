//! What differs between targets. `cpu` runs a kernel's threads in loops; `gpu` is one thread, on top of
//! what `nvptx` and `amdgcn` say of the hardware: the same functions in both. This one picks.

#[cfg(target_arch = "amdgpu")]
#[path = "amdgcn/mod.rs"]
mod hardware;
#[cfg(target_arch = "nvptx64")]
#[path = "nvptx/mod.rs"]
mod hardware;

#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
mod cpu;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
mod gpu;
mod turns;

#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub use cpu::*;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
pub use gpu::*;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
pub(crate) use hardware::int;
pub use turns::{Endless, Turns};
