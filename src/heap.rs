//! Allocation in kernels: `Vec`, `Box`, `String` and `format!`, with the feature `alloc`.
//!
//! On the host these are the standard library's own, whose names need no `use`. On a GPU the prelude has them, so that one source
//! is for both:
//!
//! ```
//! use gridwright::prelude::*;
//!
//! /// How many of the numbers up to `n` are prime.
//! #[gpu_kernel]
//! fn primes(t: Thread, n: &[u32], mut count: PerThread<[u32]>) {
//!     let Some(count) = count.get_mut(t) else { return };
//!     let mut found: Vec<u32> = Vec::new();
//!     for candidate in 2..=n[t.index()] {
//!         if found.iter().all(|prime| candidate % prime != 0) {
//!             found.push(candidate);
//!         }
//!     }
//!     *count = found.len() as u32;
//! }
//!
//! #[host_only]
//! fn main() -> Result<(), gridwright::Error> {
//!     let device = Device::from_env()?;
//!     let stream = device.stream()?;
//!     let n = stream.upload(&[2, 10, 100])?;
//!     let mut count = stream.alloc_zeroed(3)?;
//!     primes::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&n, &mut count))?;
//!     assert_eq!(stream.download(&count)?, [1, 4, 25]);
//!     Ok(())
//! }
//! ```
//!
//! # The heap of a GPU
//!
//! Memory comes from a heap of the device, of 8 MiB unless [`Device::set_heap_bytes`](crate::Device::set_heap_bytes) says
//! otherwise. It is there once a kernel was loaded that is compiled with this feature. On the CPU it is the program's own.
//!
//! - An allocation for which there is no memory is a panic of the kernel's, an `Error::KernelPanic`, unless it is tried, as by
//!   [`Vec::try_reserve`]. Sizes are rounded up to a power of two of at least 16 bytes, and above 32 KiB to a multiple of 64 KiB. On
//!   the CPU the program ends, as Rust programs do.
//! - A block belongs to its thread, and can't outlive the launch, since nothing of it can be kept: what a thread doesn't free, as
//!   when it panics, is lost until a panic is reported, or the heap is given its size again.
//!   [`Device::heap_usage`](crate::Device::heap_usage) says what is given out: between launches, what was never freed.
//! - Allocation costs some hundred instructions and a few atomic operations, and threads that allocate at once meet at the same words. What
//!   can be a fixed array should be one.
//!
//! # In kernels of groups
//!
//! Code at the level of a group is the same for all of its threads, and an allocation isn't: each would have an address of its own,
//! and only some might get any. So the build refuses a kernel of a group that allocates, in phases too, since a compiled
//! program doesn't tell them apart. Kernels of threads are for that.
//!
//! # From CUDA
//! `malloc` and `new` in kernels. `cudaLimitMallocHeapSize` is
//! [`Device::set_heap_bytes`](crate::Device::set_heap_bytes).

extern crate alloc;

pub use alloc::borrow::ToOwned;
pub use alloc::boxed::Box;
pub use alloc::collections;
pub use alloc::string::String;
pub use alloc::vec;
pub use alloc::vec::Vec;

#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
pub use crate::__format as format;
/// A text with values in it: on the host the standard library's `format!`, and in kernels one that knows `{}`, of integers, floats,
/// `bool`, `char`, `&str` and `String`.
///
/// ```
/// use gridwright::heap::format;
///
/// assert_eq!(format!("{} and {}", 0.5, "more"), "0.5 and more");
/// ```
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub use alloc::format;
