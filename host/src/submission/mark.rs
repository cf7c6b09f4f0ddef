use std::time::Instant;

/// A point in a stream's work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    /// A point that was reached when it was marked.
    Reached(Instant),
    /// A driver's event.
    #[cfg(any(feature = "cuda", feature = "hip"))]
    Event(usize),
}
