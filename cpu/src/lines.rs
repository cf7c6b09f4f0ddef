use std::cell::RefCell;
use std::mem::replace;

use gridwright_core::{Argument, write_line};

/// What kernel threads printed on an OS thread, in order.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The lines, without their ends.
    pub(crate) lines: Vec<String>,
    /// The number of other lines, for which there was no room.
    pub(crate) dropped: u64,
    /// The bytes that further lines may take.
    room: usize,
}

thread_local! {
    static LINES: RefCell<Lines> = const { RefCell::new(Lines { lines: Vec::new(), dropped: 0, room: 0 }) };
}

impl Lines {
    /// No lines, with room for so many bytes.
    pub(crate) fn with_room(room: usize) -> Self {
        Self { room, ..Self::default() }
    }

    /// The bytes of room that a line takes.
    pub(crate) fn bytes(line: &str) -> usize {
        line.len() + size_of::<String>()
    }

    /// Lets kernel threads on this OS thread print here, and returns what they printed before.
    pub(crate) fn exchange(self) -> Self {
        LINES.with_borrow_mut(|lines| replace(lines, self))
    }

    fn push(&mut self, format: &str, arguments: &[Argument<'_>]) {
        let mut line = String::new();
        // Writing to a string doesn't fail.
        let is_written = write_line(&mut line, format, arguments).is_ok();
        match self.room.checked_sub(Self::bytes(&line)) {
            Some(room) if is_written => {
                self.room = room;
                self.lines.push(line);
            }
            _ => {
                self.room = 0;
                self.dropped += 1;
            }
        }
    }
}

/// Where the lines of a launch go.
pub trait Printer: Sync {
    /// The room for lines, in bytes.
    fn room(&self) -> usize;

    /// Takes lines, each with the bytes that it takes of the room, and the number of others that were dropped.
    fn add(&self, lines: Vec<(usize, String)>, dropped: u64);
}

/// Keeps a line of this OS thread's for the host, if there is room.
///
/// ```
/// // Nobody asked for lines on this thread: it is counted, and dropped.
/// gridwright_cpu::print("a line", &[]);
/// ```
#[cold]
#[inline(never)]
pub fn print(format: &str, arguments: &[Argument<'_>]) {
    LINES.with_borrow_mut(|lines| lines.push(format, arguments));
}
