//! What fences and atomics order among the threads of a group.

use std::collections::HashMap;

use super::synchronisation::{Acquired, Synchronisation};

/// Order among the threads of a group, as [`Synchronisation`] is for groups. Time is the group's count of
/// fences.
#[derive(Debug, Default)]
pub(crate) struct ThreadOrder {
    /// Count up to which each thread's accesses are behind a fence of its own.
    fenced: HashMap<u16, u16>,
    released: Synchronisation,
    acquired: HashMap<u16, Acquired>,
}

impl ThreadOrder {
    /// Takes in that a thread fences what it did up to now, at which there were so many fences.
    pub(crate) fn fence(&mut self, thread: u16, fence_count: u16) {
        self.fenced.insert(thread, fence_count);
    }

    /// Takes in that a thread writes to an address, behind its fences.
    pub(crate) fn release(&self, address: u64, thread: u16) {
        if let Some(&fenced) = self.fenced.get(&thread) {
            self.released.release(address, thread.into(), fenced);
        }
    }

    /// Takes in that a thread reads from an address.
    pub(crate) fn acquire(&mut self, address: u64, thread: u16) {
        if !self.fenced.is_empty() {
            self.released.acquire(address, self.acquired.entry(thread).or_default());
        }
    }

    /// Whether what a thread did at a count is ordered before what another does now.
    pub(crate) fn is_ordered(&self, (past, fence_count): (u16, u16), now: u16) -> bool {
        let acquired = self.acquired.get(&now);
        acquired.is_some_and(|acquired| self.released.is_ordered(acquired, past.into(), fence_count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_knows_what_others_fenced_and_released_before_it_acquired() {
        let mut order = ThreadOrder::default();
        order.release(8, 1);
        order.acquire(8, 2);
        assert!(!order.is_ordered((1, 0), 2), "without a fence");
        order.fence(1, 0);
        order.acquire(8, 2);
        assert!(!order.is_ordered((1, 0), 2), "not released behind the fence");
        order.release(8, 1);
        assert!(!order.is_ordered((1, 0), 2), "not acquired since");
        order.acquire(8, 2);
        assert!(order.is_ordered((1, 0), 2));
        assert!(!order.is_ordered((1, 1), 2), "what came behind the fence");
        assert!(!order.is_ordered((3, 0), 2), "another thread's");
        assert!(!order.is_ordered((1, 0), 3), "to another thread");
        order.acquire(16, 3);
        assert!(!order.is_ordered((1, 0), 3), "at another address");
    }
}
