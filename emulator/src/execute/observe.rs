//! What the checks are told of each access.

use super::state::{ActiveLanes, GroupMemory};
use crate::checks::{GlobalShadow, ROW_PIECES, Record};
use crate::machine::{Fault, Use, WARP, lanes_of};
use crate::memory::Backing;
use crate::report::{FindingKind, Space};

/// A third lane that reads the same as the two before it tells nothing new: of those at least one isn't who wrote it
/// last, and no more than two readers are remembered.
fn repeats(mask: u32, addresses: &[u64; WARP], used: Use, lane: usize) -> bool {
    !used.is_write
        && lane >= 2
        && mask >> (lane - 2) & 3 == 3
        && addresses[lane] == addresses[lane - 1]
        && addresses[lane] == addresses[lane - 2]
}

/// Whether barriers order a past access of the group before what a warp does now, of which warps this one knows so much.
#[inline]
fn is_known(known: &[u32], past: &Record) -> bool {
    known.get(usize::from(past.thread) / WARP).is_some_and(|known| *known > past.warp_count)
}

/// Whether each lane's address is behind the bytes of the one before it.
#[inline]
fn is_side_by_side(addresses: &[u64; WARP], bytes: u32) -> bool {
    let mut differ = 0;
    for (address, lane) in addresses.iter().zip(0..) {
        differ |= address ^ addresses[0].wrapping_add(u64::from(bytes) * lane);
    }
    differ == 0
}

