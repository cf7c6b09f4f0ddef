//! The worker threads that all CPU devices of the process share.
//!
//! One launch at a time has them. It publishes a job, a reference to a closure on its stack, in `state`:
//! an epoch, whether the job is open, and how many workers are in it. A worker gets in only while the job
//! is open, and the launch leaves only when it is closed and nobody is in.

use std::cell::UnsafeCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, Thread};

use crossbeam_utils::{Backoff, CachePadded};

use crate::current_core;
use crate::keep_loaded::keep_loaded;

/// Workers are in the low bits, then the open bit, then the epoch.
const OPEN: u64 = 1 << 16;
const EPOCH: u64 = 1 << 17;
const INSIDE: u64 = OPEN - 1;

/// How often an idle worker looks for a job before it sleeps: some 20 µs.
const SPINS: u32 = 2_000;

type Job<'j> = &'j (dyn Fn(usize) + Sync + 'j);

pub(crate) struct Pool {
    state: CachePadded<AtomicU64>,
    job: UnsafeCell<Option<Job<'static>>>,
    /// The core of the thread that woke workers last.
    caller: AtomicUsize,
    claimed: CachePadded<AtomicBool>,
    workers: Box<[CachePadded<Worker>]>,
    ranges: Box<[CachePadded<AtomicUsize>]>,
}

#[derive(Default)]
struct Worker {
    asleep: AtomicBool,
    thread: OnceLock<Thread>,
}

// SAFETY: `job` is written only by the claim's holder while nobody is in, and read only by who is in.
unsafe impl Sync for Pool {}

/// The pool, started at the first call for launches of up to `threads` threads, the caller among them.
pub(crate) fn get(threads: usize) -> &'static Pool {
    static POOL: OnceLock<Pool> = OnceLock::new();
    static STARTED: OnceLock<()> = OnceLock::new();
    let pool = POOL.get_or_init(|| Pool::new(threads));
    STARTED.get_or_init(|| pool.start());
    pool
}

impl Pool {
    fn new(threads: usize) -> Self {
        Self {
            state: CachePadded::new(AtomicU64::new(0)),
            job: UnsafeCell::new(None),
            caller: AtomicUsize::new(usize::MAX),
            claimed: CachePadded::new(AtomicBool::new(false)),
            workers: (1..threads).map(|_| CachePadded::default()).collect(),
            ranges: (0..threads).map(|_| CachePadded::default()).collect(),
        }
    }

    fn start(&'static self) {
        keep_loaded();
        for (i, worker) in self.workers.iter().enumerate() {
            let name = format!("gridwright-cpu-{}", i + 1);
            // Without the thread, its share is done by the others.
            if let Ok(handle) = thread::Builder::new().name(name).spawn(move || self.work(i)) {
                worker.thread.get_or_init(|| handle.thread().clone());
            }
        }
    }

    /// The pool for one launch, unless another has it.
    pub(crate) fn claim(&self) -> Option<Claim<'_>> {
        let free = self.claimed.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed);
        // `then`, not `then_some`: a claim that was made gives the pool back when dropped.
        free.is_ok().then(|| Claim(self))
    }

    /// Whether the first so many workers look for a job: they come in at once.
    pub(crate) fn is_awake(&self, helpers: usize) -> bool {
        self.workers.iter().take(helpers).all(|worker| !worker.asleep.load(Ordering::Relaxed))
    }

    fn work(&self, i: usize) {
        let mut done = self.state.load(Ordering::SeqCst) / EPOCH;
        loop {
            let state = self.wait(i, done);
            done = state / EPOCH;
            if self.state.compare_exchange(state, state + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                // SAFETY: in, so the job is there and stays.
                if let Some(job) = unsafe { *self.job.get() } {
                    job(i + 1);
                }
                self.state.fetch_sub(1, Ordering::Release);
            } else {
                // Somebody else came or went: look again, at the same job.
                done = done.wrapping_sub(1);
            }
        }
    }

    /// Waits for an open job of another epoch.
    fn wait(&self, i: usize, done: u64) -> u64 {
        let worker = &self.workers[i];
        let open = |state: u64| state & OPEN != 0 && state / EPOCH != done;
        for _ in 0..SPINS {
            let state = self.state.load(Ordering::Acquire);
            if open(state) {
                return state;
            }
            std::hint::spin_loop();
        }
        loop {
            // Either this store is seen by `run`'s look, or `run`'s store by this look.
            worker.asleep.store(true, Ordering::SeqCst);
            let state = self.state.load(Ordering::SeqCst);
            if open(state) {
                worker.asleep.store(false, Ordering::Relaxed);
                return state;
            }
            thread::park();
            let caller = self.caller.load(Ordering::Relaxed);
            if current_core::current() == Some(caller) {
                current_core::leave(caller);
            }
        }
    }
}

/// The pool, for one launch.
pub(crate) struct Claim<'p>(&'p Pool);

impl Claim<'_> {
    /// A counter for each thread of a launch.
    pub(crate) fn ranges(&self) -> &[CachePadded<AtomicUsize>] {
        &self.0.ranges
    }

    /// Calls `job` with 0 here and with other numbers on up to `helpers` workers, those that come in
    /// time, and waits for all. The job must not panic. Says whether it had to wait: others were done later than this thread.
    pub(crate) fn run(&self, helpers: usize, job: Job<'_>) -> bool {
        let pool = self.0;
        // Also who is awake from a larger job may come in: it has no part in this one.
        let job: Job<'_> = &move |worker| {
            if worker <= helpers {
                job(worker);
            }
        };
        // SAFETY: only lifetimes differ. The job ends before this returns: `Close` waits for who is in.
        let job_for_ever = unsafe { std::mem::transmute::<Job<'_>, Job<'static>>(job) };
        // SAFETY: the claim is held and nobody is in, because the last holder waited.
        unsafe { *pool.job.get() = Some(job_for_ever) };
        let epoch = pool.state.load(Ordering::Relaxed) / EPOCH + 1;
        pool.state.store((epoch * EPOCH) | OPEN, Ordering::SeqCst);
        let close = Close(pool);
        let mut any_slept = false;
        for worker in pool.workers.iter().take(helpers) {
            if worker.asleep.swap(false, Ordering::SeqCst)
                && let Some(thread) = worker.thread.get()
            {
                if !any_slept {
                    pool.caller.store(current_core::current().unwrap_or(usize::MAX), Ordering::Relaxed);
                    any_slept = true;
                }
                thread.unpark();
            }
        }
        if any_slept {
            // One that would run here next does so now, and leaves.
            thread::yield_now();
        }
        job(0);
        let waits = pool.state.load(Ordering::Relaxed) & INSIDE != 0;
        drop(close);
        waits
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.0.claimed.store(false, Ordering::Release);
    }
}

/// Closes the job and waits until nobody is in, also when the caller's part unwinds.
struct Close<'p>(&'p Pool);

impl Drop for Close<'_> {
    fn drop(&mut self) {
        self.0.state.fetch_and(!OPEN, Ordering::AcqRel);
        let backoff = Backoff::new();
        while self.0.state.load(Ordering::Acquire) & INSIDE != 0 {
            backoff.snooze();
        }
    }
}
