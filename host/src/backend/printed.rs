//! Lines that kernels printed, on their way to standard output or to who asked for them.

use std::collections::VecDeque;
use std::fmt;
use std::io::{Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{Error, environment};

/// The environment variable that says for how many bytes of lines there is room.
const VARIABLE: &str = "GRIDWRIGHT_PRINT_BYTES";
const DEFAULT: usize = 1 << 20;
const FEWEST: usize = 1 << 10;
const MOST: usize = 1 << 30;

type Reader = Arc<dyn Fn(&str) + Send + Sync>;

/// The lines of a device that nobody has read yet.
#[derive(Debug)]
pub(crate) struct Printed {
    /// The room for lines, in bytes.
    room: usize,
    /// Whether there is something to hand on: each call that waits asks, and few kernels print.
    is_any: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    lines: VecDeque<String>,
    /// Bytes that the lines take of the room, by the backend's count.
    bytes: usize,
    dropped: u64,
    /// Whether somebody is handing lines on: others leave it to them, so that lines stay in order.
    is_read: bool,
    reader: Option<Reader>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("lines", &self.lines.len()).field("dropped", &self.dropped).finish()
    }
}

impl Printed {
    /// # Errors
    /// [`Error::Environment`] for a `GRIDWRIGHT_PRINT_BYTES` that means nothing.
    pub(crate) fn new() -> Result<Self, Error> {
        let accept = |value: &str| value.parse().ok().filter(|bytes| (FEWEST..=MOST).contains(bytes));
        let room = environment::parse(VARIABLE, DEFAULT, accept, || {
            format!("a number of bytes from {FEWEST} to {MOST}")
        })?;
        Ok(Self { room, is_any: AtomicBool::new(false), state: Mutex::default() })
    }

    /// The room for lines, in bytes.
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// Has lines handed to `reader` from now on.
    pub(crate) fn read_by(&self, reader: Reader) {
        self.state().reader = Some(reader);
    }

    /// Keeps lines up to the room's end, each with the bytes that it takes of it, and counts the others.
    pub(crate) fn add(&self, lines: impl IntoIterator<Item = (usize, String)>, dropped: u64) {
        let mut state = self.state();
        state.dropped += dropped;
        for (bytes, line) in lines {
            match state.bytes.checked_add(bytes).filter(|&total| total <= self.room) {
                Some(total) => {
                    state.bytes = total;
                    state.lines.push_back(line);
                }
                None => state.dropped += 1,
            }
        }
        self.is_any.store(true, Ordering::Release);
    }

    /// Hands all lines on, and says how many were dropped.
    #[inline]
    pub(crate) fn hand_on(&self) {
        if self.is_any.load(Ordering::Acquire) {
            self.hand_on_all();
        }
    }

    #[cold]
    fn hand_on_all(&self) {
        let mut state = self.state();
        if state.is_read {
            return;
        }
        while let Some(line) = state.next(self.room) {
            let reader = state.reader.clone();
            state.is_read = true;
            let turn = Turn(self);
            drop(state);
            match reader {
                Some(reader) => reader(&line),
                // Nobody can be told that standard output is closed.
                None => drop(writeln!(stdout(), "{line}")),
            }
            drop(turn);
            state = self.state();
        }
        // Still locked: what is added from here on says so after this.
        self.is_any.store(false, Ordering::Relaxed);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The next line, the last of which tells of dropped ones.
    fn next(&mut self, room: usize) -> Option<String> {
        if let Some(line) = self.lines.pop_front() {
            return Some(line);
        }
        self.bytes = 0;
        let dropped = std::mem::take(&mut self.dropped);
        let plural = if dropped == 1 { " was" } else { "s were" };
        (dropped > 0).then(|| {
            format!(
                "gridwright: {dropped} printed line{plural} dropped, as there is room for {room} bytes; set {VARIABLE} to have \
                 more"
            )
        })
    }
}

/// Ends a turn of reading, also where the reader panics.
struct Turn<'p>(&'p Printed);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.state().is_read = false;
    }
}
