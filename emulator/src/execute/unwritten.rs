//! Bytes that nothing wrote, as they are copied: a finding comes only where their value matters.
//!
//! A struct has padding, which nobody writes and a wide load reads. A load of such bytes gives registers other values in other sets
//! (`alternatives`), in a pattern that tells copies of the bytes from what is computed of them. A store of copies makes its target's
//! bytes count as never written; what is computed of them is followed as the result of a division by zero is (`uses`).
//! A store to device memory in which all bytes of a thread are copies is a use: the host may read them, and padding is beside something.

use super::alternatives::VARIANTS;
use super::state::ActiveLanes;
use crate::instruction::{Access, Memory};
use crate::machine::{Cause, Origin, SHARED_WINDOW, Slot, UnwrittenRead, Use, peer, window};
use crate::report::{FindingKind, Space};

/// What each byte that nothing wrote differs by, in the sets of each variant.
const PATTERNS: [u8; VARIANTS as usize] = [0xff, 0x5b];

/// Whether a byte is a copy of one that nothing wrote, by what it is in other sets.
pub(super) fn is_copy(own: u8, others: &[(Origin, u8)]) -> bool {
    let differs = |(origin, value): &(Origin, u8)| {
        origin.cause == Cause::Unwritten
            && PATTERNS.get(usize::from(origin.variant)).is_some_and(|pattern| own ^ value == *pattern)
    };
    match others {
        [first, second] => {
            first.0.is_of_one(second.0)
                && first.0.variant != second.0.variant
                && differs(first)
                && differs(second)
        }
        _ => false,
    }
}

/// A value of a register whose low bytes are so many bytes of memory.
pub(super) fn extended(access: &Access, value: u64) -> u64 {
    let shift = 64 - 8 * access.size.clamp(1, 8);
    if access.signed { ((value << shift) as i64 >> shift) as u64 } else { value << shift >> shift }
}

impl ActiveLanes<'_> {
    /// Takes in that an access reads bytes that nothing wrote.
    #[cold]
    pub(super) fn reads_unwritten(&mut self, lane: usize, space: Space, address: u64, bytes: u64, used: Use) {
        if used.hands_on {
            let position = self.position;
            self.core.unwritten.push(UnwrittenRead { position, lane, space, address, used, bytes });
        } else {
            self.report(FindingKind::Uninitialised(self.describe(space, address, used)), lane);
        }
    }

    /// Gives what a load read that nothing wrote other values in other sets.
    #[cold]
    pub(super) fn hand_on(&mut self, access: &Access) {
        for read in std::mem::take(&mut self.core.unwritten) {
            for (variant, pattern) in (0..).zip(PATTERNS) {
                let origin = Origin { cause: Cause::Unwritten, position: self.position, variant };
                let index = self.alternative(origin);
                // Sets are shared where there are many of them.
                let origin = self.alternatives[index].origin;
                let thread = self.thread(read.lane);
                self.group.unwritten_reads.insert((origin.position, thread), read);
                for (&(slot, bits), element) in access.values.iter().zip(0_u32..) {
                    let unwritten = read.bytes >> (element * access.size);
                    let flips = (0..access.size)
                        .filter(|byte| unwritten >> byte & 1 == 1)
                        .fold(0, |flips, byte| flips | u64::from(pattern) << (8 * byte));
                    if flips != 0 {
                        let own = self.value(slot, bits)[read.lane];
                        self.set_in(origin, slot, bits, read.lane, extended(access, own ^ flips));
                    }
                }
            }
        }
    }

    /// Makes sure that what was computed isn't taken for a copy, as the sum of an unknown byte and zero is.
    pub(super) fn are_no_copies(&mut self, slot: Slot, wide: bool, mask: u32) {
        let bits = if wide { 64 } else { 32 };
        let own = self.value(slot, bits);
        self.with_each(|lanes, origin| {
            let pattern =
                PATTERNS.get(usize::from(origin.variant)).filter(|_| origin.cause == Cause::Unwritten);
            let Some(&pattern) = pattern else { return };
            let mut others = lanes.value(slot, bits);
            for (other, own) in others.iter_mut().zip(own) {
                let difference = (*other ^ own).to_le_bytes();
                let other_one = difference.map(|byte| if byte == pattern { !PATTERNS[1] } else { byte });
                *other = own ^ u64::from_le_bytes(other_one);
            }
            if wide {
                lanes.write_wide(slot, mask, &others);
            } else {
                lanes.write_narrow(slot, mask, &others.map(|value| value as u32));
            }
        });
    }

    /// Reports what an unknown value comes from that a lane uses.
    pub(super) fn report_use(&self, origin: Origin, lane: usize) {
        let thread = self.thread(lane);
        let (kind, position) = match origin.cause {
            Cause::Division => (FindingKind::DivisionByZero, origin.position),
            Cause::Unwritten => {
                let reads = &self.group.unwritten_reads;
                // The value may be another thread's.
                let of_any = || reads.range((origin.position, 0)..=(origin.position, u32::MAX)).next();
                let own = reads.get(&(origin.position, thread));
                let Some(read) = own.or_else(|| of_any().map(|(_, read)| read)) else { return };
                let access = self.describe(read.space, read.address, read.used);
                (FindingKind::Uninitialised(access), read.position)
            }
        };
        self.core.report(kind, position, self.group.position, thread);
    }

    /// Whether the check is on that knows which bytes of a place were written.
    pub(super) fn knows_written(&self, memory: Memory, address: u64) -> bool {
        let checks = self.core.checks;
        match (memory, window(address)) {
            (Memory::Shared, _) | (Memory::Generic, 1) => checks.uninitialised_workgroup,
            (Memory::Local, _) | (Memory::Generic, 2 | 3) => false,
            _ => checks.uninitialised_device,
        }
    }

    /// Bytes that a lane has just stored count as never written: they are copies of such.
    #[cold]
    pub(super) fn unwrite(&mut self, memory: Memory, address: u64, bytes: u64) {
        let in_group = match (memory, window(address)) {
            (Memory::Shared, _) => Some(address),
            (Memory::Generic, 1) => Some(address - SHARED_WINDOW),
            _ => None,
        };
        let each = (0..64).filter(|byte| bytes >> byte & 1 == 1);
        if let Some(address) = in_group {
            let (rank, offset) = peer(address);
            let rank = rank.unwrap_or(self.group.rank.into());
            let other = self.core.peers.memory_of(rank);
            let memory = other.filter(|_| rank != u64::from(self.group.rank)).unwrap_or(&self.group.shared);
            each.for_each(|byte| memory.mark(offset + byte, 1 << ((offset + byte) % 64), false));
        } else if let Some(region) = self.core.table.find(address) {
            let offset = (address - region.start) as usize;
            each.for_each(|byte| region.backing.mark(offset + byte as usize, 1, false));
        }
    }
}
