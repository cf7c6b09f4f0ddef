use crate::{LaunchSizes, Rect};

/// The threads that one worker runs, of one plane.
///
/// Either a part of one row, or whole rows: so that what these threads own lies together in memory.
#[derive(Clone, Debug)]
pub struct Chunk<'l> {
    /// The launch it is a part of.
    pub launch: &'l LaunchSizes,
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
