//! Targets without fibers: the crate that has them doesn't know this target.

use core::ops::Range;

use super::signature::{Cpu, FiberKernel};
use super::{Isa, Launch};
use crate::Thread;

/// Whether kernels that are `unsafe fn` run on the CPU.
pub const HAS_FIBERS: bool = false;

/// The code for the CPU of a kernel that is an `unsafe fn`: none, as loading it reports.
pub const fn fibers<K: FiberKernel>() -> Cpu {
    Cpu::Fibers(missing)
}

unsafe fn missing(_: Isa, _: &Launch, _: Range<usize>, _: *const ()) {
    panic!("kernels that are `unsafe fn` don't run on this target's CPU")
}

/// # Safety
/// None: it panics.
#[track_caller]
pub(crate) unsafe fn sync_threads(_: Thread<'_>) {
    panic!("`sync_threads` was called in a kernel that isn't an `unsafe fn`")
}
