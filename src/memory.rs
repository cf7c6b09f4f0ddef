//! Memory beyond buffers: what host and device share, and what makes reads and copies faster.
//!
//! | to | see |
//! |---|---|
//! | use a part of a buffer | [`BufferSlice`], [`BufferSliceMut`] |
//! | copy a part of a matrix or a volume | [`VolumePart`] |
//! | divide memory among elements of several types | [`BufferParts`] |
//! | copy while the host goes on | [`PinnedBuffer`], [`Pending`] |
//! | share memory without copies | [`UnifiedBuffer`] |
//! | write a helper for whatever is copied | [`ReadFrom`], [`WriteTo`] |
//! | write a helper for whatever `run` takes | [`HostMemory`], [`HostMemoryMut`] |
//! | write a helper for arrays of `ndarray` | `ArrayDimension`, `ArrayMemory`, with the feature `ndarray` |
//! | read several numbers at once in a kernel | [`Vector`], [`VectorElement`] |
//! | copy to workgroup memory while a group computes | [`AsyncCopies`], [`Loading`], [`Loads`] |
//! | read an element or a default | [`GetOr`] |
//! | know what a device's heap has given out | [`HeapUsage`] |
//!
//! ```
//! use gridwright::memory::{ReadFrom, Vector};
//! use gridwright::prelude::*;
//!
//! /// Four sums at once.
//! fn add(a: Vector<f32, 4>, b: Vector<f32, 4>) -> Vector<f32, 4> {
//!     a + b
//! }
//!
//! /// The largest element, wherever it is.
//! fn largest(stream: &Stream, x: &impl ReadFrom<Element = f32>) -> Result<f32, gridwright::Error> {
//!     Ok(stream.download(x)?.into_iter().fold(f32::MIN, f32::max))
//! }
//!
//! # fn main() -> Result<(), gridwright::Error> {
//! let stream = Device::cpu()?.stream()?;
//! let x = stream.upload(&[1.0, 4.0, 2.0])?;
//! assert_eq!(largest(&stream, &x)?, 4.0);
//! assert_eq!(largest(&stream, &x.slice(2..)?)?, 2.0);
//! assert_eq!(*add(Vector::splat(1.0), [1.0, 2.0, 3.0, 4.0].into()), [2.0, 3.0, 4.0, 5.0]);
//! # Ok(())
//! # }
//! ```

pub use gridwright_core::{HeapUsage, Vector, VectorElement};
pub use gridwright_device::{AsyncCopies, GetOr, Loading, Loads};
#[cfg(all(feature = "ndarray", not(any(target_arch = "nvptx64", target_arch = "amdgpu"))))]
pub use gridwright_host::{ArrayDimension, ArrayMemory};
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
pub use gridwright_host::{
    BufferParts, BufferSlice, BufferSliceMut, HostMemory, HostMemoryMut, Pending, PinnedBuffer, ReadFrom,
    UnifiedBuffer, VolumePart, WriteTo,
};
