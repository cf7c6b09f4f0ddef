//! Threads that run work in their own time, while who gave it goes on: as many as there is such work at the same time.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::keep_loaded::keep_loaded;

/// Work that a thread of its own runs to its end.
pub trait Errand: Send + Sync {
    /// Runs the work. `number` is what [`send`] was given. It must not panic.
    fn run(&self, number: u32);
}

type Sent = (Arc<dyn Errand>, u32);

#[derive(Default)]
struct State {
    sent: VecDeque<Sent>,
    /// Threads that wait for work, those among them for which some is there.
    idle: usize,
}

static STATE: Mutex<State> = Mutex::new(State { sent: VecDeque::new(), idle: 0 });
static SENT: Condvar = Condvar::new();

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has a thread run work, one that waits or a new one, which stays for more. `false` if there is none to be had: then nobody runs it.
///
/// ```
/// use std::sync::mpsc::{Sender, channel};
/// use std::sync::{Arc, Mutex};
///
/// struct Tells(Mutex<Sender<u32>>);
///
/// impl gridwright_cpu::Errand for Tells {
///     fn run(&self, number: u32) {
///         self.0.lock().unwrap().send(number).unwrap();
///     }
/// }
///
/// let (sender, receiver) = channel();
/// assert!(gridwright_cpu::send(Arc::new(Tells(Mutex::new(sender))), 7));
/// assert_eq!(receiver.recv(), Ok(7));
/// ```
pub fn send(errand: Arc<dyn Errand>, number: u32) -> bool {
    let mut state = lock();
    if state.idle > state.sent.len() {
        state.sent.push_back((errand, number));
        drop(state);
        SENT.notify_one();
        return true;
    }
    drop(state);
    keep_loaded();
    let work = move || {
        let mut sent = (errand, number);
        loop {
            let (errand, number) = sent;
            errand.run(number);
            drop(errand);
            sent = next();
        }
    };
    thread::Builder::new().name("gridwright-queue".into()).spawn(work).is_ok()
}

/// The next work, when there is some.
fn next() -> Sent {
    let mut state = lock();
    state.idle += 1;
    loop {
        if let Some(sent) = state.sent.pop_front() {
            state.idle -= 1;
            return sent;
        }
        state = SENT.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread::ThreadId;
    use std::time::Duration;

    use super::*;

    /// Says who runs it, and waits for leave to end.
    struct Waits(Mutex<(Sender<ThreadId>, Receiver<()>)>);

    impl Errand for Waits {
        fn run(&self, _: u32) {
            let (began, may_end) = &*self.0.lock().unwrap();
            began.send(thread::current().id()).unwrap();
            may_end.recv().unwrap();
        }
    }

    fn sent() -> (Sender<()>, ThreadId) {
        let ((began, begins), (ends, may_end)) = (channel(), channel());
        assert!(send(Arc::new(Waits(Mutex::new((began, may_end)))), 0));
        (ends, begins.recv().unwrap())
    }

    #[test]
    fn work_that_waits_has_a_thread_of_its_own_and_one_that_is_done_takes_more() {
        let (first, second) = (sent(), sent());
        assert_ne!(first.1, second.1);
        second.0.send(()).unwrap();
        // It waits for work a moment later.
        let takes_more = (0..1000).any(|_| {
            thread::sleep(Duration::from_millis(1));
            let third = sent();
            third.0.send(()).unwrap();
            third.1 == second.1
        });
        assert!(takes_more);
        first.0.send(()).unwrap();
    }
}
