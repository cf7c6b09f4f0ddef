use core::ops::Range;

use crate::{Chunk, Isa, LaunchSizes};

/// A thread kernel's code for the CPU: runs the threads of `chunk.owned`. The pointer is at the kernel's raw arguments.
pub type ThreadsEntry = unsafe fn(Isa, &mut Chunk<'_>, *const ());

/// A group kernel's code for the CPU: runs the groups of these numbers. The pointer is at the kernel's raw arguments.
pub type GroupsEntry = unsafe fn(Isa, &LaunchSizes, Range<usize>, *const ());

/// A kernel's code for the CPU.
#[derive(Clone, Copy, Debug)]
pub enum CpuEntry {
    /// Code of a thread kernel: runs the threads of a chunk.
    Threads(ThreadsEntry),
    /// Code of a group kernel: runs groups.
    Groups(GroupsEntry),
    /// Code of a thread in a kernel that is an `unsafe fn`: runs groups, each of their threads on a stack of its own.
    Fibers(GroupsEntry),
    /// Code of a cluster's kernel: runs clusters, by their numbers.
    Clusters(GroupsEntry),
    /// Code of a grid kernel: runs all groups together.
    Grid(GroupsEntry),
    /// No code: the kernel was compiled elsewhere, for GPUs.
    Foreign,
    /// No code, as the kernel's author says.
    Off,
}

impl CpuEntry {
    /// Whether the kernel's groups run together.
    pub const fn is_grid(&self) -> bool {
        matches!(self, Self::Grid(_))
    }

    /// Whether the kernel is a cluster's.
    pub const fn is_of_clusters(&self) -> bool {
        matches!(self, Self::Clusters(_))
    }
}