impl ActiveLanes<'_> {
    #[inline]
    pub(super) fn thread(&self, lane: usize) -> u32 {
        self.identity.first_thread + lane as u32
    }

    pub(super) fn report(&self, kind: FindingKind, lane: usize) {
        self.core.report(kind, self.position, self.group.position, self.thread(lane));
    }

    pub(super) fn fault(&self, fault: Fault) {
        self.core.fault(fault.kind, self.position, self.group.position, self.thread(fault.lane));
    }

    /// Takes in an access to bytes of device memory of an allocation that wasn't written as a whole.
    pub(super) fn observe_written(
        &mut self,
        backing: &Backing,
        offset: usize,
        address: u64,
        lane: usize,
        used: Use,
    ) {
        let checks = self.core.checks.uninitialised_device;
        let elements =
            (0..used.bytes).step_by(8).map(|byte| (offset + byte as usize, (used.bytes - byte).min(8)));
        if used.is_read
            && checks
            && elements.clone().any(|(offset, bytes)| !backing.is_written(offset, bytes))
        {
            let unwritten = (0..used.bytes.min(64))
                .filter(|&byte| !backing.is_written(offset + byte as usize, 1))
                .fold(0, |all, byte| all | 1 << byte);
            self.reads_unwritten(lane, Space::Global, address, unwritten, used);
        }
        if used.is_write {
            if checks {
                elements.for_each(|(offset, bytes)| backing.mark_element(offset, bytes));
            } else {
                // Without the check nobody keeps track: what a kernel writes to counts as written.
                backing.mark_all();
            }
        }
    }

    pub(super) fn record(&self, lane: usize, used: Use) -> Record {
        let (warp, clocks) = (self.identity.warp, &self.group.clocks);
        let is_strong_write = used.is_write && used.is_atomic;
        let epoch =
            if is_strong_write { clocks.of_strong_write(warp, lane) } else { clocks.of_lane(warp, lane) };
        Record {
            group: self.group.number,
            position: self.position + 1,
            warp_count: clocks.of_warp(warp),
            epoch,
            thread: self.thread(lane) as u16,
            is_write: used.is_write,
            is_atomic: used.is_atomic,
        }
    }

    /// The record of the first lane of an access, if those of all others differ from it in the thread only.
    fn record_of_all(&self, used: Use) -> Option<Record> {
        self.group.clocks.are_lanes_alike(self.identity.warp).then(|| self.record(0, used))
    }

    pub(super) fn observe_group(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) {
        let checks = self.core.checks;
        if checks.uninitialised_workgroup {
            self.observe_written_by_group(mask, addresses, used);
        }
        if !checks.workgroup_races {
            return;
        }
        if self.core.peers.are_several() {
            lanes_of(mask)
                .for_each(|lane| self.observe_cluster(self.group.rank, lane, addresses[lane], used));
        }
        let mut races: Vec<(usize, Record)> = Vec::new();
        let of_all = self.record_of_all(used);
        let first = of_all.unwrap_or_else(|| self.record(0, used));
        let epochs: [u32; WARP] = match of_all {
            Some(first) => [first.epoch; WARP],
            None => std::array::from_fn(|lane| self.record(lane, used).epoch),
        };
        let shift = self.group.grain.trailing_zeros();
        let pieces = (used.bytes as usize >> shift).max(1);
        let GroupMemory { clocks, cells, .. } = &mut *self.group;
        let known = clocks.warps_known_to(self.identity.warp);
        for lane in lanes_of(mask) {
            if repeats(mask, addresses, used, lane) {
                continue;
            }
            let record = Record { thread: first.thread + lane as u16, epoch: epochs[lane], ..first };
            let is_ordered = |past: &Record| {
                // Where all lanes have one count, they never met: barriers alone order them.
                is_known(known, past)
                    || (of_all.is_none() && clocks.is_ordered(past.moment(), record.thread.into()))
            };
            let at = (addresses[lane] >> shift) as usize;
            let mut race = None;
            for cell in cells.get_mut(at..at + pieces).unwrap_or_default() {
                race = race.or(cell.access(record, is_ordered));
            }
            if let Some(other) = race {
                races.push((lane, other));
            }
        }
        for (lane, other) in races {
            let access = self.describe(Space::Shared, addresses[lane], used);
            let (position, group, thread) = (self.position, self.group.position, self.thread(lane));
            self.core.report_race(access, used.is_atomic, other, position, group, thread);
        }
    }

    fn observe_written_by_group(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) {
        if used.bytes <= 8 && self.group.shared.are_written(addresses, used.bytes) {
            return;
        }
        for lane in lanes_of(mask) {
            let address = addresses[lane];
            let unwritten = self.group.shared.take_in(address, used);
            if unwritten != 0 && used.is_read {
                self.reads_unwritten(lane, Space::Shared, address, unwritten, used);
            }
        }
    }

    /// Whether what a past access did is ordered before what a lane does now, in device memory.
    fn is_ordered_in_device(&self, past: &Record, lane: usize) -> bool {
        let clocks = &self.group.clocks;
        (past.group == self.group.number && is_known(clocks.warps_known_to(self.identity.warp), past))
            || clocks.is_ordered(past.moment(), self.thread(lane) as usize)
    }

    pub(super) fn observe_device(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) {
        let shared = std::sync::Arc::clone(&self.core.shared);
        let Some(shadow) = &shared.shadow else { return };
        let mut rest = mask;
        if mask == u32::MAX && is_side_by_side(addresses, used.bytes) {
            rest &= !self.observe_rows(shadow, addresses[0], used);
        }
        let pieces = (u64::from(used.bytes) / shadow.grain).max(1);
        let mut races: Vec<(usize, Record)> = Vec::new();
        // Lanes of one page together: one lock for each.
        while rest != 0 {
            let page = shadow.page_of(addresses[rest.trailing_zeros() as usize]);
            shadow.with_page(page, |cells| {
                for lane in lanes_of(rest) {
                    let address = addresses[lane];
                    if shadow.page_of(address) != page {
                        break;
                    }
                    rest &= !(1 << lane);
                    if repeats(mask, addresses, used, lane) {
                        continue;
                    }
                    let record = self.record(lane, used);
                    // An access is aligned, and a page is larger: it doesn't cross into the next one.
                    let first = shadow.piece_of(address);
                    let mut race = None;
                    for piece in first..first + pieces {
                        let is_ordered = |past: &Record| self.is_ordered_in_device(past, lane);
                        race = race.or(cells.cell(piece).access(record, is_ordered));
                    }
                    races.extend(race.map(|other| (lane, other)));
                }
            });
        }
        for (lane, other) in races {
            let access = self.describe(Space::Global, addresses[lane], used);
            let (position, group, thread) = (self.position, self.group.position, self.thread(lane));
            self.core.report_race(access, used.is_atomic, other, position, group, thread);
        }
    }

    /// Takes in accesses of all lanes side by side, row by row. Gives the lanes of which nothing more is to be taken in.
    fn observe_rows(&self, shadow: &GlobalShadow, address: u64, used: Use) -> u32 {
        let pieces = u64::from(used.bytes) / shadow.grain;
        let first_piece = shadow.piece_of(address);
        let Some(first) = self.record_of_all(used) else { return 0 };
        if pieces == 0
            || !pieces.is_power_of_two()
            || pieces > 8
            || !first_piece.is_multiple_of(ROW_PIECES as u64)
        {
            return 0;
        }
        let shift = pieces.trailing_zeros();
        let lanes_of_row = ROW_PIECES >> shift;
        let mut done = 0;
        for row in 0..pieces as usize {
            let (piece, first_lane) = (first_piece + (row * ROW_PIECES) as u64, row * lanes_of_row);
            let new = Record { thread: self.thread(first_lane) as u16, ..first };
            let is_ordered = |past: &Record, lane: usize| self.is_ordered_in_device(past, first_lane + lane);
            let together = shadow
                .with_page(shadow.page_of(address + (row * ROW_PIECES) as u64 * shadow.grain), |page| {
                    page.row(piece).access_together(new, shift as u8, is_ordered)
                });
            if together {
                done |= (u32::MAX >> (WARP - lanes_of_row)) << first_lane;
            }
        }
        done
    }
}
