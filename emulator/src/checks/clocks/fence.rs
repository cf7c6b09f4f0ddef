//! Fences, releases and acquires of lanes: what strong writes hand over to who reads them.

use super::{Clocks, WARP};
use crate::checks::clock::Clock;
use crate::checks::synchronisation::{Own, Released};
use crate::instruction::Level;

/// By how much a lane's count rises at a fence: strong writes behind it have counts in between, so that they are part of what it
/// releases and weak accesses behind it aren't.
pub(super) const STRIDE: u32 = 16;

/// The counts of a lane's strong writes behind a fence or a release.
#[derive(Debug, Clone, Copy)]
pub(super) struct Writes {
    /// The lane's count before.
    epoch: u32,
    pub(super) next: u32,
}

impl Writes {
    fn behind(epoch: u32) -> Self {
        Self { epoch, next: epoch.saturating_add(1) }
    }

    /// The count of the next one. There are few: those behind share the last.
    pub(super) fn count(self) -> u32 {
        self.next.min(self.epoch.saturating_add(STRIDE - 1))
    }

    fn pass(&mut self) {
        self.next = self.next.saturating_add(1).min(self.epoch.saturating_add(STRIDE));
    }
}

/// A lane's fence, and what the lane knew then.
#[derive(Debug, Clone)]
pub(super) struct Fence {
    pub(super) base: Clock,
    pub(super) writes: Writes,
}

/// What a lane knows and fenced on its own.
#[derive(Debug, Clone, Default)]
pub(super) struct LaneOrder {
    pub(super) acquired: Clock,
    /// The last clock that it acquired: who waits in a loop reads the same again and again.
    last: Clock,
    /// The last fences of the scopes, from the group's to the device's. A wider one stands for those that are narrower and older.
    pub(super) fences: [Option<Fence>; 3],
    /// The last write that released.
    released: Option<Writes>,
    /// What others fenced for all and then met this lane.
    pub(super) inherited: Clock,
}

/// What a warp knows beyond its group's barriers.
#[derive(Debug, Default)]
pub(super) struct WarpOrder {
    /// What barriers brought to all lanes: known, and fenced for all.
    pub(super) acquired: Clock,
    pub(super) inherited: Clock,
    pub(super) lanes: [LaneOrder; WARP],
}

/// The number of a scope, from the group's to the device's.
pub(super) fn scope(level: Level) -> Option<usize> {
    match level {
        Level::None => None,
        Level::Group => Some(0),
        Level::Cluster => Some(1),
        Level::Device => Some(2),
    }
}

impl Clocks {
    /// The count of a strong write that a lane makes now: of the widest scope that it fenced for.
    pub(crate) fn of_strong_write(&self, warp: usize, lane: usize) -> u32 {
        let order = self.orders[warp].as_ref().map(|order| &order.lanes[lane]);
        let writes = order.and_then(|order| {
            order.fences.iter().rev().flatten().next().map(|fence| fence.writes).or(order.released)
        });
        writes.map_or_else(|| self.of_lane(warp, lane), Writes::count)
    }

    /// What a lane fenced for a scope and those that are wider, with what others had when they met it.
    pub(super) fn fenced(&self, warp: usize, lane: usize, scope: usize) -> Clock {
        let Some(order) = &self.orders[warp] else { return Clock::default() };
        let mut clock = order.inherited.clone();
        let own = &order.lanes[lane];
        clock.join(&own.inherited);
        if let Some(fence) = own.fences.iter().skip(scope).flatten().next() {
            clock.join(&fence.base);
            let mut row = [0; WARP];
            row[lane] = fence.writes.next;
            clock.learn_lanes(self.group, warp, row);
        }
        clock
    }

    /// Takes in that lanes of a warp fence what they know for a scope.
    pub(crate) fn fence(&mut self, warp: usize, members: u32, level: Level) {
        let Some(scope) = scope(level) else { return };
        for lane in (0..WARP).filter(|lane| members >> lane & 1 == 1) {
            let base = self.known_to(warp, lane);
            let count = self.own_count(warp, lane);
            let epoch = *count;
            *count = epoch.saturating_add(STRIDE);
            let fence = Fence { base, writes: Writes::behind(epoch) };
            let fences = &mut self.orders[warp].get_or_insert_default().lanes[lane].fences;
            fences[..scope].fill(None);
            fences[scope] = Some(fence);
        }
    }

    /// What a lane's strong write hands to those who read it. `level`: it releases so itself. `scope`: who may read it.
    pub(crate) fn release(&mut self, warp: usize, lane: usize, level: Level, scope_of: Level) -> Released {
        // The write itself is part of it.
        let mut own = None;
        if let Some(order) = &mut self.orders[warp] {
            let order = &mut order.lanes[lane];
            if let Some(fence) = order.fences.iter_mut().rev().flatten().next() {
                fence.writes.pass();
            } else if let Some(writes) = &mut order.released {
                writes.pass();
                own = Some(Own { group: self.group, warp, lane, count: writes.next });
            }
        }
        let mut levels: [Clock; 3] = Default::default();
        let reach = scope(scope_of).unwrap_or(2);
        let released = scope(level);
        if let Some(order) = &self.orders[warp] {
            let own = &order.lanes[lane];
            let is_released = |level: usize| released.is_some_and(|released| level <= released);
            for level in (0..=reach).rev() {
                if is_released(level) {
                    continue;
                }
                levels[level] = if level < reach && !is_released(level + 1) && own.fences[level].is_none() {
                    levels[level + 1].clone()
                } else {
                    self.fenced(warp, lane, level)
                };
            }
        }
        if let Some(released) = released {
            let mut clock = self.known_to(warp, lane);
            let count = self.own_count(warp, lane);
            let mut row = [0; WARP];
            let epoch = *count;
            row[lane] = epoch.saturating_add(1);
            *count = epoch.saturating_add(STRIDE);
            self.orders[warp].get_or_insert_default().lanes[lane].released = Some(Writes::behind(epoch));
            clock.learn_lanes(self.group, warp, row);
            levels[..=released.min(reach)].fill(clock);
        }
        let [group, cluster, device] = levels;
        Released { group, cluster, device, own }
    }

    /// Takes in what a lane's strong read gives it to know.
    pub(crate) fn acquire(&mut self, warp: usize, lane: usize, clock: &Clock) {
        if clock.is_empty() {
            return;
        }
        let own = &mut self.orders[warp].get_or_insert_default().lanes[lane];
        if !own.last.is(clock) {
            own.acquired.join(clock);
            own.last = clock.clone();
        }
    }
}
