//! The marks around a piece of work.

use std::sync::Arc;
use std::time::Instant;

use super::recorder::Recorder;
use super::span::Piece;
use crate::submission::Access;
use crate::{Device, Error, Event, Stream};

/// A piece of work that is being submitted; nothing where no profile is made. Dropped without [`end`](Self::end), the work
/// isn't recorded: it failed.
#[must_use = "the work isn't recorded without its end"]
#[derive(Debug)]
pub(crate) struct Timing<'s>(Option<Box<Begun<'s>>>);

#[derive(Debug)]
struct Begun<'s> {
    recorder: Arc<Recorder>,
    stream: &'s Stream,
    piece: Piece,
    start: Event,
    turn: Option<Turn>,
}

/// A stream that nobody else gives work to.
#[derive(Debug)]
struct Turn {
    recorder: Arc<Recorder>,
    stream: u32,
}

impl Turn {
    fn take(recorder: &Arc<Recorder>, stream: u32) -> Option<Self> {
        let is_taken = !recorder.is_synchronous && recorder.turns.take(stream);
        is_taken.then(|| Self { recorder: Arc::clone(recorder), stream })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.recorder.turns.give_back(self.stream);
    }
}

impl Stream {
    /// Begins the measurement of work that uses this memory of the device, before the work is submitted.
    #[inline]
    pub(crate) fn timing(&self, accesses: &[Access], piece: impl FnOnce() -> Piece) -> Timing<'_> {
        Timing(
            self.device().profiles().recorder().and_then(|recorder| self.begin(recorder, accesses, piece())),
        )
    }

    /// Submits work, where each nanosecond counts.
    #[inline]
    pub(crate) fn timed(
        &self,
        accesses: &[Access],
        piece: impl FnOnce() -> Piece,
        submit: impl Fn() -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.device().profiles().is_on() { self.time(accesses, piece, submit) } else { submit() }
    }

    #[cold]
    #[inline(never)]
    fn time(
        &self,
        accesses: &[Access],
        piece: impl FnOnce() -> Piece,
        submit: impl Fn() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let timing = self.timing(accesses, piece);
        submit()?;
        timing.end();
        Ok(())
    }

    #[cold]
    fn begin(&self, recorder: Arc<Recorder>, accesses: &[Access], piece: Piece) -> Option<Box<Begun<'_>>> {
        let turn = Turn::take(&recorder, self.id().number());
        // What the work waits for isn't its own time.
        let waited = self.device().backend().wait_for_earlier(self.id(), accesses);
        match waited.and_then(|()| self.mark()) {
            Ok(start) => Some(Box::new(Begun { recorder, stream: self, piece, start, turn })),
            Err(error) => {
                recorder.fail(error);
                None
            }
        }
    }

    fn mark(&self) -> Result<Event, Error> {
        Ok(Event::new(self.device().clone(), self.device().backend().record(self.id())?))
    }
}

impl Timing<'_> {
    /// Ends the measurement: the work was submitted.
    #[inline]
    pub(crate) fn end(self) {
        if let Some(begun) = self.0 {
            (*begun).end();
        }
    }
}

impl Begun<'_> {
    #[cold]
    fn end(self) {
        let Self { recorder, stream, piece, start, turn } = self;
        match stream.mark() {
            Ok(end) => {
                drop(turn);
                recorder.add(piece, stream.id().number(), start, end);
            }
            Err(error) => recorder.fail(error),
        }
    }
}

impl Device {
    /// Runs a call in which the host waits for the device.
    #[inline]
    pub(crate) fn waiting<R>(
        &self,
        call: &'static str,
        wait: impl FnOnce() -> Result<R, Error>,
    ) -> Result<R, Error> {
        match self.profiles().recorder() {
            None => wait(),
            Some(recorder) => {
                let start = Instant::now();
                let waited = wait();
                recorder.add_host(Piece::wait(call), start, Instant::now());
                waited
            }
        }
    }
}
