//! Loads and stores that say how long caches need to keep what they access.
//!
//! A hint changes no result, only what stays in the caches for others. Data that a kernel touches once can make room at once
//! for what it touches again: [`load`] it and [`store`] it with [`Hint::Streaming`].
//!
//! References come from ordinary indexing, with its bounds check: `cache::load(&x[i], Hint::Streaming)`. What a hint stands for
//! on NVIDIA's GPUs is said at [`Hint`]; there it reaches memory of buffers, and all else is accessed as always. On AMD's
//! GPUs and on the CPU no instruction with hints is within the compiler's reach, and accesses are the ordinary ones.
//!
//! ```
//! use gridwright::cache::{self, Hint};
//! use gridwright::prelude::*;
//!
//! /// Each element is read once and written once.
//! #[gpu_kernel(requires = x.len() == y.len())]
//! fn scale(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
//!     if let Some(y) = y.get_mut(t) {
//!         cache::store(y, a * cache::load(&x[t.index()], Hint::Streaming), Hint::Streaming);
//!     }
//! }
//!
//! # fn main() -> Result<(), gridwright::Error> {
//! let device = Device::cpu()?;
//! let stream = device.stream()?;
//! let x = stream.upload(&[1.0_f32, 2.0, 3.0])?;
//! let mut y = stream.alloc_zeroed(3)?;
//! scale::load(&device)?.launch(&stream, LaunchConfig::threads(3), (2.0, &x, &mut y))?;
//! assert_eq!(stream.download(&y)?, [2.0, 4.0, 6.0]);
//! # Ok(())
//! # }
//! ```

use gridwright_core::KernelArg;

use crate::arch;

/// What becomes of the cache lines that an access touches.
///
/// ```
/// # use gridwright::cache::{self, Hint};
/// # fn in_a_kernel(x: &[f32], i: usize) -> f32 {
/// let (once, for_others) = (cache::load(&x[i], Hint::Streaming), cache::load(&x[0], Hint::Level2));
/// # once + for_others }
/// ```
///
/// # From CUDA
/// [`Streaming`](Self::Streaming) is `__ldcs` and `__stcs`, [`LastUse`](Self::LastUse) is `__ldlu`, and
/// [`Level2`](Self::Level2) is `__ldcg` and `__stcg`. `__ldg` needs no hint: it is how a kernel's `&[T]` is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Lines that are touched once: the first to make room for others. PTX's `.cs`.
    Streaming,
    /// Lines that aren't touched again. A load with PTX's `.lu`; a store as with
    /// [`Streaming`](Self::Streaming).
    LastUse,
    /// Lines kept in the cache of the whole device only, not in that of the multiprocessor. PTX's `.cg`.
    Level2,
}

/// Reads a value, with a hint.
///
/// ```
/// # use gridwright::cache::{self, Hint};
/// # use gridwright::prelude::*;
/// # fn in_a_kernel(t: Thread, m: &Matrix<f32>) -> f32 {
/// let once = cache::load(&m.row(t.row())[t.col()], Hint::Streaming);
/// # once }
/// ```
///
/// # From CUDA
/// `__ldcs`, `__ldlu` and `__ldcg`.
#[inline(always)]
pub fn load<T: KernelArg>(from: &T, hint: Hint) -> T {
    arch::load_hinted(from, hint)
}

/// Writes a value, with a hint.
///
/// ```
/// # use gridwright::cache::{self, Hint};
/// # use gridwright::prelude::*;
/// # fn in_a_kernel(t: Thread, mut y: PerThread<[f32]>) {
/// if let Some(y) = y.get_mut(t) {
///     cache::store(y, 0.0, Hint::LastUse);
/// }
/// # }
/// ```
///
/// # From CUDA
/// `__stcs` and `__stcg`.
#[inline(always)]
pub fn store<T: KernelArg>(to: &mut T, value: T, hint: Hint) {
    arch::store_hinted(to, value, hint);
}
