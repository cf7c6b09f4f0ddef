//! Who used a buffer last, on which stream: what a new use has to wait for.

use crate::submission::{Kind, Ticket};

/// Uses after two streams met at a buffer, each of which is marked by an event, so that the next stream waits
/// for that use and nothing behind it.
#[cfg(any(feature = "cuda", feature = "hip"))]
const MARKED_USES: u8 = 8;

/// The uses of one buffer that later ones may have to wait for: the last that wrote it, and those that read it since, one a
/// stream.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    writer: Option<Ticket>,
    readers: Vec<Ticket>,
    #[cfg(any(feature = "cuda", feature = "hip"))]
    marked: u8,
}

impl Uses {
    /// What a use of this kind on a stream waits for: to read, the last writes; to write, the reads too. A stream doesn't
    /// wait for itself.
    #[cfg(any(test, feature = "cuda", feature = "hip"))]
    pub(crate) fn before(&self, kind: Kind, stream: u32) -> impl Iterator<Item = Ticket> {
        self.before_any(kind).filter(move |earlier| earlier.stream != stream)
    }

    /// What a use that is on no stream waits for.
    pub(crate) fn before_any(&self, kind: Kind) -> impl Iterator<Item = Ticket> {
        let readers = if kind == Kind::Write { self.readers.as_slice() } else { &[] };
        self.writer.iter().chain(readers).copied()
    }

    /// Adds a use that waits for all before it.
    #[inline]
    pub(crate) fn add(&mut self, kind: Kind, ticket: Ticket) {
        match kind {
            Kind::Read => match self.readers.iter_mut().find(|reader| reader.stream == ticket.stream) {
                Some(reader) => *reader = ticket,
                None => self.readers.push(ticket),
            },
            Kind::Write => {
                self.readers.clear();
                self.writer = Some(ticket);
            }
        }
    }

    /// Says that streams met at the buffer.
    #[cfg(any(feature = "cuda", feature = "hip"))]
    pub(crate) fn met(&mut self) {
        self.marked = MARKED_USES;
    }

    /// Whether the use that is being added is to be marked.
    #[cfg(any(feature = "cuda", feature = "hip"))]
    #[inline]
    pub(crate) fn takes_mark(&mut self) -> bool {
        let marks = self.marked > 0;
        self.marked = self.marked.saturating_sub(1);
        marks
    }

    /// Every use, to free the buffer behind them.
    #[cfg(any(test, feature = "cuda", feature = "hip"))]
    pub(crate) fn all(&self) -> impl Iterator<Item = Ticket> {
        self.writer.iter().chain(&self.readers).copied()
    }

    /// Clears the uses, for another buffer. The room is kept.
    pub(crate) fn clear(&mut self) {
        let mut readers = std::mem::take(&mut self.readers);
        readers.clear();
        *self = Self { readers, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    #[cfg(any(feature = "cuda", feature = "hip"))]
    use super::MARKED_USES;
    use super::{Kind, Ticket, Uses};

    fn ticket(stream: u32, number: u64) -> Ticket {
        Ticket { stream, number }
    }

    fn before(uses: &Uses, kind: Kind, stream: u32) -> Vec<Ticket> {
        uses.before(kind, stream).collect()
    }

    #[test]
    fn readers_wait_for_the_writer_and_not_for_each_other() {
        let mut uses = Uses::default();
        assert!(before(&uses, Kind::Write, 0).is_empty());
        uses.add(Kind::Write, ticket(0, 1));
        assert_eq!(before(&uses, Kind::Read, 1), [ticket(0, 1)]);
        uses.add(Kind::Read, ticket(1, 1));
        assert_eq!(before(&uses, Kind::Read, 2), [ticket(0, 1)]);
        assert!(before(&uses, Kind::Read, 0).is_empty(), "a stream is in order by itself");
    }

    #[test]
    fn a_writer_waits_for_all_and_is_all_that_later_ones_wait_for() {
        let mut uses = Uses::default();
        uses.add(Kind::Write, ticket(0, 1));
        uses.add(Kind::Read, ticket(1, 1));
        uses.add(Kind::Read, ticket(2, 4));
        uses.add(Kind::Read, ticket(1, 7));
        assert_eq!(before(&uses, Kind::Write, 0), [ticket(1, 7), ticket(2, 4)]);
        assert_eq!(uses.all().count(), 3);
        uses.add(Kind::Write, ticket(0, 2));
        assert_eq!(before(&uses, Kind::Write, 1), [ticket(0, 2)]);
    }

    #[test]
    #[cfg(any(feature = "cuda", feature = "hip"))]
    fn marks_end_when_streams_no_longer_meet() {
        let mut uses = Uses::default();
        assert!(!uses.takes_mark());
        uses.met();
        assert!((0..MARKED_USES).all(|_| uses.takes_mark()));
        assert!(!uses.takes_mark());
    }
}
