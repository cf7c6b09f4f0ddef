//! The trait `Uniform`, of what is the same for all threads of a group.
//! On GPUs the compiler itself sees to it, by a kind of trait that stable Rust doesn't parse.

#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
mod gpu;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
mod host;

#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
pub use gpu::Uniform;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub use host::Uniform;
