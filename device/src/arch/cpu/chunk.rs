use gridwright_core::{Geometry, WorkgroupMemory};

use super::Rect;

/// A launch as the workers see it.
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    /// The checked sizes.
    pub geometry: Geometry,
    /// The checked sizes of each group's memory.
    pub memory: WorkgroupMemory,
    /// Groups of a cluster, which the launch's are a multiple of; 1 where the kernel is no cluster's.
    pub cluster: usize,
}

impl Launch {
    /// The index of the thread at a plane, row and column.
    #[inline(always)]
    pub fn index(&self, plane: usize, row: usize, col: usize) -> usize {
        let [cols, rows, _] = self.geometry.threads;
        (plane * rows + row) * cols + col
    }
}

/// The threads that one worker runs, of one plane.
///
/// Either a part of one row, or whole rows: so that what these threads own lies together in memory.
#[derive(Clone, Debug)]
pub struct Chunk<'l> {
    /// The launch it is a part of.
    pub launch: &'l Launch,
    /// The plane that the threads are of.
    pub plane: usize,
    /// The threads whose elements the worker owns.
    pub owned: Rect,
    /// The threads that run now, a part of `owned`.
    pub running: Rect,
}

impl Chunk<'_> {
    /// The index of the first thread that runs.
    #[inline(always)]
    pub fn first_index(&self) -> usize {
        self.launch.index(self.plane, self.running.rows.start, self.running.cols.start)
    }
}
