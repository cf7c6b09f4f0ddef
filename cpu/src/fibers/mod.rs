//! Threads that wait for each other. Each is a fiber: code on a stack of its own, which [`sync_threads`] leaves and comes
//! back to. An OS thread runs a group's fibers in turn.

// As in Cargo.toml.
#[cfg_attr(
    not(any(
        all(any(unix, windows), target_arch = "x86_64"),
        all(unix, any(target_arch = "aarch64", target_arch = "riscv64", target_arch = "loongarch64"))
    )),
    path = "missing.rs"
)]
mod running;

pub use running::{HAS_FIBERS, Worker, sync_threads, with_worker};

/// A thread among those that are under way, of launches that run one within the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FiberThread {
    /// The address of the launch's sizes.
    pub launch: usize,
    /// The number of the group.
    pub group: usize,
    /// The number in the group.
    pub number: usize,
}

/// The threads of a group, as fibers run them.
pub trait Threads {
    /// A thread of the group.
    type Thread: Copy;

    /// The thread at a place in the group.
    fn at(&self, place: [usize; 3]) -> Self::Thread;

    /// What tells a thread from all others that are under way.
    fn number(&self, thread: Self::Thread) -> FiberThread;

    /// Runs a thread.
    fn run(&self, thread: Self::Thread);

    /// Notes that a thread panicked.
    fn panicked(&self, thread: Self::Thread);
}
