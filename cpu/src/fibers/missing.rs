//! Targets without fibers: the crate that has them doesn't know this target. The host loads no kernel there that needs some.

use super::{FiberThread, Threads};

/// Whether kernels that are `unsafe fn` run on the CPU.
pub const HAS_FIBERS: bool = false;

/// The fibers of the group that an OS thread runs: none.
#[derive(Debug)]
pub struct Worker;

impl Worker {
    /// Never runs a fiber.
    ///
    /// # Panics
    /// Always.
    ///
    /// # Safety
    /// None: it panics.
    pub unsafe fn begin<T: Threads>(&mut self, _: [usize; 3], _: &T) {
        panic!("kernels that are `unsafe fn` don't run on this target's CPU")
    }

    /// Runs all fibers to their ends: there are none.
    pub fn finish<T: Threads>(&mut self, _: &T) {}
}

/// Lends this OS thread's fibers.
pub fn with_worker<R>(run: impl FnOnce(&mut Worker) -> R) -> R {
    run(&mut Worker)
}

/// Waits for nobody.
///
/// # Panics
/// Always: no thread has a fiber.
///
/// # Safety
/// None: it panics.
#[track_caller]
pub unsafe fn sync_threads(_: FiberThread) {
    panic!("`sync_threads` was called in a kernel that isn't an `unsafe fn` of a `Thread`")
}
