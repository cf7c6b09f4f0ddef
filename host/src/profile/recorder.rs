//! What is recorded while a profile is made.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use super::report::Recorded;
use super::span::{Name, Piece, Span, Track};
use super::turns::Turns;
use crate::submission::Mark;
use crate::{Device, Error, Event, Stream};

/// The pieces whose marks may not be reached yet. With more, the host waits for the older half of them.
const MOST_PENDING: usize = 4096;

/// The pieces that a trace has. Later ones are counted in the table only.
const MOST_SPANS: usize = 1 << 18;

/// Whether a device is profiled, and by whom.
#[derive(Debug, Default)]
pub(crate) struct Profiles {
    /// Whether a profile is made. Each call looks at it, and at `recorder` only if it is set.
    is_on: AtomicBool,
    recorder: Mutex<Option<Arc<Recorder>>>,
}

impl Profiles {
    fn lock(&self) -> MutexGuard<'_, Option<Arc<Recorder>>> {
        self.recorder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    pub(super) fn recorder(&self) -> Option<Arc<Recorder>> {
        if self.is_on() { self.active() } else { None }
    }

    #[inline]
    pub(super) fn is_on(&self) -> bool {
        // Relaxed: who must be seen to have begun a profile also tells the thread that launches to do so.
        self.is_on.load(Ordering::Relaxed)
    }

    #[cold]
    fn active(&self) -> Option<Arc<Recorder>> {
        self.lock().clone()
    }

    /// Makes a recorder the device's, unless there is one. Whether it did.
    pub(super) fn begin(&self, recorder: &Arc<Recorder>) -> bool {
        let mut known = self.lock();
        if known.is_some() {
            return false;
        }
        *known = Some(Arc::clone(recorder));
        self.is_on.store(true, Ordering::Relaxed);
        true
    }

    pub(super) fn end(&self) {
        let ended = {
            let mut recorder = self.lock();
            self.is_on.store(false, Ordering::Relaxed);
            recorder.take()
        };
        // Its marks are given back without the lock.
        if let Some(recorder) = ended {
            recorder.close();
        }
    }
}

/// What a profile of a device has seen so far.
#[derive(Debug)]
pub(super) struct Recorder {
    /// A mark that was reached at `began`.
    base: Event,
    pub(super) began: Instant,
    /// Whether work has finished when the call that submits it returns. Then its time is that of the calling thread, several
    /// of which may use one stream at the same time.
    pub(super) is_synchronous: bool,
    pub(super) turns: Turns,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    has_ended: bool,
    pending: Vec<Pending>,
    recorded: Recorded,
    threads: HashMap<ThreadId, u32>,
    declared: HashMap<Name, u64>,
    error: Option<Error>,
}

/// Work that was submitted between two marks.
#[derive(Debug)]
struct Pending {
    piece: Piece,
    track: Track,
    start: Event,
    end: Event,
}

impl Recorder {
    /// A recorder that begins now. The device has nothing to do on a stream of its own, and so gets to the
    /// mark at once.
    pub(super) fn new(device: &Device) -> Result<Self, Error> {
        let stream: Stream = device.stream()?;
        let base = stream.record()?;
        // Waits for it.
        base.time_since(&base)?;
        let (began, is_synchronous) = match base.mark() {
            Mark::Reached(at) => (*at, true),
            // No stream is so soon.
            Mark::Queued(..) => (Instant::now(), true),
            #[cfg(any(feature = "cuda", feature = "hip"))]
            Mark::Event(_) => (Instant::now(), false),
        };
        let (turns, state) = (Turns::default(), Mutex::default());
        Ok(Self { base, began, is_synchronous, turns, state })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that each call of a name moves so many bytes, from here on.
    pub(super) fn declare(&self, name: Name, bytes: u64) {
        self.state().declared.insert(name, bytes);
    }

    /// Has the profile fail with an error, unless something failed before. The work itself isn't changed by
    /// that.
    pub(super) fn fail(&self, error: Error) {
        self.state().error.get_or_insert(error);
    }

    /// Adds work of a stream.
    pub(super) fn add(&self, mut piece: Piece, stream: u32, start: Event, end: Event) {
        let mut state = self.state();
        if state.has_ended {
            return;
        }
        piece.bytes = piece.bytes.or_else(|| state.declared.get(&piece.name).copied());
        let track = if self.is_synchronous { state.this_thread() } else { Track::Stream(stream) };
        state.pending.push(Pending { piece, track, start, end });
        let most = if self.is_synchronous { 0 } else { MOST_PENDING };
        if state.pending.len() > most {
            let older = state.pending.len() - most / 2;
            let finished = state.pending.drain(..older).collect();
            drop(state);
            self.resolve(finished);
        }
    }

    /// Adds time of the host.
    pub(super) fn add_host(&self, piece: Piece, start: Instant, end: Instant) {
        let mut state = self.state();
        if state.has_ended {
            return;
        }
        let track = state.this_thread();
        let (start, duration) =
            (start.saturating_duration_since(self.began), end.saturating_duration_since(start));
        state.recorded.add(Span { piece, track, start, duration }, MOST_SPANS);
    }

    /// Waits for work, and adds its times.
    fn resolve(&self, pending: Vec<Pending>) {
        for Pending { piece, track, start, end } in pending {
            let times = start.time_since(&self.base).and_then(|at| Ok((at, end.time_since(&start)?)));
            match times {
                Ok((start, duration)) => {
                    self.state().recorded.add(Span { piece, track, start, duration }, MOST_SPANS);
                }
                Err(error) => self.fail(error),
            }
        }
    }

    /// Waits for all work, and gives what was recorded.
    ///
    /// # Errors
    /// What marks failed with.
    pub(super) fn finish(&self) -> Result<Recorded, Error> {
        let pending = {
            let state = &mut *self.state();
            state.has_ended = true;
            std::mem::take(&mut state.pending)
        };
        self.resolve(pending);
        let state = &mut *self.state();
        state.error.take().map_or_else(|| Ok(std::mem::take(&mut state.recorded)), Err)
    }

    /// Takes nothing more, and gives marks back.
    fn close(&self) {
        let pending = {
            let state = &mut *self.state();
            state.has_ended = true;
            std::mem::take(&mut state.pending)
        };
        drop(pending);
    }

    /// The time since the profile began.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

impl State {
    fn this_thread(&mut self) -> Track {
        let thread = thread::current();
        let next = self.threads.len() as u32;
        let number = *self.threads.entry(thread.id()).or_insert(next);
        if number == next {
            self.recorded.threads.push(thread.name().map(Into::into));
        }
        Track::Thread(number)
    }
}
