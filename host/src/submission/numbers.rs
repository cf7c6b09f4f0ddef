//! The numbers by which a backend knows what it made.

/// A stream, by its backend's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamId(pub(crate) u32);

impl StreamId {
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// A piece of a stream's work: the first has the number 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ticket {
    pub(crate) stream: u32,
    pub(crate) number: u64,
}

/// A graph, by its backend's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GraphId(pub(crate) u64);

/// Memory, by its backend's number. Of 64 bits: no two that live have one, however many there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MemoryId(pub(crate) u64);

impl MemoryId {
    /// The number of memory of no bytes, which nobody uses.
    pub(crate) const NONE: Self = Self(u64::MAX);
}
