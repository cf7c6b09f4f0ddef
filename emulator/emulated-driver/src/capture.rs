//! Captures: what streams are given becomes nodes of a graph, in place of being run.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, ThreadId};

use crate::error::Error;
use crate::ids;
use crate::locks::lock;
use crate::registry::Handle;

/// Which calls that may wait for more than the stream are refused meanwhile, and in which threads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// In all.
    Global,
    /// In the one that began.
    OfThread,
    /// In none. Any thread may end the capture.
    Relaxed,
}

impl Mode {
    pub fn new(number: c_int) -> Result<Self, Error> {
        match number {
            0 => Ok(Self::Global),
            1 => Ok(Self::OfThread),
            2 => Ok(Self::Relaxed),
            _ => Err(Error::INVALID_VALUE),
        }
    }
}

/// The capture that a stream takes part in.
pub type Part = Mutex<Option<Arc<Capture>>>;

pub struct Capture {
    pub id: u64,
    pub graph: Handle,
    /// Its number.
    context: usize,
    /// The stream where it began, by its number.
    pub origin: u64,
    mode: Mode,
    thread: ThreadId,
    state: Mutex<State>,
}

#[derive(Default)]
pub struct State {
    pub is_invalid: bool,
    /// The nodes that what comes next in each stream comes after, by the stream's number.
    pub ends: HashMap<u64, Vec<Handle>>,
    /// What callers were told of: it stays where it is until the next call.
    pub told: HashMap<u64, Box<[Handle]>>,
    members: Vec<Arc<Part>>,
}

/// The captures that go on.
static ACTIVE: Mutex<Vec<Arc<Capture>>> = Mutex::new(Vec::new());
/// How many there are, so that calls need no lock where there is none.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// One of those that go on.
fn active(is_it: impl Fn(&Capture) -> bool) -> Option<Arc<Capture>> {
    if COUNT.load(Ordering::Acquire) == 0 {
        return None;
    }
    lock(&ACTIVE).iter().find(|capture| is_it(capture)).cloned()
}

thread_local! {
    /// What this thread lets calls do that may be unsafe.
    static INTERACTION: Cell<Mode> = const { Cell::new(Mode::Global) };
}

/// Says which calls this thread lets through while others capture, and gives back what it said before.
pub fn exchange_interaction(mode: Mode) -> Mode {
    INTERACTION.replace(mode)
}

impl Capture {
    /// Begins one in a stream of a context, both by their numbers.
    pub fn begin(
        of_stream: &Arc<Part>,
        (context, origin): (usize, u64),
        mode: Mode,
        make_graph: impl FnOnce() -> Handle,
    ) -> Result<(), Error> {
        let mut part = lock(of_stream);
        if part.is_some() {
            return Err(Error::ILLEGAL_STATE);
        }
        let ends = HashMap::from([(origin, Vec::new())]);
        let state = State { ends, members: vec![Arc::clone(of_stream)], ..State::default() };
        let thread = thread::current().id();
        let (id, graph) = (ids::next(), make_graph());
        let capture = Arc::new(Self { id, graph, context, origin, mode, thread, state: Mutex::new(state) });
        let mut active = lock(&ACTIVE);
        active.push(Arc::clone(&capture));
        COUNT.store(active.len(), Ordering::Release);
        *part = Some(capture);
        Ok(())
    }

    /// Ends it in all streams, unless the call comes from a wrong place.
    pub fn end(self: &Arc<Self>, stream: u64) -> Result<(), Error> {
        if self.origin != stream {
            return Err(Error::STREAM_CAPTURE_UNMATCHED);
        }
        if self.mode != Mode::Relaxed && self.thread != thread::current().id() {
            return Err(Error::STREAM_CAPTURE_WRONG_THREAD);
        }
        let mut active = lock(&ACTIVE);
        active.retain(|active| !Arc::ptr_eq(active, self));
        COUNT.store(active.len(), Ordering::Release);
        drop(active);
        let members = std::mem::take(&mut self.state().members);
        members.iter().for_each(|member| drop(lock(member).take()));
        Ok(())
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Ends it for a call that can't be captured.
    pub fn refuse(&self, error: Error) -> Error {
        self.state().is_invalid = true;
        error
    }

    pub fn valid(&self) -> Result<MutexGuard<'_, State>, Error> {
        let state = self.state();
        if state.is_invalid { Err(Error::STREAM_CAPTURE_INVALIDATED) } else { Ok(state) }
    }

    /// What the next node of a stream will come after.
    pub fn ends_of(&self, stream: u64) -> Result<Vec<Handle>, Error> {
        Ok(self.valid()?.ends.get(&stream).cloned().unwrap_or_default())
    }

    /// For a stream that waits for an event of the capture: it takes part from then on.
    pub(crate) fn join(
        self: &Arc<Self>,
        part: &Arc<Part>,
        stream: u64,
        after: &[Handle],
    ) -> Result<(), Error> {
        let mut of_stream = lock(part);
        if let Some(other) = of_stream.as_ref().filter(|other| !Arc::ptr_eq(other, self)) {
            return Err(other.refuse(self.refuse(Error::STREAM_CAPTURE_MERGE)));
        }
        let mut state = self.valid()?;
        let ends = state.ends.entry(stream).or_default();
        for node in after {
            if !ends.contains(node) {
                ends.push(*node);
            }
        }
        if of_stream.is_none() {
            state.members.push(Arc::clone(part));
            *of_stream = Some(Arc::clone(self));
        }
        Ok(())
    }
}

/// Refuses what a capture that goes on in a context forbids.
fn refuse_in(context: usize, error: Error) -> Result<(), Error> {
    let of_context = active(|capture| capture.context == context);
    of_context.map_or(Ok(()), |capture| Err(capture.refuse(error)))
}

/// For a use of the default stream, which would wait for streams that are captured.
pub fn refuse_default(context: usize) -> Result<(), Error> {
    refuse_in(context, Error::STREAM_CAPTURE_IMPLICIT)
}

/// For a wait for all of a context's streams.
pub fn refuse_waiting(context: usize) -> Result<(), Error> {
    refuse_in(context, Error::STREAM_CAPTURE_UNSUPPORTED)
}

/// For a call that may wait for more than a stream, as one that allocates memory.
pub fn refuse_unsafe() -> Result<(), Error> {
    let interaction = INTERACTION.get();
    if interaction == Mode::Relaxed {
        return Ok(());
    }
    let own = thread::current().id();
    let is_in_the_way = |capture: &Capture| match capture.mode {
        Mode::Relaxed => false,
        Mode::OfThread => capture.thread == own,
        Mode::Global => capture.thread == own || interaction == Mode::Global,
    };
    active(is_in_the_way).map_or(Ok(()), |capture| Err(capture.refuse(Error::STREAM_CAPTURE_UNSUPPORTED)))
}
