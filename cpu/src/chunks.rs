use std::ops::Range;

use gridwright_core::{Chunk, CpuEntry, GroupsEntry, Isa, ThreadsEntry};

use crate::Launch;
use crate::partition::{GroupPartition, Partition};

/// A launch in pieces, each of which a worker runs at a time.
pub(crate) struct Chunks<'l> {
    launch: Launch<'l>,
    isa: Isa,
    pieces: Pieces,
}

/// A kernel's code, with how the launch is cut into pieces.
enum Pieces {
    Threads(ThreadsEntry, Partition),
    Groups(GroupsEntry, GroupPartition),
    Clusters(GroupsEntry, GroupPartition),
    /// All groups together, in one piece.
    Grid(GroupsEntry),
}

// SAFETY: the raw arguments are read only, and threads of different chunks own different memory.
unsafe impl Sync for Chunks<'_> {}

unsafe fn nothing(_: Isa, _: &mut Chunk<'_>, _: *const ()) {}

impl<'l> Chunks<'l> {
    pub(crate) fn new(launch: Launch<'l>, isa: Isa, workers: usize) -> Self {
        let geometry = &launch.sizes.geometry;
        let pieces = match launch.entry {
            CpuEntry::Threads(run) => Pieces::Threads(run, Partition::new(geometry.threads, workers)),
            CpuEntry::Groups(run) | CpuEntry::Fibers(run) => {
                Pieces::Groups(run, GroupPartition::new(geometry, workers))
            }
            CpuEntry::Clusters(run) => {
                Pieces::Clusters(run, GroupPartition::of_clusters(geometry, launch.sizes.cluster, workers))
            }
            CpuEntry::Grid(run) => Pieces::Grid(run),
            // It isn't loaded here, so there is nothing to run.
            CpuEntry::Foreign | CpuEntry::Off => Pieces::Threads(nothing, Partition::new([0; 3], workers)),
        };
        Self { launch, isa, pieces }
    }

    /// Whether the chunks may begin in any order. A group may wait for one of a lower number, as in a scan
    /// that reads its elements once; threads of no group have nobody to wait for.
    pub(crate) fn may_run_in_any_order(&self) -> bool {
        matches!(self.pieces, Pieces::Threads(..))
    }

    /// The number of chunks.
    pub(crate) fn len(&self) -> usize {
        match &self.pieces {
            Pieces::Threads(_, partition) => partition.len(),
            Pieces::Groups(_, partition) | Pieces::Clusters(_, partition) => partition.len(),
            Pieces::Grid(_) => 1,
        }
    }

    /// The threads of a chunk that no edge cuts.
    pub(crate) fn threads_in_one(&self) -> usize {
        match &self.pieces {
            Pieces::Threads(_, partition) => partition.threads_in_a_chunk(),
            Pieces::Groups(_, partition) | Pieces::Clusters(_, partition) => partition.threads_in_a_chunk(),
            Pieces::Grid(_) => self.launch.sizes.geometry.threads[0],
        }
    }

    /// Runs the chunks of these numbers, all below `len`. Those that lie together are run as if they were one: each costs some
    /// 20 ns, as much as a kernel that does little. It may panic.
    ///
    /// # Safety
    /// As for [`Kernel::launch`](crate::Kernel::launch), and this machine has the instruction set. Each
    /// number is run once.
    pub(crate) unsafe fn run(&self, mut numbers: Range<usize>) {
        let (sizes, arguments) = (&self.launch.sizes, self.launch.arguments);
        match &self.pieces {
            Pieces::Threads(run, partition) => {
                while !numbers.is_empty() {
                    let (mut chunk, chunks) = partition.together(sizes, numbers.clone());
                    // SAFETY: the caller says that the arguments are the kernel's, that this machine has the instruction set, and
                    // that it runs each chunk once; chunks own different threads.
                    unsafe { run(self.isa, &mut chunk, arguments) };
                    numbers.start += chunks;
                }
            }
            // SAFETY: the caller says that the arguments are the kernel's, that this machine has the instruction set, and that it
            // runs each chunk once; chunks have different groups, or clusters.
            Pieces::Groups(run, partition) | Pieces::Clusters(run, partition) => unsafe {
                run(self.isa, sizes, partition.together(numbers), arguments);
            },
            // SAFETY: the caller says that the arguments are the kernel's, that this machine has the instruction set, and that it
            // runs the chunk once; a grid is of one dimension, and these are all its groups.
            Pieces::Grid(run) => unsafe {
                run(self.isa, sizes, 0..sizes.geometry.groups[0], arguments);
            },
        }
    }
}
