//! What registers and bytes of memory would hold if a division by zero, or bytes that nothing wrote, had given something else.

use std::collections::HashMap;

use super::registers::Registers;

/// What gives a value that nothing is known of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A division by zero.
    Division,
    /// A read of bytes that nothing wrote.
    Unwritten,
}

/// An operation whose result is unknown, and which of its other results it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) cause: Cause,
    /// The number of the operation, over the module.
    pub(crate) position: u32,
    pub(crate) variant: u8,
}

impl Origin {
    /// Whether both are of one operation.
    pub(crate) fn is_of_one(self, other: Self) -> bool {
        (self.cause, self.position) == (other.cause, other.position)
    }
}

/// What bytes would be, for those that would be others. Most often there are none.
#[derive(Debug, Default)]
pub(crate) struct AlternativeBytes {
    bytes: HashMap<u64, Vec<(Origin, u8)>>,
}

impl AlternativeBytes {
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(crate) fn get(&self, address: u64) -> &[(Origin, u8)] {
        self.bytes.get(&address).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn set(&mut self, address: u64, alternatives: Vec<(Origin, u8)>) {
        if alternatives.is_empty() {
            self.bytes.remove(&address);
        } else {
            self.bytes.insert(address, alternatives);
        }
    }

    /// Forgets bytes that are written with what is the same whatever the division gave.
    pub(crate) fn forget(&mut self, address: u64, count: u64) {
        if !self.bytes.is_empty() {
            (address..address.saturating_add(count)).for_each(|address| {
                self.bytes.remove(&address);
            });
        }
    }

    /// Copies what is known of some bytes to others. The ranges may overlap.
    pub(crate) fn copy(&mut self, from: u64, to: u64, count: u64) {
        if !self.bytes.is_empty() {
            let taken: Vec<_> = (0..count).map(|byte| self.get(from + byte).to_vec()).collect();
            for (byte, alternatives) in (0..).zip(taken) {
                self.set(to + byte, alternatives);
            }
        }
    }
}

/// One set of registers.
#[derive(Debug)]
pub(crate) struct Alternative {
    pub(crate) origin: Origin,
    pub(crate) registers: Registers,
}

/// All sets of a warp. There are none before it divides by zero.
pub(crate) type Alternatives = Vec<Alternative>;
