//! What of a queue changes, behind one lock: the lines of its streams, who uses which memory, and what is to be freed.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use super::engine::Engine;
use super::immediate::Immediate;
use crate::Error;
use crate::backend::uses::Uses;
use crate::submission::{Access, KernelTask, Kind, MemoryId, StreamId, Ticket};

/// Work in its own time, on the device that does it at once.
#[allow(clippy::large_enum_variant, reason = "a launch is one allocation, its arguments")]
pub(super) enum Job<E> {
    /// A checked launch, whose memory others don't use before it is done.
    Launch(KernelTask),
    Other(Box<Work<E>>),
}

type Work<E> = dyn FnOnce(&Immediate<E>) -> Result<(), Error> + Send;

impl<E: Engine> Job<E> {
    pub(super) fn of(work: impl FnOnce(&Immediate<E>) -> Result<(), Error> + Send + 'static) -> Self {
        Self::Other(Box::new(work))
    }

    /// Work that can't fail.
    pub(super) fn done(work: impl FnOnce(&Immediate<E>) + Send + 'static) -> Self {
        Self::of(|now| {
            work(now);
            Ok(())
        })
    }

    pub(super) fn run(self, now: &Immediate<E>) -> Result<(), Error> {
        match self {
            Self::Launch(task) => {
                let kernel = now.kernel(&*task.loaded, "launch")?;
                // SAFETY: the launch was checked before it was submitted. Its memory lives until it is done, as `free` is behind it; earlier
                // uses are done, and later ones wait.
                unsafe { now.launch(kernel, &task.launch(&[])) }
            }
            Self::Other(work) => work(now),
        }
    }
}

/// A piece of a stream's work.
pub(super) struct Entry<E> {
    /// The pieces of other streams' work that it comes after.
    pub(super) after: Vec<Ticket>,
    pub(super) job: Job<E>,
}

/// A stream's work, one piece after another.
struct Line<E> {
    entries: VecDeque<Entry<E>>,
    submitted: u64,
    done: u64,
    /// Whether a thread runs a piece of it.
    is_taken: bool,
    /// Whether a thread is on its way to the line, or goes on with it.
    is_called: bool,
}

/// What gives memory back, and the pieces of work that it comes after.
struct Dropped<E> {
    behind: Vec<Ticket>,
    bytes: usize,
    job: Job<E>,
}

pub(super) struct State<E> {
    /// All streams that were ever opened. A ticket's number is for ever, and a stream that was closed is opened again.
    lines: Vec<Line<E>>,
    closed: Vec<StreamId>,
    /// The uses of memory that may not be done, and room for more.
    uses: HashMap<MemoryId, Uses>,
    spare: Vec<Uses>,
    /// What is given back behind work, by a piece of it that isn't done.
    dropped: HashMap<Ticket, Vec<Dropped<E>>>,
    /// Bytes of it.
    held: usize,
    /// Pieces of work that threads wait for.
    awaited: Vec<Ticket>,
}

impl<E> Default for State<E> {
    fn default() -> Self {
        let (lines, closed, spare, awaited) = Default::default();
        let (uses, dropped) = Default::default();
        Self { lines, closed, uses, spare, dropped, held: 0, awaited }
    }
}

impl<E> State<E> {
    pub(super) fn open(&mut self) -> StreamId {
        let free = self.closed.iter().position(|&stream| self.is_done(self.last(stream)));
        free.map(|place| self.closed.swap_remove(place)).unwrap_or_else(|| {
            let entries = VecDeque::new();
            self.lines.push(Line { entries, submitted: 0, done: 0, is_taken: false, is_called: false });
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

    /// The last piece of a stream's work.
    pub(super) fn last(&self, stream: StreamId) -> Ticket {
        Ticket { stream: stream.0, number: self.lines[stream.0 as usize].submitted }
    }

    /// What isn't done of the uses of memory that come before these.
    pub(super) fn before(&self, accesses: &[Access]) -> impl Iterator<Item = Ticket> {
        let uses = |access: &Access| Some((self.uses.get(&access.memory)?, access.kind));
        let before = accesses.iter().filter_map(uses).flat_map(|(uses, kind)| uses.before_any(kind));
        before.filter(|&ticket| !self.is_done(ticket))
    }

    /// Adds a piece of work, behind earlier uses of its memory.
    pub(super) fn push(&mut self, stream: StreamId, accesses: &[Access], entry: Entry<E>) -> Ticket {
        let Entry { mut after, job } = entry;
        after.extend(self.before(accesses).filter(|ticket| ticket.stream != stream.0));
        let line = self.line(stream.0);
        line.submitted += 1;
        line.entries.push_back(Entry { after, job });
        let ticket = self.last(stream);
        for access in accesses {
            let uses = self.uses.entry(access.memory);
            uses.or_insert_with(|| self.spare.pop().unwrap_or_default()).add(access.kind, ticket);
        }
        ticket
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
        let dropped = self.dropped.remove(&ticket).unwrap_or_default().into_iter();
        let again = |Dropped { behind, bytes, job }| {
            self.held -= bytes;
            self.give_back(behind, bytes, job)
        };
        dropped.filter_map(again).collect()
    }

    /// Whether somebody waited for something that is done now.
    pub(super) fn wakes(&mut self) -> bool {
        let (before, lines) = (self.awaited.len(), &self.lines);
        self.awaited.retain(|ticket| lines[ticket.stream as usize].done < ticket.number);
        self.awaited.len() != before
    }

    /// Notes that somebody waits for a piece of work.
    pub(super) fn awaits(&mut self, ticket: Ticket) {
        if !self.awaited.contains(&ticket) {
            self.awaited.push(ticket);
        }
    }

    /// Forgets the uses of memory: all are done.
    pub(super) fn forget_uses(&mut self) {
        self.spare.extend(self.uses.drain().map(|(_, mut uses)| {
            uses.clear();
            uses
        }));
    }

    /// Takes the uses of memory that nobody has any more, those that aren't done.
    pub(super) fn remove_uses(&mut self, memory: MemoryId) -> Vec<Ticket> {
        let uses = self.before(&[Access { memory, kind: Kind::Write }]).collect();
        self.uses.remove(&memory);
        uses
    }

    /// Pieces of work behind which more than so many bytes are given back; none of less.
    pub(super) fn holding(&self, most: usize) -> Vec<Ticket> {
        if self.held > most { self.dropped.keys().copied().collect() } else { Vec::new() }
    }

    /// Has so many bytes given back behind pieces of work, at once if they are done.
    pub(super) fn give_back(&mut self, behind: Vec<Ticket>, bytes: usize, job: Job<E>) -> Option<Job<E>> {
        let Some(&first) = behind.iter().find(|&&ticket| !self.is_done(ticket)) else { return Some(job) };
        self.held += bytes;
        self.dropped.entry(first).or_default().push(Dropped { behind, bytes, job });
        None
    }
}

impl<E> fmt::Debug for State<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("streams", &self.lines.len()).finish_non_exhaustive()
    }
}
