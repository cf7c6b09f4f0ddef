//! Asynchronous copies that nobody has waited for.

/// The copies of a group's threads that nobody has waited for yet.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    pub(crate) pending: Vec<PendingCopy>,
    /// Number of groups of copies that each thread has closed.
    pub(crate) closed: Vec<u32>,
}

/// A copy that was begun.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PendingCopy {
    pub(crate) thread: u32,
    /// Number of the thread's group of copies that this one is in.
    pub(crate) group: u32,
    /// Place in the program where the copy was begun.
    pub(crate) position: u32,
    pub(crate) cache: u32,
    pub(crate) address: u64,
    pub(crate) size: u32,
    pub(crate) words: [u32; 4],
    /// Bytes that are copies of bytes that nothing wrote, a bit each.
    pub(crate) unwritten: u64,
}

impl Copies {
    pub(crate) fn clear(&mut self) {
        self.pending.clear();
        self.closed.clear();
    }

    pub(crate) fn closed(&self, thread: u32) -> u32 {
        self.closed.get(thread as usize).copied().unwrap_or(0)
    }

    pub(crate) fn close(&mut self, thread: u32) {
        let thread = thread as usize;
        if self.closed.len() <= thread {
            self.closed.resize(thread + 1, 0);
        }
        self.closed[thread] = self.closed[thread].saturating_add(1);
    }
}
