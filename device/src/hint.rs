//! What a program knows about its branches and the compiler doesn't.
//!
//! - [`likely`] and [`unlikely`] say how a condition mostly comes out, and [`cold_path`] that a branch is mostly not taken: the
//!   other one is then laid out without jumps.
//! - `core::hint::assert_unchecked` states a fact, and is unsafe: where it's false anything may happen. A bounds check that
//!   follows from it is gone. `requires = …` of a kernel states facts safely.
//! - [`unroll!`](https://docs.rs/gridwright/latest/gridwright/macro.unroll.html) writes the turns of a loop out.
//!
//! ```
//! use gridwright::hint::unlikely;
//! use gridwright::prelude::*;
//!
//! #[gpu_kernel]
//! fn reciprocals(t: Thread, x: &[f32], mut y: PerThread<[f32]>, zeros: Atomic<[u32]>) {
//!     let Some(&x) = x.get(t.index()) else { return };
//!     if unlikely(x == 0.0) {
//!         zeros.fetch_add(t, 0, 1);
//!     } else if let Some(y) = y.get_mut(t) {
//!         *y = 1.0 / x;
//!     }
//! }
//! ```
//!
//! # From CUDA
//! `__builtin_expect` is [`likely`] and [`unlikely`], and `__builtin_assume` is `core::hint::assert_unchecked`.

pub use core::hint::cold_path;

/// Returns the condition, of which the compiler then knows that it is mostly true.
///
/// ```
/// # use gridwright::hint::likely;
/// # let (index, len) = (1, 2);
/// if likely(index < len) {
///     // …
/// }
/// ```
///
/// # From CUDA
/// `__builtin_expect(condition, 1)`.
#[inline(always)]
pub fn likely(condition: bool) -> bool {
    if !condition {
        cold_path();
    }
    condition
}

/// Returns the condition, of which the compiler then knows that it is mostly false.
///
/// ```
/// # use gridwright::hint::unlikely;
/// # let x = 1.0_f32;
/// if unlikely(x.is_nan()) {
///     // …
/// }
/// ```
///
/// # From CUDA
/// `__builtin_expect(condition, 0)`.
#[inline(always)]
pub fn unlikely(condition: bool) -> bool {
    if condition {
        cold_path();
    }
    condition
}
