//! Ends a process whose engine waits for a rank that ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::control::Watch;

/// How often the sentinel looks.
const TICK: Duration = Duration::from_millis(100);

/// Looks after a rank's end until a call counts as waiting in vain.
const LOOKS: u32 = 20;

/// The status of a process that is ended: `EX_UNAVAILABLE` of `sysexits.h`.
const STATUS: i32 = 69;

/// Without checks, engines' calls block, and can't be given up when a rank ends: MPI knows no time limit. A thread looks for
/// that, and ends the process with a message, as MPI itself does with what it sees.
#[derive(Debug)]
pub(crate) struct Sentinel(Arc<State>);

#[derive(Debug)]
struct State {
    /// Calls begun and calls ended, together: odd while one is under way.
    calls: AtomicU64,
    has_ended: AtomicBool,
}

impl Sentinel {
    /// Watches over the calls of a rank.
    pub(crate) fn new(rank: usize, watch: Watch) -> Self {
        let state = Arc::new(State { calls: AtomicU64::new(0), has_ended: AtomicBool::new(false) });
        let watched = Arc::clone(&state);
        // Without a thread nobody watches, as in MPI itself.
        let _ = thread::Builder::new()
            .name("gridwright sentinel".into())
            .spawn(move || watched.watch(rank, &watch));
        Self(state)
    }

    /// Does a call that may wait in vain.
    pub(crate) fn during<R>(&self, call: impl FnOnce() -> R) -> R {
        self.0.calls.fetch_add(1, Ordering::Relaxed);
        let result = call();
        self.0.calls.fetch_add(1, Ordering::Relaxed);
        result
    }

    pub(crate) fn end(&self) {
        self.0.has_ended.store(true, Ordering::Relaxed);
    }
}

impl State {
    fn watch(&self, rank: usize, watch: &Watch) {
        let mut stuck = (0, 0);
        while !self.has_ended.load(Ordering::Relaxed) {
            thread::sleep(TICK);
            let Some(trouble) = watch.trouble() else { continue };
            let calls = self.calls.load(Ordering::Relaxed);
            let is_stuck = calls % 2 == 1 && stuck.0 == calls;
            stuck = (calls, if is_stuck { stuck.1 + 1 } else { 0 });
            if stuck.1 >= LOOKS {
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
