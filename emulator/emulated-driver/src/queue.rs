//! A stream's operations, and the thread that runs them in order.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use crate::delay;
use crate::error::Error;
use crate::fault::Fault;
use crate::locks::lock;

/// What an operation does.
pub enum Work {
    /// Does nothing if the context has failed. An error fails the context.
    Run(Box<dyn FnOnce() -> Result<(), Error> + Send>),
    /// Runs even if the context has failed, and is told of it.
    Always(Box<dyn FnOnce(Option<Error>) + Send>),
}

impl Work {
    pub fn run(work: impl FnOnce() -> Result<(), Error> + Send + 'static) -> Self {
        Self::Run(Box::new(work))
    }
}

/// A point in a queue: up to and with an operation.
#[derive(Clone)]
pub struct Point {
    queue: Arc<Queue>,
    number: u64,
}

impl Point {
    pub fn is_reached(&self) -> bool {
        self.queue.completed.load(Ordering::Acquire) >= self.number
    }

    pub fn wait(&self) {
        if self.is_reached() {
            return;
        }
        let mut state = lock(&self.queue.state);
        while !self.is_reached() {
            state = self.queue.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

struct Operation {
    number: u64,
    after: Vec<Point>,
    work: Work,
}

#[derive(Default)]
struct State {
    pending: VecDeque<Operation>,
    has_thread: bool,
    is_closed: bool,
}

pub struct Queue {
    id: u64,
    /// The longest delay, in microseconds.
    delay: u64,
    state: Mutex<State>,
    arrived: Condvar,
    done: Condvar,
    submitted: AtomicU64,
    completed: AtomicU64,
}

impl Queue {
    pub fn new(id: u64, delay: u64) -> Arc<Self> {
        Arc::new(Self {
            id,
            delay,
            state: Mutex::default(),
            arrived: Condvar::new(),
            done: Condvar::new(),
            submitted: AtomicU64::new(0),
            completed: AtomicU64::new(0),
        })
    }

    /// Adds an operation that begins when those before it have ended and all of `after` is reached. These lie in the past,
    /// so that no circle of waits can be made.
    pub fn push(
        self: &Arc<Self>,
        fault: &'static Fault,
        after: Vec<Point>,
        work: Work,
    ) -> Result<Point, Error> {
        let mut state = lock(&self.state);
        if !state.has_thread {
            let queue = Arc::clone(self);
            let builder = thread::Builder::new().name(format!("stream {}", self.id));
            builder.spawn(move || queue.serve(fault)).map_err(|_| Error::OPERATING_SYSTEM)?;
            state.has_thread = true;
        }
        let number = self.submitted.load(Ordering::Relaxed) + 1;
        state.pending.push_back(Operation { number, after, work });
        self.submitted.store(number, Ordering::Release);
        drop(state);
        self.arrived.notify_one();
        Ok(Point { queue: Arc::clone(self), number })
    }

    /// Behind all that was added up to now.
    pub fn end(self: &Arc<Self>) -> Point {
        Point { queue: Arc::clone(self), number: self.submitted.load(Ordering::Acquire) }
    }

    pub fn is_idle(&self) -> bool {
        self.completed.load(Ordering::Acquire) >= self.submitted.load(Ordering::Acquire)
    }

    /// Nothing will be added: the thread ends when all is done.
    pub fn close(&self) {
        lock(&self.state).is_closed = true;
        self.arrived.notify_one();
    }

    pub fn is_closed(&self) -> bool {
        lock(&self.state).is_closed
    }

    fn serve(&self, fault: &'static Fault) {
        while let Some(operation) = self.next() {
            operation.after.iter().for_each(Point::wait);
            if let Some(delay) = delay::of(self.id, operation.number, self.delay) {
                thread::sleep(delay);
            }
            // A panic is a bug of ours: it fails the context, so that nobody trusts the results.
            let ran = catch_unwind(AssertUnwindSafe(|| match operation.work {
                Work::Run(work) if fault.get().is_none() => work(),
                Work::Run(_) => Ok(()),
                Work::Always(work) => {
                    work(fault.get());
                    Ok(())
                }
            }));
            if let Err(error) = ran.unwrap_or(Err(Error::UNKNOWN)) {
                fault.set(error);
            }
            let state = lock(&self.state);
            self.completed.store(operation.number, Ordering::Release);
            drop(state);
            self.done.notify_all();
        }
    }

    fn next(&self) -> Option<Operation> {
        let mut state = lock(&self.state);
        loop {
            if let Some(operation) = state.pending.pop_front() {
                return Some(operation);
            }
            if state.is_closed {
                return None;
            }
            state = self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
