//! A value that goes from block to block, in order, while the blocks are worked on by several threads.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::cpu::Workers;

/// How often a block looks for the one before it until it gives its thread's core away.
const SPINS: u32 = 1_000;

/// What the blocks before hand on to a block.
pub(crate) struct Carry<C> {
    /// The block whose turn it is.
    turn: AtomicUsize,
    /// Whether a block panicked: those behind it would wait for ever.
    broken: AtomicBool,
    value: UnsafeCell<C>,
}

// SAFETY: only the block whose turn it is uses the value.
unsafe impl<C: Send> Sync for Carry<C> {}

impl<C: Copy + Send> Carry<C> {
    pub(crate) fn new(first: C) -> Self {
        Self { turn: AtomicUsize::new(0), broken: AtomicBool::new(false), value: UnsafeCell::new(first) }
    }

    /// Waits for all blocks before, replaces the value by what `next` makes of it, and gives the one that was. `None` if a block before
    /// panicked: then this one's work is in vain.
    ///
    /// Each block of one [`Workers::run`] calls it once, with its own number. Blocks are begun in order, so those before are running or done.
    ///
    /// # Safety
    /// No other call has the same `block`.
    pub(crate) unsafe fn take(&self, block: usize, next: impl FnOnce(C) -> C) -> Option<C> {
        let mut spins = 0;
        while self.turn.load(Ordering::Acquire) != block {
            if self.broken.load(Ordering::Relaxed) {
                return None;
            }
            if spins < SPINS {
                spins += 1;
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
        let broken = Break(self);
        // SAFETY: it is this block's turn, and no other call's, so nobody else uses the value until the turn goes on.
        let before = unsafe { *self.value.get() };
        let after = next(before);
        // SAFETY: the turn hasn't gone on yet, so nobody else uses the value.
        unsafe { *self.value.get() = after };
        std::mem::forget(broken);
        self.turn.store(block + 1, Ordering::Release);
        Some(before)
    }

    /// Does what a block does before its turn. Those behind don't wait for ever if it panics.
    pub(crate) fn prepare<R>(&self, prepare: impl FnOnce() -> R) -> R {
        let broken = Break(self);
        let result = prepare();
        std::mem::forget(broken);
        result
    }

    /// The value behind the last block.
    pub(crate) fn into_inner(self) -> C {
        self.value.into_inner()
    }
}

/// Tells the blocks behind that their turn never comes, when it is dropped.
struct Break<'c, C>(&'c Carry<C>);

impl<C> Drop for Break<'_, C> {
    fn drop(&mut self) {
        self.0.broken.store(true, Ordering::Relaxed);
    }
}

/// Bytes of a block: what a core's second cache holds several times, and what takes a thread some microseconds. Quarters of it lie in
/// different lines of the first cache, which a power of two would not.
pub(crate) const BLOCK_BYTES: usize = 60 << 10;

/// The least blocks that are worth waking a thread for, which takes 10 µs: one takes some microseconds.
pub(crate) const PARALLEL_BLOCKS: usize = 16;

/// The number of elements of a block, by the size of one. It depends on nothing else, so that results don't.
pub(crate) const fn block_len(bytes: usize) -> usize {
    let elements = BLOCK_BYTES / if bytes == 0 { 1 } else { bytes };
    if elements < 64 { 64 } else { elements & !63 }
}

/// Calls `task` for each block of `block` elements, in order where this thread is alone.
pub(crate) fn for_each_block(workers: Workers, len: usize, block: usize, task: impl Fn(usize) + Sync) {
    let blocks = len.div_ceil(block);
    if blocks < PARALLEL_BLOCKS {
        (0..blocks).for_each(task);
    } else {
        workers.run(blocks, task);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::Carry;
    use crate::cpu::testing::workers;

    #[test]
    fn blocks_have_their_turn_in_order() {
        for threads in [1, 2, 5] {
            let carry = Carry::new((0, 0));
            workers(threads).run(1000, |block| {
                // SAFETY: each block is run once.
                let before =
                    unsafe { carry.take(block, |(count, hash)| (count + 1, hash * 3 % 1001 + block)) };
                assert_eq!(before.map(|(count, _)| count), Some(block));
            });
            assert_eq!(carry.into_inner(), (1000, (0..1000).fold(0, |hash, block| hash * 3 % 1001 + block)));
        }
    }

    #[test]
    fn nobody_waits_for_a_block_that_panics() {
        for threads in [1, 2, 5] {
            for before in [false, true] {
                let carry = Carry::new(0);
                let ran = catch_unwind(AssertUnwindSafe(|| {
                    workers(threads).run(1000, |block| {
                        carry.prepare(|| assert!(!before || block != 70));
                        // SAFETY: each block is run once.
                        unsafe { carry.take(block, |count| if block == 70 { panic!() } else { count + 1 }) };
                    });
                }));
                assert!(ran.is_err());
                assert!(carry.into_inner() <= 70);
            }
        }
    }
}
