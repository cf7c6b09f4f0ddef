//! Fibers: what runs them, and what they wait at.

mod barrier;
mod worker;

pub use barrier::sync_threads;
pub use worker::{Worker, with_worker};

/// Whether kernels that are `unsafe fn` run on the CPU.
pub const HAS_FIBERS: bool = true;
