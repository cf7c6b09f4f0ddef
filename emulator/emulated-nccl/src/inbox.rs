//! What other ranks sent and nobody has taken yet.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::locks::lock;
use crate::operation::SENT_BYTES;

/// Which of a rank's bytes: calls of all ranks and messages are counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) rank: usize,
    pub(crate) is_message: bool,
    pub(crate) sequence: u64,
}

/// A call of another rank, and bytes of its.
pub(crate) struct Frame {
    pub(crate) call: [u8; SENT_BYTES],
    pub(crate) bytes: Vec<u8>,
}

#[derive(Default)]
struct State {
    frames: HashMap<Place, Frame>,
    /// Ranks that send nothing any more.
    gone: Vec<usize>,
    stopped: Option<Error>,
}

#[derive(Default)]
pub(crate) struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
}

impl Inbox {
    pub(crate) fn put(&self, place: Place, frame: Frame) {
        lock(&self.state).frames.insert(place, frame);
        self.changed.notify_all();
    }

    /// Says that a rank sends nothing any more.
    pub(crate) fn close(&self, rank: usize) {
        lock(&self.state).gone.push(rank);
        self.changed.notify_all();
    }

    /// Ends all that waits, with an error. The first one stays.
    pub(crate) fn stop(&self, error: Error) {
        lock(&self.state).stopped.get_or_insert(error);
        self.changed.notify_all();
    }

    pub(crate) fn stopped(&self) -> Option<Error> {
        lock(&self.state).stopped.clone()
    }

    /// Waits for a frame.
    ///
    /// # Errors
    /// If it can't come any more, or doesn't in time.
    pub(crate) fn take(&self, place: Place, patience: Duration) -> Result<Frame, Error> {
        let started = Instant::now();
        let mut state = lock(&self.state);
        loop {
            if let Some(error) = &state.stopped {
                return Err(error.clone());
            }
            if let Some(frame) = state.frames.remove(&place) {
                return Ok(frame);
            }
            if state.gone.contains(&place.rank) {
                return Err(Error::remote(format!("rank {} is gone", place.rank)));
            }
            let left = patience.saturating_sub(started.elapsed());
            if left.is_zero() {
                let seconds = patience.as_secs_f64();
                return Err(Error::system(format!("waited {seconds:.1} s for rank {}", place.rank)));
            }
            state = self
                .changed
                .wait_timeout(state, left)
                .map_or_else(|error| error.into_inner().0, |(state, _)| state);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Frame, Inbox, Place};
    use crate::error::{Code, Error};

    const PLACE: Place = Place { rank: 1, is_message: false, sequence: 0 };

    #[test]
    fn what_was_sent_comes_before_the_end() {
        let inbox = Inbox::default();
        inbox.put(PLACE, Frame { call: [0; 16], bytes: vec![1] });
        inbox.close(1);
        let taken = inbox.take(PLACE, Duration::ZERO);
        assert_eq!(taken.map_err(|error| error.code).unwrap().bytes, [1]);
        assert_eq!(inbox.take(PLACE, Duration::ZERO).err().map(|error| error.code), Some(Code::Remote));
    }

    #[test]
    fn a_rank_that_sends_nothing_is_an_error_in_time() {
        let inbox = Inbox::default();
        assert_eq!(inbox.take(PLACE, Duration::ZERO).err().map(|error| error.code), Some(Code::System));
        inbox.stop(Error::usage("first"));
        inbox.stop(Error::argument("second"));
        assert_eq!(inbox.take(PLACE, Duration::ZERO).err().map(|error| error.code), Some(Code::InvalidUsage));
    }
}
