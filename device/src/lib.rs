//! What a Gridwright kernel is made of: the [`Thread`] that proves who runs, and the views through
//! which it reads ([`Matrix`], plain slices) and writes ([`PerThread`]).
//!
//! What differs between targets is in [`arch`], one module a target, and nowhere else. The crate never
//! allocates and knows no driver, stream or buffer.

pub mod arch;
mod matrix;
mod per_thread;
mod signature;
mod thread;

pub use matrix::{Matrix, ReadMatrix};
pub use per_thread::{OwnMatrix, OwnShape, OwnSlice, PerThread};
pub use signature::{Raw, Signature};
pub use thread::{Local, Thread};
