//! Atomic updates: what helper functions of them name, and the order of a thread's writes.
//!
//! | to | see |
//! |---|---|
//! | update workgroup memory | [`WorkgroupAtomics`], which a phase gets for [`Workgroup::atomic`](crate::Workgroup::atomic) |
//! | write a helper for any number | [`AtomicValue`], [`AtomicInteger`], [`AtomicElement`] |
//! | order writes through raw pointers | [`fence`] |
//!
//! [`Atomic`](crate::Atomic), global memory that every thread updates, is in the root, and [`Scope`](crate::Scope) too.
//!
//! ```
//! use gridwright::atomic::AtomicValue;
//! use gridwright::prelude::*;
//!
//! /// Counts one more of whatever number counts.
//! fn count<T: AtomicValue>(t: Thread, counts: &Atomic<[T]>, kind: usize, one: T) {
//!     counts.fetch_add(t, kind, one);
//! }
//! ```

pub use gridwright_device::{AtomicElement, AtomicInteger, AtomicValue, WorkgroupAtomics, fence};
