//! What of a queue changes, behind one lock: the lines of its streams, who uses which memory, and what is to be freed.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::time::Instant;

use crate::backend::immediate::Immediate;
use crate::backend::uses::Uses;
use crate::submission::{Access, Kind, MemoryId, StreamId, Ticket};

/// Work in its own time, on the device that does it at once.
pub(super) type Job<E> = Box<dyn FnOnce(&Immediate<E>) + Send>;

/// A piece of a stream's work.
pub(super) struct Entry<E> {
    /// The pieces of other streams' work that it comes after.
    pub(super) after: Vec<Ticket>,
    pub(super) job: Job<E>,
}

/// A stream's work, one piece after another.
pub(super) struct Line<E> {
    entries: VecDeque<Entry<E>>,
    submitted: u64,
    done: u64,
    /// Whether a thread runs a piece of it.
    is_taken: bool,
    /// Whether a thread is on its way to the line, or goes on with it.
    is_called: bool,
}

impl<E> Default for Line<E> {
    fn default() -> Self {
        Self { entries: VecDeque::new(), submitted: 0, done: 0, is_taken: false, is_called: false }
    }
}

pub(super) struct State<E> {
    /// All streams that were ever opened. A ticket's number is for ever, and a stream that was closed is opened again.
    lines: Vec<Line<E>>,
    closed: Vec<StreamId>,
    /// The uses of memory that may not be done.
    uses: HashMap<MemoryId, Uses>,
    /// When pieces of work that are marks were done.
    marks: HashMap<Ticket, Option<Instant>>,
    /// What gives memory back, and the pieces of work that it comes after.
    dropped: Vec<(Vec<Ticket>, Job<E>)>,
    /// Threads that wait for something to be done.
    pub(super) waiting: usize,
}

impl<E> Default for State<E> {
    fn default() -> Self {
        let (lines, closed, dropped) = (Vec::new(), Vec::new(), Vec::new());
        Self { lines, closed, uses: HashMap::new(), marks: HashMap::new(), dropped, waiting: 0 }
    }
}

impl<E> State<E> {
    pub(super) fn open(&mut self) -> StreamId {
        let free = self.closed.iter().position(|&stream| self.is_idle(stream));
        free.map(|place| self.closed.swap_remove(place)).unwrap_or_else(|| {
            self.lines.push(Line::default());
            StreamId(self.lines.len() as u32 - 1)
        })
    }

    pub(super) fn close(&mut self, stream: StreamId) {
        self.closed.push(stream);
    }

    /// A stream's line. Streams are those that `open` gave.
    fn line(&mut self, stream: u32) -> &mut Line<E> {
        &mut self.lines[stream as usize]
    }

    pub(super) fn is_done(&self, ticket: Ticket) -> bool {
        self.lines[ticket.stream as usize].done >= ticket.number
    }

    pub(super) fn is_idle(&self, stream: StreamId) -> bool {
        self.is_done(self.last(stream))
    }

    /// The last piece of a stream's work.
    pub(super) fn last(&self, stream: StreamId) -> Ticket {
        Ticket { stream: stream.0, number: self.lines[stream.0 as usize].submitted }
    }

    /// What isn't done of the uses of memory that come before one of this kind.
    pub(super) fn before(&self, access: Access) -> impl Iterator<Item = Ticket> {
        let uses = self.uses.get(&access.memory).into_iter();
        uses.flat_map(move |uses| uses.before_any(access.kind)).filter(|&ticket| !self.is_done(ticket))
    }

    /// What isn't done of all uses before these.
    pub(super) fn before_all(&self, accesses: &[Access]) -> Vec<Ticket> {
        accesses.iter().flat_map(|&access| self.before(access)).collect()
    }

    /// Adds a piece of work. Whether somebody has to be called for it.
    pub(super) fn push(&mut self, stream: StreamId, accesses: &[Access], entry: Entry<E>) -> (Ticket, bool) {
        let Entry { mut after, job } = entry;
        after.extend(self.before_all(accesses).into_iter().filter(|ticket| ticket.stream != stream.0));
        let line = self.line(stream.0);
        line.submitted += 1;
        let ticket = Ticket { stream: stream.0, number: line.submitted };
        line.entries.push_back(Entry { after, job });
        for access in accesses {
            self.uses.entry(access.memory).or_default().add(access.kind, ticket);
        }
        (ticket, self.calls(stream.0))
    }

    /// The pieces of a stream's work that nobody has begun.
    pub(super) fn waiting_in(&self, stream: StreamId) -> usize {
        self.lines[stream.0 as usize].entries.len()
    }

    /// Whether somebody has to be called for a line, who is then on the way.
    pub(super) fn calls(&mut self, stream: u32) -> bool {
        let line = self.line(stream);
        let is_left_alone = !line.entries.is_empty() && !line.is_taken && !line.is_called;
        line.is_called |= is_left_alone;
        is_left_alone
    }

    /// Says that who was called for a line goes on with something else.
    pub(super) fn leave(&mut self, stream: u32) {
        self.line(stream).is_called = false;
    }

    /// The next piece of a line's work, which is the caller's to run, unless another thread runs one.
    pub(super) fn take(&mut self, stream: u32) -> Option<Entry<E>> {
        let line = self.line(stream);
        let entry = if line.is_taken { None } else { line.entries.pop_front() };
        line.is_taken |= entry.is_some();
        entry
    }

    /// Notes that the piece that was taken is done, and gives what can be given back now.
    pub(super) fn finish(&mut self, stream: u32) -> Vec<Job<E>> {
        let line = self.line(stream);
        line.is_taken = false;
        line.done += 1;
        let ticket = Ticket { stream, number: line.done };
        if let Some(reached) = self.marks.get_mut(&ticket) {
            *reached = Some(Instant::now());
        }
        let dropped = std::mem::take(&mut self.dropped);
        let (freeable, kept) =
            dropped.into_iter().partition(|(uses, _)| uses.iter().all(|&ticket| self.is_done(ticket)));
        self.dropped = kept;
        freeable.into_iter().map(|(_, job)| job).collect()
    }

    /// Forgets the uses of memory: all are done, or it is another's next.
    pub(super) fn forget_uses(&mut self) {
        self.uses.clear();
    }

    /// Takes the uses of memory that nobody has any more, those that aren't done.
    pub(super) fn remove_uses(&mut self, memory: MemoryId) -> Vec<Ticket> {
        let uses = self.before_all(&[Access { memory, kind: Kind::Write }]);
        self.uses.remove(&memory);
        uses
    }

    /// Has something done behind pieces of work, at once if they are done.
    pub(super) fn give_back(&mut self, behind: Vec<Ticket>, job: Job<E>) -> Option<Job<E>> {
        if behind.iter().all(|&ticket| self.is_done(ticket)) {
            return Some(job);
        }
        self.dropped.push((behind, job));
        None
    }

    /// Keeps the time at which a piece of work will be done.
    pub(super) fn mark(&mut self, ticket: Ticket) {
        self.marks.insert(ticket, None);
    }

    pub(super) fn forget(&mut self, ticket: Ticket) {
        self.marks.remove(&ticket);
    }

    pub(super) fn reached(&self, ticket: Ticket) -> Option<Instant> {
        self.marks.get(&ticket).copied().flatten()
    }
}

impl<E> fmt::Debug for State<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("streams", &self.lines.len()).finish_non_exhaustive()
    }
}
