//! Streams: how far each one is, and how one waits for another.

use std::sync::Arc;

use super::event::Event;
use super::handles::{EventHandle, StreamHandle};
use super::sharing::Sharing;
use super::{Api, Status};
use crate::Priority;
use crate::submission::Ticket;

/// The marks that a stream keeps. The oldest is used again: a use without one waits for a later one.
const MARKS: usize = 16;

/// The flag of streams that don't wait for the default stream, for all drivers.
const NON_BLOCKING: u32 = 1;

/// The names of kernels that a stream keeps, for the error if one of them ends the device.
const KERNELS: usize = 8;

/// A stream of the driver.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) raw: StreamHandle,
    pub(super) priority: Priority,
    /// The number of the last piece of work.
    pub(super) submitted: u64,
    /// The number of the last piece of work that is known to be done.
    pub(super) done: u64,
    marks: Vec<Mark>,
    oldest_mark: usize,
    /// The last piece of each other stream's work that this one waits for.
    waits_for: Vec<u64>,
    kernels: [Option<(u64, Kernels)>; KERNELS],
    next_kernel: usize,
    /// The stream of another device, by its address, that this one only follows.
    pub(super) follows: Option<usize>,
    pub(super) sharing: Sharing,
}

/// The kernels of a piece of work.
#[derive(Clone, Debug)]
enum Kernels {
    One(&'static str),
    OfGraph(Arc<[&'static str]>),
}

impl Kernels {
    fn names(&self) -> &[&'static str] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::OfGraph(names) => names,
        }
    }
}

/// An event behind a piece of work.
#[derive(Clone, Copy, Debug)]
struct Mark {
    number: u64,
    event: Event,
}

// SAFETY: a stream may be used by any thread that has its context current.
unsafe impl Send for Stream {}

impl Stream {
    /// Makes a stream. The context is current, and its device has the priority.
    pub(super) fn create(api: &Api, priority: Priority) -> Result<Self, Status> {
        let mut raw = std::ptr::null_mut();
        // The driver's less is our more.
        let number = priority.steps().saturating_neg();
        // SAFETY: a stream to write.
        match unsafe { (api.create_stream.call)(&raw mut raw, NON_BLOCKING, number) } {
            Status::SUCCESS => Ok(Self::new(raw, priority, Sharing::None)),
            status => Err(status),
        }
    }

    pub(super) fn new(raw: StreamHandle, priority: Priority, sharing: Sharing) -> Self {
        Self {
            raw,
            priority,
            submitted: 0,
            done: 0,
            marks: Vec::new(),
            oldest_mark: 0,
            waits_for: Vec::new(),
            kernels: [const { None }; KERNELS],
            next_kernel: 0,
            follows: None,
            sharing,
        }
    }

    /// Has the place of a stream that was taken back, and whose work is done, stand for another.
    #[cfg(feature = "cudarc")]
    pub(super) fn replace(&mut self, raw: StreamHandle, sharing: Sharing) {
        (self.raw, self.priority, self.sharing) = (raw, Priority::NORMAL, sharing);
        // It was the other that was told to wait, perhaps with no work behind that.
        self.waits_for.clear();
    }

    /// Counts a piece of work that was given to the driver.
    #[inline]
    pub(super) fn submit(&mut self, kernel: Option<&'static str>) -> u64 {
        self.submitted += 1;
        if let Some(name) = kernel {
            self.remember(Kernels::One(name));
        }
        self.submitted
    }

    /// Counts a graph that was given to the driver.
    pub(super) fn submit_graph(&mut self, kernels: Arc<[&'static str]>) -> u64 {
        self.submitted += 1;
        if !kernels.is_empty() {
            self.remember(Kernels::OfGraph(kernels));
        }
        self.submitted
    }

    #[inline]
    fn remember(&mut self, kernels: Kernels) {
        if let Some(place) = self.kernels.get_mut(self.next_kernel) {
            *place = Some((self.submitted, kernels));
            self.next_kernel = (self.next_kernel + 1) % KERNELS;
        }
    }

    /// Remembers that work up to a number is done.
    pub(super) fn finish(&mut self, number: u64) {
        self.done = self.done.max(number);
    }

    /// The kernels that may be running or waiting.
    pub(super) fn unfinished_kernels(&self) -> impl Iterator<Item = &'static str> {
        let unfinished = self.kernels.iter().flatten().filter(|(number, _)| *number > self.done);
        unfinished.flat_map(|(_, kernels)| kernels.names().iter().copied())
    }

    /// Marks the end of what was submitted so far.
    ///
    /// The context is current.
    pub(super) fn mark(&mut self, api: &Api) -> Result<Event, Status> {
        let place = if self.marks.len() < MARKS {
            let event = Event::untimed(api)?;
            self.marks.push(Mark { number: 0, event });
            self.marks.len() - 1
        } else {
            self.oldest_mark = (self.oldest_mark + 1) % MARKS;
            (self.oldest_mark + MARKS - 1) % MARKS
        };
        let mark = &mut self.marks[place];
        // Until it is recorded, nobody may find work behind it.
        mark.number = 0;
        // SAFETY: both are of this context. Streams that wait for what the event marked before go on waiting for that.
        match unsafe { (api.record_event.call)(mark.event.0, self.raw) } {
            Status::SUCCESS => mark.number = self.submitted,
            status => return Err(status),
        }
        Ok(mark.event)
    }

    /// An event behind a piece of work, which need not be directly behind it, and the last piece that it is behind.
    ///
    /// The context is current.
    pub(super) fn event_behind(&mut self, api: &Api, number: u64) -> Result<(EventHandle, u64), Status> {
        let behind = self.marks.iter().filter(|mark| mark.number >= number && mark.number != 0);
        if let Some(mark) = behind.min_by_key(|mark| mark.number) {
            return Ok((mark.event.0, mark.number));
        }
        Ok((self.mark(api)?.0, self.submitted))
    }

    /// Whether the stream waits for a piece of another's work already.
    pub(super) fn waits_for(&self, ticket: Ticket) -> bool {
        self.waits_for.get(ticket.stream as usize).is_some_and(|&number| number >= ticket.number)
    }

    /// Remembers that the stream waits for another's work up to a number.
    pub(super) fn will_wait_for(&mut self, stream: u32, number: u64) {
        let stream = stream as usize;
        if self.waits_for.len() <= stream {
            self.waits_for.resize(stream + 1, 0);
        }
        self.waits_for[stream] = number;
    }

    /// Destroys the stream: whether it is lent, and stays.
    /// Nobody submits anything any more, but for who has a stream that is lent.
    pub(super) fn destroy(self, api: &Api) -> bool {
        for mark in self.marks {
            mark.event.destroy(api);
        }
        let (is_ours, is_lent) = self.sharing.end();
        if is_ours && !is_lent {
            // There is nobody to tell.
            // SAFETY: made above, and the last use.
            let _ = unsafe { (api.destroy_stream.call)(self.raw) };
        }
        is_lent
    }
}
