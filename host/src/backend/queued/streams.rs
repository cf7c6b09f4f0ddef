//! Streams, marks in them, and functions of the program in their order.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::state::Job;
use super::{Engine, Queued};
use crate::backend::Streams;
use crate::submission::{Access, HostCall, Mark, StreamId};
use crate::{Error, Priority};

impl<E: Engine> Queued<E> {
    /// Waits for a mark, and gives the time at which it was reached.
    fn reached(&self, mark: &Mark) -> Option<Instant> {
        match mark {
            Mark::Reached(at) => Some(*at),
            Mark::Queued(ticket, at) => {
                self.queue.finish(*ticket);
                at.get().copied()
            }
            #[cfg(any(feature = "cuda", feature = "hip"))]
            Mark::Event(_) => None,
        }
    }
}

impl<E: Engine> Streams for Queued<E> {
    fn open_stream(&self, _: Priority) -> Result<StreamId, Error> {
        Ok(self.queue.lock().open())
    }

    fn close_stream(&self, stream: StreamId) {
        self.queue.lock().close(stream);
    }

    fn record(&self, stream: StreamId) -> Result<Mark, Error> {
        if self.queue.is_free(stream, &[]) {
            return Ok(Mark::Reached(Instant::now()));
        }
        let at = Arc::new(OnceLock::new());
        let reached = Arc::clone(&at);
        let job = Job::done(move |_| {
            reached.get_or_init(Instant::now);
        });
        Ok(Mark::Queued(self.queue.push(stream, &[], job), at))
    }

    fn wait_for_earlier(&self, stream: StreamId, accesses: &[Access]) -> Result<(), Error> {
        if !self.queue.is_done() {
            let earlier: Vec<_> = self.queue.lock().before(accesses).collect();
            self.queue.wait_on(stream, earlier.into_iter());
        }
        Ok(())
    }

    fn wait(&self, stream: StreamId, mark: &Mark) -> Result<(), Error> {
        if let Mark::Queued(ticket, _) = mark
            && !self.queue.lock().is_done(*ticket)
        {
            self.queue.wait_on(stream, [*ticket].into_iter());
        }
        Ok(())
    }

    fn elapsed(&self, from: &Mark, to: &Mark) -> Result<Duration, Error> {
        let times = self.reached(from).zip(self.reached(to));
        Ok(times.map_or(Duration::ZERO, |(from, to)| to.saturating_duration_since(from)))
    }

    fn forget(&self, _: &Mark) {}

    /// Who calls this keeps others from memory that graphs have too.
    fn call_host(&self, stream: StreamId, call: Arc<HostCall>, accesses: &[Access]) -> Result<(), Error> {
        // How long it takes isn't known, or what it waits for.
        if self.is_for_now(stream, accesses, || false) {
            call.run_once();
        } else {
            self.queue.push(stream, accesses, Job::done(|_| call.run_once()));
        }
        Ok(())
    }

    fn call_in_turn(&self, stream: StreamId, accesses: &[Access], is_shared: bool, call: &mut dyn FnMut()) {
        let _turn = self.turn(is_shared);
        self.queue.wait_for(Some(stream), accesses);
        call();
    }

    fn synchronize(&self, stream: StreamId) -> Result<(), Error> {
        self.queue.wait_for(Some(stream), &[]);
        self.now().report()
    }
}
