//! Bulk copies: the source is read at once, and the target is written when the barrier that counts the copy is tested, the second
//! time. Until then the target's bytes count as never written, so that who reads them too early is found.

use super::core::{Core, Fault};
use super::lanes::Lanes;
use super::memory::{Done, Use};
use super::transfer::{load_row, store_element};
use super::{WARP, lanes_of, peer};
use crate::instruction::{BulkCopy, Memory};
use crate::report::FindingKind;

/// Bytes that addresses are aligned to, and that sizes are multiples of.
const PIECE: u32 = 16;
/// Bytes of a word of `InFlight`.
const WORD: u64 = 8;

/// The copies of a group that haven't come.
#[derive(Debug, Default)]
pub(crate) struct BulkCopies {
    in_flight: Vec<InFlight>,
}

#[derive(Debug)]
struct InFlight {
    barrier: u64,
    target: u64,
    words: Vec<u64>,
    /// Place in the program where the copy was begun, and by whom.
    position: u32,
    thread: u32,
}

impl BulkCopies {
    pub(super) fn clear(&mut self) {
        self.in_flight.clear();
    }

    /// Reports copies that haven't come when the group ends: what still comes is written to memory that may
    /// be another's.
    pub(super) fn report(&self, core: &Core, group: [u32; 3]) {
        for copy in &self.in_flight {
            let bytes = copy.words.len() as u64 * WORD;
            core.report(FindingKind::CopyOutlivesGroup { bytes }, copy.position, group, copy.thread);
        }
    }
}

impl Lanes<'_> {
    pub(super) fn begin_bulk_copy(&mut self, copy: &BulkCopy, mask: u32) -> Done {
        let (targets, sources) = (self.addresses(&copy.target), self.addresses(&copy.source));
        let mut barriers = self.addresses(&copy.barrier);
        let counted = Use {
            bytes: WORD as u32,
            is_read: true,
            is_write: true,
            is_atomic: true,
            cache: copy.barrier.cache,
        };
        self.resolve(Memory::Shared, mask, &mut barriers, counted)?;
        let bytes = *self.narrow(copy.bytes);
        for lane in lanes_of(mask) {
            let (target, source, bytes) = (targets[lane], sources[lane], bytes[lane]);
            let failed = |address, problem| Fault::new(lane, FindingKind::Mbarrier { address, problem });
            if bytes % PIECE != 0 {
                return Err(failed(target, "a bulk copy of bytes that aren't a multiple of 16"));
            }
            if peer(target).0.is_some() {
                return Err(failed(target, "a bulk copy to another group, which isn't emulated"));
            }
            self.announce(copy, lane, target, bytes)?;
            let words = self.read_pieces(copy, lane, source, bytes)?;
            self.count_copy(barriers[lane]).map_err(|problem| failed(barriers[lane], problem))?;
            self.group.bulk_copies.in_flight.push(InFlight {
                barrier: barriers[lane],
                target,
                words,
                position: self.position,
                thread: self.thread(lane),
            });
        }
        Ok(())
    }

    /// Checks what will be written: by the thread that begins, and from now on.
    fn announce(&mut self, copy: &BulkCopy, lane: usize, target: u64, bytes: u32) -> Done {
        for byte in (0..bytes).step_by(PIECE as usize) {
            let at = target.wrapping_add(byte.into());
            let used = Use {
                bytes: PIECE,
                is_read: false,
                is_write: true,
                is_atomic: false,
                cache: copy.target.cache,
            };
            self.resolve(Memory::Shared, 1 << lane, &mut [at; WARP], used)?;
            self.group.shared.mark(at, 0xffff << (at % 64), false);
        }
        Ok(())
    }

    fn read_pieces(&mut self, copy: &BulkCopy, lane: usize, source: u64, bytes: u32) -> Done<Vec<u64>> {
        let mut words = Vec::with_capacity(bytes as usize / WORD as usize);
        for byte in (0..bytes).step_by(PIECE as usize) {
            let used = Use {
                bytes: PIECE,
                is_read: true,
                is_write: false,
                is_atomic: false,
                cache: copy.source.cache,
            };
            let mut addresses = [source.wrapping_add(byte.into()); WARP];
            let pointers = self.resolve(Memory::Global, 1 << lane, &mut addresses, used)?;
            for word in 0..u64::from(PIECE) / WORD {
                // SAFETY: `resolve` gave pointers to 16 bytes, as aligned as that, also for lanes outside of the mask.
                words.push(unsafe { load_row(&pointers, (word * WORD) as usize, WORD as u32) }[lane]);
            }
        }
        Ok(words)
    }

    /// Lets the copies come that a barrier counts. Gives their bytes.
    pub(super) fn land_copies(&mut self, barrier: u64) -> i64 {
        let copies = &mut self.group.bulk_copies.in_flight;
        let (landed, rest): (Vec<InFlight>, Vec<InFlight>) =
            std::mem::take(copies).into_iter().partition(|copy| copy.barrier == barrier);
        *copies = rest;
        let mut bytes = 0;
        for copy in landed {
            for (index, &word) in (0_u64..).zip(&copy.words) {
                let at = copy.target + index * WORD;
                // SAFETY: the target was checked when the copy was begun, and is the group's memory as long as that is.
                unsafe {
                    store_element(self.group.shared.pointer().add(at as usize), WORD as u32, word);
                }
                self.group.shared.mark(at, 0xff << (at % 64), true);
                bytes += WORD as i64;
            }
        }
        bytes
    }
}
