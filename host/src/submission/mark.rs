use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::Ticket;

/// A point in a stream's work.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// A point that was reached when it was marked.
    Reached(Instant),
    /// A piece of a queue's work, and when it was done.
    Queued(Ticket, Arc<OnceLock<Instant>>),
    /// A driver's event.
    #[cfg(any(feature = "cuda", feature = "hip"))]
    Event(usize),
}
