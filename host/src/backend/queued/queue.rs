//! A queue: work that streams were given, and the threads that do it, among them whoever waits for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use gridwright_cpu::{Errand, is_in_kernel, send};

use super::state::{Entry, Job, State};
use crate::Error;
use crate::backend::immediate::{Engine, Immediate};
use crate::submission::{Access, Mark, MemoryId, StreamId, Ticket};

/// The pieces of work that wait in a line. With more, who adds to it waits for the older half of them, as on GPUs.
const MOST_WAITING: usize = 1 << 14;

#[derive(Debug)]
pub(super) struct Queue<E> {
    pub(super) now: Immediate<E>,
    /// The pieces of work that aren't done. Who reads zero has all that they did behind it.
    pending: AtomicUsize,
    state: Mutex<State<E>>,
    changed: Condvar,
}

type Locked<'s, E> = MutexGuard<'s, State<E>>;

impl<E: Engine> Queue<E> {
    pub(super) fn new(now: Immediate<E>) -> Self {
        Self { now, pending: AtomicUsize::new(0), state: Mutex::default(), changed: Condvar::new() }
    }

    pub(super) fn lock(&self) -> Locked<'_, E> {
        // Whoever panicked with it changed numbers only.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether all work is done that this thread knows of, by its own calls or by those before which it was given something.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.pending.load(Ordering::Acquire) == 0
    }

    /// Whether work on a stream that uses this memory waits for nothing.
    #[inline]
    pub(super) fn is_free(&self, stream: StreamId, accesses: &[Access]) -> bool {
        self.is_done() || {
            let state = self.lock();
            state.is_idle(stream) && accesses.iter().all(|&access| state.before(access).next().is_none())
        }
    }

    /// Gives a stream work that uses this memory, behind its own work, earlier uses of the memory and `after`.
    pub(super) fn push(
        self: &Arc<Self>,
        stream: StreamId,
        accesses: &[Access],
        after: Vec<Ticket>,
        job: Job<E>,
    ) -> Ticket {
        self.push_with(self.lock(), stream, accesses, Entry { after, job })
    }

    fn push_with(
        self: &Arc<Self>,
        mut state: Locked<'_, E>,
        stream: StreamId,
        accesses: &[Access],
        entry: Entry<E>,
    ) -> Ticket {
        let (ticket, calls) = state.push(stream, accesses, entry);
        let waiting = state.waiting_in(stream);
        self.pending.fetch_add(1, Ordering::Relaxed);
        drop(state);
        if calls {
            self.call(stream.0);
        }
        if waiting > MOST_WAITING && !is_in_kernel() {
            self.finish(Ticket { number: ticket.number - MOST_WAITING as u64 / 2, ..ticket });
        }
        ticket
    }

    /// Marks the point that a stream has reached.
    pub(super) fn record(self: &Arc<Self>, stream: StreamId) -> Mark {
        if self.is_done() {
            return Mark::Reached(Instant::now());
        }
        let mut state = self.lock();
        if state.is_idle(stream) {
            return Mark::Reached(Instant::now());
        }
        let next = Ticket { stream: stream.0, number: state.last(stream).number + 1 };
        state.mark(next);
        Mark::Queued(self.push_with(state, stream, &[], Entry { after: Vec::new(), job: Box::new(|_| ()) }))
    }

    /// Has a stream wait for pieces of others' work.
    pub(super) fn wait_on(self: &Arc<Self>, stream: StreamId, after: Vec<Ticket>) {
        if !after.is_empty() {
            self.push(stream, &[], after, Box::new(|_| ()));
        }
    }

    /// Has a thread run a line. Without one this does.
    fn call(self: &Arc<Self>, stream: u32) {
        let errand = Arc::clone(self) as Arc<dyn Errand>;
        if !send(errand, stream) {
            self.run(stream);
        }
    }

    /// Waits for a stream's work, and for earlier uses of memory.
    #[inline]
    pub(super) fn wait_for(self: &Arc<Self>, stream: Option<StreamId>, accesses: &[Access]) {
        if !self.is_done() {
            let tickets: Vec<_> = {
                let state = self.lock();
                let of_stream = stream.map(|stream| state.last(stream));
                of_stream.into_iter().chain(state.before_all(accesses)).collect()
            };
            tickets.into_iter().for_each(|ticket| self.finish(ticket));
        }
    }

    /// Waits for a piece of work, and does what comes before it in its stream unless another thread does.
    pub(super) fn finish(self: &Arc<Self>, ticket: Ticket) {
        let mut state = self.lock();
        while !state.is_done(ticket) {
            state = match state.take(ticket.stream) {
                Some(entry) => self.do_piece(state, ticket.stream, entry),
                None => self.wait(state),
            };
        }
        let calls = state.calls(ticket.stream);
        drop(state);
        if calls {
            self.call(ticket.stream);
        }
    }

    fn wait<'s>(&'s self, mut state: Locked<'s, E>) -> Locked<'s, E> {
        state.waiting += 1;
        state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    /// Does the piece of a line's work that was taken, once those that it comes after are done.
    fn do_piece<'s>(&'s self, mut state: Locked<'s, E>, stream: u32, entry: Entry<E>) -> Locked<'s, E> {
        let Entry { after, job } = entry;
        while !after.iter().all(|&ticket| state.is_done(ticket)) {
            state = self.wait(state);
        }
        drop(state);
        self.run_job(job);
        let mut state = self.lock();
        let freeable = state.finish(stream);
        if self.pending.fetch_sub(1, Ordering::Release) == 1 {
            state.forget_uses();
        }
        if state.waiting > 0 {
            self.changed.notify_all();
        }
        if freeable.is_empty() {
            return state;
        }
        drop(state);
        freeable.into_iter().for_each(|job| self.run_job(job));
        self.lock()
    }

    /// Runs a job. Only what the program has in it can panic as it is dropped.
    fn run_job(&self, job: Job<E>) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| job(&self.now))) {
            std::mem::forget(payload);
            let message = "something that work in a queue had panicked as it was dropped".into();
            self.now.fail(Error::HostPanic { message, others: 0 });
        }
    }

    /// Gives memory back behind its uses.
    pub(super) fn give_back(&self, memory: MemoryId, job: Job<E>) {
        let uses = self.lock().remove_uses(memory);
        self.give_back_behind(uses, job);
    }

    /// Gives something back behind pieces of work.
    pub(super) fn give_back_behind(&self, behind: Vec<Ticket>, job: Job<E>) {
        let at_once = if behind.is_empty() { Some(job) } else { self.lock().give_back(behind, job) };
        at_once.into_iter().for_each(|job| self.run_job(job));
    }
}

impl<E: Engine> Errand for Queue<E> {
    /// Does a stream's work as long as there is some that no other thread does.
    fn run(&self, stream: u32) {
        let mut state = self.lock();
        while let Some(entry) = state.take(stream) {
            state = self.do_piece(state, stream, entry);
        }
        state.leave(stream);
    }
}
