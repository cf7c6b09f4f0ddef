//! Whose turn it is to give work to a stream: marks around a piece of work have that piece between them only.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// The threads that are giving a stream work, by the stream.
#[derive(Debug, Default)]
pub(super) struct Turns {
    holders: Mutex<HashMap<u32, ThreadId>>,
    given_back: Condvar,
}

impl Turns {
    fn holders(&self) -> MutexGuard<'_, HashMap<u32, ThreadId>> {
        self.holders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the turn. `false` if this thread has it already, as the reader of printed lines may, which a call that waits
    /// calls.
    pub(super) fn take(&self, stream: u32) -> bool {
        let mut holders = self.holders();
        loop {
            match holders.get(&stream) {
                None => {
                    holders.insert(stream, thread::current().id());
                    return true;
                }
                Some(holder) if *holder == thread::current().id() => return false,
                Some(_) => {
                    holders = self.given_back.wait(holders).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    pub(super) fn give_back(&self, stream: u32) {
        self.holders().remove(&stream);
        self.given_back.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::Turns;

    #[test]
    fn a_thread_has_a_stream_once_and_others_wait() {
        let (turns, given_back) = (Turns::default(), AtomicBool::new(false));
        assert!(turns.take(1) && !turns.take(1) && turns.take(2));
        thread::scope(|scope| {
            scope.spawn(|| {
                assert!(turns.take(1));
                assert!(given_back.load(Ordering::SeqCst));
            });
            thread::sleep(Duration::from_millis(20));
            given_back.store(true, Ordering::SeqCst);
            turns.give_back(1);
        });
    }
}
