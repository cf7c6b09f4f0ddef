//! What the checks are told of each access.

use super::core::Fault;
use super::lanes::Lanes;
use super::memory::Use;
use super::{WARP, lanes_of};
use crate::checks::Record;
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

impl Lanes<'_> {
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
            self.report(FindingKind::Uninitialised(self.describe(Space::Global, address, used)), lane);
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

    pub(super) fn observe_group(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) {
        let checks = self.core.checks;
        if checks.uninitialised_workgroup {
            for lane in lanes_of(mask) {
                let address = addresses[lane];
                let mut unwritten = false;
                for byte in (0..used.bytes).step_by(8) {
                    let at = address + u64::from(byte);
                    let bits = (u64::MAX >> (64 - (used.bytes - byte).min(8))) << (at % 64);
                    unwritten |= !self.group.shared.is_written(at, bits);
                    if used.is_write {
                        self.group.shared.mark(at, bits, true);
                    }
                }
                if unwritten && used.is_read {
                    self.report(
                        FindingKind::Uninitialised(self.describe(Space::Shared, address, used)),
                        lane,
                    );
                }
            }
        }
        if !checks.workgroup_races {
            return;
        }
        if self.core.peers.are_several() {
            lanes_of(mask)
                .for_each(|lane| self.observe_cluster(self.group.rank, lane, addresses[lane], used));
        }
        let grain = self.group.grain;
        for lane in lanes_of(mask) {
            if repeats(mask, addresses, used, lane) {
                continue;
            }
            let record = self.record(lane, used);
            let now = self.thread(lane) as usize;
            let first = addresses[lane] / grain;
            let last = (addresses[lane] + u64::from(used.bytes) - 1) / grain;
            let mut race = None;
            for piece in first..=last {
                let clocks = &self.group.clocks;
                let is_ordered = |past: &Record| clocks.is_ordered(past.moment(), now);
                race = race.or(self.group.cells[piece as usize].access(record, is_ordered));
            }
            if let Some(other) = race {
                let access = self.describe(Space::Shared, addresses[lane], used);
                let (position, group) = (self.position, self.group.position);
                self.core.report_race(access, used.is_atomic, other, position, group, now as u32);
            }
        }
    }

    pub(super) fn observe_device(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) {
        let shared = std::sync::Arc::clone(&self.core.shared);
        let Some(shadow) = &shared.shadow else { return };
        let mut races: Vec<(usize, Record)> = Vec::new();
        let mut rest = mask;
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
                    let now = self.thread(lane) as usize;
                    let first = (address / shadow.grain) as usize % crate::checks::PAGE_PIECES;
                    // An access is aligned, and a page is larger: it doesn't cross into the next one.
                    let pieces = (u64::from(used.bytes) / shadow.grain).max(1) as usize;
                    let is_ordered = |past: &Record| self.group.clocks.is_ordered(past.moment(), now);
                    let mut race = None;
                    for cell in cells.iter_mut().skip(first).take(pieces) {
                        race = race.or(cell.access(record, is_ordered));
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
}
