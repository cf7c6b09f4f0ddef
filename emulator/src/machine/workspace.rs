//! The memory of a group.

use std::cell::Cell;

use super::WARP;
use super::memory_use::Use;

/// A group's memory, which others of its cluster reach, too.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The memory's bytes, sixteen each for the alignment.
    bytes: Box<[Cell<u128>]>,
    /// Marks of the bytes that were written, one bit a byte; none where nobody asks.
    written: Box<[Cell<u64>]>,
}

impl Workspace {
    pub(crate) fn new(bytes: usize, keeps_written: bool) -> Self {
        let words = if keeps_written { bytes.div_ceil(64) } else { 0 };
        Self {
            bytes: vec![Cell::default(); bytes.div_ceil(16)].into(),
            written: vec![Cell::default(); words].into(),
        }
    }

    pub(crate) fn clear(&self) {
        self.bytes.iter().for_each(|word| word.set(0));
        self.written.iter().for_each(|word| word.set(0));
    }

    /// Pointer to the first byte. What is behind it lives as long as this.
    pub(crate) fn pointer(&self) -> *mut u8 {
        self.bytes.as_ptr().cast_mut().cast()
    }

    /// Takes in an access. Gives the bytes of it that weren't written before, a bit each.
    pub(crate) fn take_in(&self, address: u64, used: Use) -> u64 {
        let mut unwritten = 0;
        for byte in (0..used.bytes.min(64)).step_by(8) {
            let at = address + u64::from(byte);
            let bits = u64::MAX >> (64 - (used.bytes - byte).min(8));
            let word = self.written.get((at / 64) as usize).map_or(u64::MAX, Cell::get);
            unwritten |= (!(word >> (at % 64)) & bits) << byte;
            if used.is_write {
                self.mark(at, bits << (at % 64), true);
            }
        }
        unwritten
    }

    /// Whether the bytes at all addresses were written: up to eight of each, as aligned.
    pub(crate) fn are_written(&self, addresses: &[u64; WARP], bytes: u32) -> bool {
        let bits = u64::MAX >> (64 - bytes.clamp(1, 8));
        let written = &*self.written;
        addresses.iter().fold(0, |missing, address| {
            let word = written.get((address / 64) as usize).map_or(u64::MAX, Cell::get);
            missing | (!(word >> (address % 64)) & bits)
        }) == 0
    }

    pub(crate) fn mark(&self, address: u64, bits: u64, written: bool) {
        if let Some(word) = self.written.get((address / 64) as usize) {
            word.set(if written { word.get() | bits } else { word.get() & !bits });
        }
    }
}
