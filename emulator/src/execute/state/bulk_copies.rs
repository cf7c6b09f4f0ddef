//! Bulk copies that haven't come.

use crate::instruction::AtomicKind;
use crate::machine::Workspace;
use crate::parse::syntax::Type;

/// Bytes that addresses are aligned to, and that sizes are multiples of.
pub(crate) const PIECE: u32 = 16;
/// Bytes of a word of `InFlight`.
pub(crate) const WORD: u64 = 8;

/// An element's type, and how it is combined with what was there.
pub(crate) type Combined = Option<(AtomicKind, Type)>;

/// The copies of a group that haven't come.
#[derive(Debug, Default)]
pub(crate) struct BulkCopies {
    pub(crate) in_flight: Vec<InFlight>,
}

/// A copy on its way.
#[derive(Debug, Clone)]
pub(crate) struct InFlight {
    pub(crate) barrier: u64,
    pub(crate) target: u64,
    pub(crate) words: Vec<u64>,
    pub(crate) combined: Combined,
    /// Place in the program where the copy was begun, and by whom.
    pub(crate) position: u32,
    pub(crate) thread: u32,
}

impl BulkCopies {
    pub(crate) fn clear(&mut self) {
        self.in_flight.clear();
    }
}

impl InFlight {
    /// From now on the bytes count as never written.
    pub(crate) fn announce(&self, memory: &Workspace) {
        let (target, end) = self.extent();
        for at in (target..end).step_by(PIECE as usize).filter(|_| self.combined.is_none()) {
            memory.mark(at, 0xffff << (at % 64), false);
        }
    }

    /// Where its bytes will be.
    pub(crate) fn extent(&self) -> (u64, u64) {
        (self.target, self.target.saturating_add(self.words.len() as u64 * WORD))
    }
}
