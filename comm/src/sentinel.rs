//! Ends a process whose engine waits for a rank that ended.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::control::Watch;

/// How often the sentinel looks.
const TICK: Duration = Duration::from_millis(100);

/// Looks after a rank's end until a call counts as waiting in vain.
const LOOKS: u32 = 20;

/// The status of a process that is ended: `EX_UNAVAILABLE` of `sysexits.h`.
#[cfg(unix)]
const STATUS: i32 = 69;

/// Engines' calls block, and can't be given up when a rank ends: MPI knows no time limit. A thread looks for that, and ends the process with a
/// message, as MPI itself does with what it sees. With checks, few calls are begun that can't be ended.
#[derive(Debug)]
pub(crate) struct Sentinel(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// Of each communicator.
    calls: Mutex<Vec<Calls>>,
    has_ended: AtomicBool,
}

/// Calls of a communicator that were begun and those that ended, together: odd while one is under way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls(Arc<AtomicU64>);

impl Sentinel {
    /// Watches over the calls of a rank.
    pub(crate) fn new(rank: usize, watch: Watch) -> Self {
        let state = Arc::new(State::default());
        let watched = Arc::clone(&state);
        // Without a thread nobody watches, as in MPI itself.
        let _ = thread::Builder::new()
            .name("gridwright sentinel".into())
            .spawn(move || watched.watch(rank, &watch));
        Self(state)
    }

    /// Watches over the calls of a communicator too.
    pub(crate) fn calls(&self) -> Calls {
        let calls = Calls::default();
        self.0.calls.lock().unwrap_or_else(PoisonError::into_inner).push(calls.clone());
        calls
    }

    pub(crate) fn end(&self) {
        self.0.has_ended.store(true, Ordering::Relaxed);
    }
}

impl Calls {
    /// Makes a call that may wait in vain. A communicator makes one at a time, so that nobody else counts meanwhile.
    pub(crate) fn during<R>(&self, call: impl FnOnce() -> R) -> R {
        let before = self.0.load(Ordering::Relaxed);
        self.0.store(before.wrapping_add(1), Ordering::Relaxed);
        let result = call();
        self.0.store(before.wrapping_add(2), Ordering::Relaxed);
        result
    }
}

impl State {
    fn watch(&self, rank: usize, watch: &Watch) {
        // Of each communicator: what its count was, and how often it has been that of one call.
        let mut seen: Vec<(u64, u32)> = Vec::new();
        while !self.has_ended.load(Ordering::Relaxed) {
            thread::sleep(TICK);
            let Some(trouble) = watch.trouble() else { continue };
            let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
            seen.resize(calls.len(), (0, 0));
            for (calls, (count, looks)) in calls.iter().zip(&mut seen) {
                let now = calls.0.load(Ordering::Relaxed);
                *looks = if now % 2 == 1 && now == *count { *looks + 1 } else { 0 };
                *count = now;
            }
            if seen.iter().any(|&(_, looks)| looks >= LOOKS) {
                eprintln!("{}; this process waits for it in vain, and ends", trouble.at(rank));
                end_process();
            }
        }
    }
}

/// Ends the process without what is registered for its end: MPI's part of that would wait too.
fn end_process() -> ! {
    #[cfg(unix)]
    // SAFETY: it takes any status, and nothing of this process runs afterwards.
    unsafe {
        libc::_exit(STATUS)
    }
    #[cfg(not(unix))]
    std::process::abort()
}
