//! A queue: work that streams were given, and the threads that do it, among them whoever waits for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use gridwright_cpu::{Errand, is_in_kernel, send};

use super::engine::Engine;
use super::immediate::Immediate;
use super::state::{Entry, Job, State};
use crate::Error;
use crate::submission::{Access, MemoryId, StreamId, Ticket};

/// The pieces of work that wait in a line. With more, who adds to it waits for the older half of them, as on GPUs.
const MOST_WAITING: u64 = 1 << 14;

/// Bytes that are given back behind work. With more, who wants memory waits for the work.
const MOST_HELD: usize = 256 << 20;

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
            state.is_done(state.last(stream)) && state.before(accesses).next().is_none()
        }
    }

    /// Gives a stream work that uses this memory, behind its own work and earlier uses of the memory.
    pub(super) fn push(self: &Arc<Self>, stream: StreamId, accesses: &[Access], job: Job<E>) -> Ticket {
        self.push_behind(Vec::new(), stream, accesses, job)
    }

    fn push_behind(
        self: &Arc<Self>,
        after: Vec<Ticket>,
        stream: StreamId,
        accesses: &[Access],
        job: Job<E>,
    ) -> Ticket {
        let mut state = self.lock();
        let ticket = state.push(stream, accesses, Entry { after, job });
        self.pending.fetch_add(1, Ordering::Relaxed);
        let before = |pieces| Ticket { number: ticket.number.saturating_sub(pieces), ..ticket };
        let (calls, is_full) = (state.calls(stream.0), !state.is_done(before(MOST_WAITING)));
        drop(state);
        if calls {
            self.call(stream.0);
        }
        if is_full && !is_in_kernel() {
            self.finish(before(MOST_WAITING / 2));
        }
        ticket
    }

    /// Has a stream wait for pieces of work.
    pub(super) fn wait_on(self: &Arc<Self>, stream: StreamId, after: impl Iterator<Item = Ticket>) {
        let after: Vec<_> = after.filter(|ticket| ticket.stream != stream.0).collect();
        if !after.is_empty() {
            self.push_behind(after, stream, &[], Job::done(|_| ()));
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
        if self.is_done() {
            return;
        }
        if let Some(stream) = stream {
            let last = self.lock().last(stream);
            self.finish(last);
        }
        // Whoever has the memory keeps others from using it meanwhile.
        let next = || self.lock().before(accesses).next();
        while let Some(ticket) = next() {
            self.finish(ticket);
        }
    }

    /// Waits for a piece of work, and does what comes before it in its stream unless another thread does.
    pub(super) fn finish(self: &Arc<Self>, ticket: Ticket) {
        let mut state = self.lock();
        while !state.is_done(ticket) {
            state = match state.take(ticket.stream) {
                Some(entry) => self.do_piece(state, ticket.stream, entry),
                None => self.wait(state, ticket),
            };
        }
        let calls = state.calls(ticket.stream);
        drop(state);
        if calls {
            self.call(ticket.stream);
        }
    }

    /// Waits until more pieces of work are done, this one perhaps.
    fn wait<'s>(&'s self, mut state: Locked<'s, E>, ticket: Ticket) -> Locked<'s, E> {
        state.awaits(ticket);
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Does the piece of a line's work that was taken, once those that it comes after are done.
    fn do_piece<'s>(&'s self, mut state: Locked<'s, E>, stream: u32, entry: Entry<E>) -> Locked<'s, E> {
        let Entry { after, job } = entry;
        for ticket in after {
            while !state.is_done(ticket) {
                state = self.wait(state, ticket);
            }
        }
        drop(state);
        self.run_job(job);
        let mut state = self.lock();
        let freeable = state.finish(stream);
        if self.pending.fetch_sub(1, Ordering::Release) == 1 {
            state.forget_uses();
        }
        if state.wakes() {
            self.changed.notify_all();
        }
        if freeable.is_empty() {
            return state;
        }
        drop(state);
        freeable.into_iter().for_each(|job| self.run_job(job));
        self.lock()
    }

    /// Runs a job. Its error is told by the next call that waits. Only what the program has in it can panic as it is dropped.
    fn run_job(&self, job: Job<E>) {
        match catch_unwind(AssertUnwindSafe(|| job.run(&self.now))) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.now.failure.add(error),
            Err(payload) => {
                std::mem::forget(payload);
                let message = "something that work in a queue had panicked as it was dropped".into();
                self.now.failure.add(Error::HostPanic { message, others: 0 });
            }
        }
    }

    /// Gives memory back behind its uses.
    pub(super) fn give_back(&self, memory: MemoryId, bytes: usize, job: Job<E>) {
        let uses = self.lock().remove_uses(memory);
        self.give_back_behind(uses, bytes, job);
    }

    /// Gives so many bytes back behind pieces of work.
    pub(super) fn give_back_behind(&self, behind: Vec<Ticket>, bytes: usize, job: Job<E>) {
        let at_once = if behind.is_empty() { Some(job) } else { self.lock().give_back(behind, bytes, job) };
        at_once.into_iter().for_each(|job| self.run_job(job));
    }

    /// Waits for work where much memory is given back behind it.
    #[inline]
    pub(super) fn wait_for_room(self: &Arc<Self>) {
        if self.is_done() || is_in_kernel() {
            return;
        }
        let behind = self.lock().holding(MOST_HELD);
        behind.into_iter().for_each(|ticket| self.finish(ticket));
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
