use std::ops::Range;

use gridwright_core::{Chunk, Geometry, LaunchSizes, Rect};

/// Threads in a chunk: enough to be worth the hand-over, few enough to share out evenly.
const FEWEST: usize = 256;
const MOST: usize = 16 * 1024;
/// Threads in a chunk of groups, whose threads do more, and some groups far more than others.
const MOST_IN_GROUPS: usize = 4 * 1024;
/// Chunks for each worker, so that one that is late delays the end by little.
const CHUNKS_A_WORKER: usize = 8;

/// The threads that a chunk of a launch should have, for so many workers, of those that one may have.
fn aim(threads: [usize; 3], workers: usize, most: usize) -> usize {
    // Rough: saturation changes nothing about it.
    let total = threads.iter().fold(1, |product: usize, &n| product.saturating_mul(n));
    (total / workers / CHUNKS_A_WORKER).clamp(FEWEST, most)
}

/// How a launch is cut into chunks: parts of rows where rows are long, bands of whole rows where not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Partition {
    rows: usize,
    cols: usize,
    chunks_across: usize,
    chunks_down: usize,
    planes: usize,
}

impl Partition {
    pub(crate) fn new([cols, rows, planes]: [usize; 3], workers: usize) -> Self {
        let aim = aim([cols, rows, planes], workers, MOST);
        let (band, part) = if cols > aim { (1, aim) } else { ((aim / cols).max(1).min(rows), cols) };
        Self {
            rows: band,
            cols: part,
            chunks_across: cols.div_ceil(part),
            chunks_down: rows.div_ceil(band),
            planes,
        }
    }

    /// The number of chunks. A geometry has at most 2⁶³ threads, so it doesn't overflow.
    pub(crate) fn len(&self) -> usize {
        self.chunks_across * self.chunks_down * self.planes
    }

    /// The threads of a chunk that no edge cuts.
    pub(crate) fn threads_in_a_chunk(&self) -> usize {
        self.rows * self.cols
    }

    /// Several chunks as one: as many of these, at least one, as are a part of a row together, or whole rows
    /// of a plane; and how many they are. The numbers are below `len`, and there are some.
    pub(crate) fn together<'l>(&self, launch: &'l LaunchSizes, numbers: Range<usize>) -> (Chunk<'l>, usize) {
        let [cols, rows, _] = launch.geometry.threads;
        let (across, rest) = (numbers.start % self.chunks_across, numbers.start / self.chunks_across);
        let (down, plane) = (rest % self.chunks_down, rest / self.chunks_down);
        let bands = (numbers.len() / self.chunks_across).min(self.chunks_down - down);
        let (row, col) = (down * self.rows, across * self.cols);
        let (owned, chunks) = if across == 0 && bands > 0 {
            let rows = row..rows.min(row + bands * self.rows);
            (Rect { rows, cols: 0..cols }, bands * self.chunks_across)
        } else {
            // A row that is cut is a band of its own.
            let parts = numbers.len().min(self.chunks_across - across);
            (Rect { rows: row..row + 1, cols: col..cols.min(col + parts * self.cols) }, parts)
        };
        (Chunk { launch, plane, running: owned.clone(), owned }, chunks)
    }
}

/// How a launch of a kernel of groups is cut into chunks: groups whose numbers follow each other. Neighbours along x
/// do, which often read the same memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupPartition {
    groups: usize,
    in_a_chunk: usize,
    threads_in_a_group: usize,
}

impl GroupPartition {
    pub(crate) fn new(geometry: &Geometry, workers: usize) -> Self {
        Self::of_clusters(geometry, 1, workers)
    }

    /// The partition of a launch into clusters of so many groups.
    /// The clusters divide the launch's groups, and what is said of groups holds for clusters.
    pub(crate) fn of_clusters(geometry: &Geometry, cluster: usize, workers: usize) -> Self {
        // A geometry has at most 2⁶³ threads, so neither product overflows.
        let groups = geometry.groups.iter().product::<usize>() / cluster;
        let threads_in_a_group = geometry.block.iter().product::<usize>() * cluster;
        let in_a_chunk = (aim(geometry.threads, workers, MOST_IN_GROUPS) / threads_in_a_group).max(1);
        Self { groups, in_a_chunk, threads_in_a_group }
    }

    /// The number of chunks.
    pub(crate) fn len(&self) -> usize {
        self.groups.div_ceil(self.in_a_chunk)
    }

    /// The threads of a chunk that isn't the last one.
    pub(crate) fn threads_in_a_chunk(&self) -> usize {
        self.in_a_chunk * self.threads_in_a_group
    }

    /// The groups of these chunks, whose numbers are below `len`.
    pub(crate) fn together(&self, numbers: Range<usize>) -> Range<usize> {
        numbers.start * self.in_a_chunk..self.groups.min(numbers.end * self.in_a_chunk)
    }
}
