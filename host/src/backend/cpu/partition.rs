use gridwright_device::arch::{Chunk, Launch, Rect};

/// Threads in a chunk: enough to be worth the hand-over, few enough to share out evenly.
const FEWEST: usize = 256;
const MOST: usize = 16 * 1024;
/// Chunks for each worker, so that one that is late delays the end by little.
const CHUNKS_A_WORKER: usize = 8;

/// How a launch is cut into chunks: parts of rows where rows are long, bands of whole rows where not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    rows: usize,
    cols: usize,
    chunks_across: usize,
    chunks_down: usize,
    planes: usize,
}

impl Partition {
    pub(super) fn new([cols, rows, planes]: [usize; 3], workers: usize) -> Self {
        // A rough aim: saturation changes nothing about it.
        let total = cols.saturating_mul(rows).saturating_mul(planes);
        let aim = (total / workers / CHUNKS_A_WORKER).clamp(FEWEST, MOST);
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
    pub(super) fn len(&self) -> usize {
        self.chunks_across * self.chunks_down * self.planes
    }

    /// The threads of a chunk that no edge cuts.
    pub(super) fn threads_in_a_chunk(&self) -> usize {
        self.rows * self.cols
    }

    /// The chunk of a number below `len`.
    pub(super) fn chunk<'l>(&self, launch: &'l Launch, number: usize) -> Chunk<'l> {
        let [cols, rows, _] = launch.geometry.threads;
        let (across, rest) = (number % self.chunks_across, number / self.chunks_across);
        let (down, plane) = (rest % self.chunks_down, rest / self.chunks_down);
        let (col, row) = (across * self.cols, down * self.rows);
        let owned = Rect { rows: row..rows.min(row + self.rows), cols: col..cols.min(col + self.cols) };
        Chunk { launch, plane, running: owned.clone(), owned }
    }
}
