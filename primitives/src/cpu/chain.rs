//! What is before each block of a scan, when several threads work on blocks. A thread doesn't wait long for one that was interrupted: it
//! reduces that one's block too, as in Smith, Levien and Owens, *Decoupled Fallback*.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How often a thread looks for what is before its block until it helps: about as long as to reduce a block.
const SPINS: u32 = 1000;

/// What is before each block, in order.
pub(crate) struct Chain<T> {
    /// The block whose turn it is: those before are in the state's value.
    turn: AtomicUsize,
    /// Whether an operator panicked: then all work is in vain.
    broken: AtomicBool,
    state: Mutex<State<T>>,
    /// Whether a thread may reduce another's block, which that one may be writing by then.
    helps: bool,
}

struct State<T> {
    turn: usize,
    before: Option<T>,
    /// What was before blocks that others reduced, until their own threads take it: at most one for each thread.
    helped: Vec<(usize, Option<T>)>,
}

impl<T: Copy> Chain<T> {
    pub(crate) fn new(first: Option<T>, helps: bool) -> Self {
        Self {
            turn: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
            state: Mutex::new(State { turn: 0, before: first, helped: Vec::new() }),
            helps,
        }
    }

    /// What is before a block, which each block asks for once. `reduce` reduces one, and gives the same for the same block. `None` if an
    /// operator panicked.
    pub(crate) fn before(
        &self,
        block: usize,
        reduce: impl Fn(usize) -> T,
        op: impl Fn(T, T) -> T,
    ) -> Option<Option<T>> {
        let breaks = Breaks(&self.broken);
        let own = reduce(block);
        let before = loop {
            if self.broken.load(Ordering::Relaxed) {
                break None;
            }
            let mut spins = 0;
            while self.turn.load(Ordering::Acquire) < block && spins < SPINS {
                spins += 1;
                std::hint::spin_loop();
            }
            let turn = self.turn.load(Ordering::Acquire);
            if turn < block && !self.helps {
                std::thread::yield_now();
                continue;
            }
            // Another block's, or this one's own, of which it is the turn or was.
            let sum = if turn < block { reduce(turn) } else { own };
            let mut state = self.lock();
            if state.turn > block {
                let place = state.helped.iter().position(|&(helped, _)| helped == block);
                break place.map(|place| state.helped.swap_remove(place).1);
            }
            if state.turn != turn {
                continue;
            }
            let before = state.before;
            state.before = Some(before.map_or(sum, |before| op(before, sum)));
            state.turn = turn + 1;
            if turn < block {
                state.helped.push((turn, before));
            }
            self.turn.store(turn + 1, Ordering::Release);
            if turn == block {
                break Some(before);
            }
        };
        std::mem::forget(breaks);
        before
    }

    /// Works on a block from what is before it, if all before it is known already: then nobody reduces it first. `scan` gives the block's
    /// reduction, as `reduce` of [`before`](Self::before) would. Says whether it did: if not, `before` is to be asked.
    pub(crate) fn in_turn(
        &self,
        block: usize,
        scan: impl FnOnce(Option<T>) -> T,
        op: impl Fn(T, T) -> T,
    ) -> bool {
        if self.turn.load(Ordering::Acquire) != block {
            return false;
        }
        let before = {
            let state = self.lock();
            if state.turn != block {
                return false;
            }
            state.before
        };
        let breaks = Breaks(&self.broken);
        let sum = scan(before);
        let mut state = self.lock();
        if state.turn == block {
            state.before = Some(before.map_or(sum, |before| op(before, sum)));
            state.turn = block + 1;
            self.turn.store(block + 1, Ordering::Release);
        } else {
            // Somebody helped meanwhile.
            state.helped.retain(|&(helped, _)| helped != block);
        }
        std::mem::forget(breaks);
        true
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says that an operator panicked, when it is dropped.
struct Breaks<'b>(&'b AtomicBool);

impl Drop for Breaks<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::Chain;
    use crate::cpu::testing::workers;

    /// The second number behind the first, to base 3.
    fn op((a, powers): (u64, u64), (b, more): (u64, u64)) -> (u64, u64) {
        (a.wrapping_mul(more).wrapping_add(b), powers.wrapping_mul(more))
    }

    #[test]
    fn each_block_has_what_is_before_it_also_when_threads_are_interrupted() {
        let sum = |block: usize| (block as u64, 3);
        for threads in [1, 2, 5] {
            for (sleeps, helps) in [(false, false), (true, false), (false, true), (true, true)] {
                let chain = Chain::new(Some((7, 1)), helps);
                let calls = AtomicUsize::new(0);
                workers(threads).run(300, |block| {
                    let reduce = |number: usize| {
                        calls.fetch_add(1, Ordering::Relaxed);
                        if sleeps && number == block && block % 50 == 20 {
                            std::thread::sleep(Duration::from_millis(2));
                        }
                        sum(number)
                    };
                    let expected = (0..block).map(sum).fold((7, 1), op);
                    let scan = |before| {
                        assert_eq!(before, Some(expected));
                        reduce(block)
                    };
                    if block % 3 == 0 || !chain.in_turn(block, scan, op) {
                        assert_eq!(chain.before(block, reduce, op), Some(Some(expected)));
                    }
                });
                let calls = calls.into_inner();
                assert!(if helps { calls >= 300 } else { calls == 300 });
                assert!(chain.lock().helped.is_empty());
            }
        }
    }

    #[test]
    fn nobody_waits_for_an_operator_that_panics() {
        for threads in [1, 2, 5] {
            for (in_reduce, in_turn) in [(false, false), (false, true), (true, false), (true, true)] {
                let chain = Chain::new(None, true);
                let reduce = |block| if in_reduce && block == 70 { panic!("bad") } else { block };
                let join = |a: usize, b| if !in_reduce && b == 70 { panic!("bad") } else { a + b };
                let blocks = || {
                    workers(threads).run(1000, |block| {
                        if !in_turn || !chain.in_turn(block, |_| reduce(block), join) {
                            chain.before(block, reduce, join);
                        }
                    });
                };
                assert_eq!(catch_unwind(AssertUnwindSafe(blocks)).unwrap_err().downcast_ref(), Some(&"bad"));
            }
        }
    }
}
