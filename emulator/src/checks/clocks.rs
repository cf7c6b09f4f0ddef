//! What threads of a group know: vector clocks in levels, of which most groups need the first only.
//!
//! Each warp counts the barriers that it took part in, and knows of each other warp of the group up to which of that one's counts it is
//! ordered. Each lane counts what else orders it: `bar.warp.sync`, fences and releases. What it acquired beyond that, of its group
//! or of others, is a [`Clock`].

use super::clock::{Clock, Moment, is_below};
use super::synchronisation::{Own, Released};
use crate::instruction::Level;

const WARP: usize = 32;
/// By how much a lane's count rises at a fence: strong writes behind it have counts in between, so that they are part of what it
/// releases and weak accesses behind it aren't.
const STRIDE: u32 = 16;

/// The lanes' clocks of a warp: what the row's lane knows of the column's. Its own count on the diagonal.
type LaneClocks = Box<[[u32; WARP]; WARP]>;

/// The counts of a lane's strong writes behind a fence or a release.
#[derive(Debug, Clone, Copy)]
struct Writes {
    /// The lane's count before.
    epoch: u32,
    next: u32,
}

impl Writes {
    fn behind(epoch: u32) -> Self {
        Self { epoch, next: epoch.saturating_add(1) }
    }

    /// The count of the next one. There are few: those behind share the last.
    fn count(self) -> u32 {
        self.next.min(self.epoch.saturating_add(STRIDE - 1))
    }

    fn pass(&mut self) {
        self.next = self.next.saturating_add(1).min(self.epoch.saturating_add(STRIDE));
    }
}

/// A lane's fence, and what the lane knew then.
#[derive(Debug, Clone)]
struct Fence {
    base: Clock,
    writes: Writes,
}

/// What a lane knows and fenced on its own.
#[derive(Debug, Clone, Default)]
struct LaneOrder {
    acquired: Clock,
    /// The last clock that it acquired: who waits in a loop reads the same again and again.
    last: Clock,
    /// The last fences of the scopes, from the group's to the device's. A wider one stands for those that are narrower and older.
    fences: [Option<Fence>; 3],
    /// The last write that released.
    released: Option<Writes>,
    /// What others fenced for all and then met this lane.
    inherited: Clock,
}

/// What a warp knows beyond its group's barriers.
#[derive(Debug, Default)]
struct WarpOrder {
    /// What barriers brought to all lanes: known, and fenced for all.
    acquired: Clock,
    inherited: Clock,
    lanes: [LaneOrder; WARP],
}

/// What threads bring to a barrier.
#[derive(Debug, Default, Clone)]
pub(crate) struct Brought {
    /// The counts of the group's warps.
    warps: Vec<u32>,
    beyond: Clock,
    inherited: Clock,
}

impl Brought {
    /// All of it, for who isn't of the group.
    pub(crate) fn to_others(&self, group: u32) -> Clock {
        let mut clock = self.beyond.clone();
        clock.learn_warps(group, &self.warps);
        clock
    }

    /// Takes in what those of other groups brought.
    pub(crate) fn join(&mut self, others: &Clock) {
        self.beyond.join(others);
    }
}

#[derive(Debug, Default)]
pub(crate) struct Clocks {
    group: u32,
    warps: usize,
    /// What the row's warp knows of the column's count; its own count on the diagonal.
    known: Vec<u32>,
    lanes: Vec<Option<LaneClocks>>,
    orders: Vec<Option<Box<WarpOrder>>>,
    /// What all lanes of a warp know, as a clock; none where it has changed since it was asked for.
    bases: Vec<Option<Clock>>,
}

fn scope(level: Level) -> Option<usize> {
    match level {
        Level::None => None,
        Level::Group => Some(0),
        Level::Cluster => Some(1),
        Level::Device => Some(2),
    }
}

impl Clocks {
    pub(crate) fn reset(&mut self, group: u32, warps: usize) {
        self.group = group;
        self.warps = warps;
        self.known.clear();
        self.known.resize(warps * warps, 0);
        for warp in 0..warps {
            self.known[warp * warps + warp] = 1;
        }
        self.lanes.clear();
        self.lanes.resize_with(warps, || None);
        self.orders.clear();
        self.orders.resize_with(warps, || None);
        self.bases.clear();
        self.bases.resize_with(warps, || None);
    }

    /// The count of a warp.
    pub(crate) fn of_warp(&self, warp: usize) -> u32 {
        self.known[warp * self.warps + warp]
    }

    /// The count of a lane.
    pub(crate) fn of_lane(&self, warp: usize, lane: usize) -> u32 {
        self.lanes[warp].as_ref().map_or(0, |lanes| lanes[lane][lane])
    }

    /// The count of a strong write that a lane makes now: of the widest scope that it fenced for.
    pub(crate) fn of_strong_write(&self, warp: usize, lane: usize) -> u32 {
        let order = self.orders[warp].as_ref().map(|order| &order.lanes[lane]);
        let writes = order.and_then(|order| {
            order.fences.iter().rev().flatten().next().map(|fence| fence.writes).or(order.released)
        });
        writes.map_or_else(|| self.of_lane(warp, lane), Writes::count)
    }

    /// Of each warp, up to which of its counts a warp knows it.
    #[inline]
    pub(crate) fn warps_known_to(&self, warp: usize) -> &[u32] {
        self.known.get(warp * self.warps..).unwrap_or_default().get(..self.warps).unwrap_or_default()
    }

    /// Whether all lanes of a warp have the same counts, for weak accesses and for strong ones.
    pub(crate) fn are_lanes_alike(&self, warp: usize) -> bool {
        self.lanes.get(warp).is_none_or(Option::is_none) && self.orders.get(warp).is_none_or(Option::is_none)
    }

    /// Whether what a thread did is ordered before what a thread of this group does now.
    #[inline]
    pub(crate) fn is_ordered(&self, past: Moment, now: usize) -> bool {
        let warp = now / WARP;
        if past.group == self.group {
            let other = past.thread / WARP;
            if past.thread == now || self.known[warp * self.warps + other] > past.warp_count {
                return true;
            }
            if warp == other
                && let Some(lanes) = &self.lanes[warp]
                && is_below(past.epoch, lanes[now % WARP][past.thread % WARP])
            {
                return true;
            }
        }
        let order = self.orders[warp].as_ref();
        order.is_some_and(|order| order.acquired.knows(past) || order.lanes[now % WARP].acquired.knows(past))
    }

    fn own_count(&mut self, warp: usize, lane: usize) -> &mut u32 {
        &mut self.lanes[warp].get_or_insert_with(|| Box::new([[0; WARP]; WARP]))[lane][lane]
    }

    /// Takes in that members of a warp met.
    pub(crate) fn meet(&mut self, warp: usize, members: u32) {
        let lanes = self.lanes[warp].get_or_insert_with(|| Box::new([[0; WARP]; WARP]));
        let mut joined = [0; WARP];
        let in_members = |lane: &usize| members >> lane & 1 == 1;
        for lane in (0..WARP).filter(in_members) {
            // Its next accesses are behind the meeting: others know of those before.
            lanes[lane][lane] = lanes[lane][lane].saturating_add(1);
            for (all, own) in joined.iter_mut().zip(&lanes[lane]) {
                *all = (*all).max(*own);
            }
        }
        for lane in (0..WARP).filter(in_members) {
            lanes[lane] = joined;
        }
        if self.orders[warp].is_none() {
            return;
        }
        let (mut acquired, mut inherited) = (Clock::default(), Clock::default());
        for lane in (0..WARP).filter(in_members) {
            inherited.join(&self.fenced(warp, lane, 2));
            if let Some(order) = &self.orders[warp] {
                acquired.join(&order.lanes[lane].acquired);
            }
        }
        if let Some(order) = &mut self.orders[warp] {
            for lane in (0..WARP).filter(in_members) {
                order.lanes[lane].acquired = acquired.clone();
                order.lanes[lane].inherited = inherited.clone();
            }
        }
    }

    /// What all lanes of a warp know.
    fn base(&mut self, warp: usize) -> Clock {
        if let Some(base) = &self.bases[warp] {
            return base.clone();
        }
        let mut base = self.orders[warp].as_ref().map(|order| order.acquired.clone()).unwrap_or_default();
        let row = &self.known[warp * self.warps..][..self.warps];
        // At the beginning nothing is known: each warp's count is 1.
        if row.iter().any(|count| *count > 1) {
            base.learn_warps(self.group, row);
        }
        self.bases[warp] = Some(base.clone());
        base
    }

    /// What a lane knows, but for what it did itself.
    fn known_to(&mut self, warp: usize, lane: usize) -> Clock {
        let mut clock = self.base(warp);
        if let Some(order) = &self.orders[warp] {
            clock.join(&order.lanes[lane].acquired);
        }
        if let Some(lanes) = &self.lanes[warp] {
            let mut row = lanes[lane];
            row[lane] = 0;
            if row != [0; WARP] {
                clock.learn_lanes(self.group, warp, row);
            }
        }
        clock
    }

    /// What a lane fenced for a scope and those that are wider, with what others had when they met it.
    fn fenced(&self, warp: usize, lane: usize, scope: usize) -> Clock {
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

    /// What a warp brings to a barrier: all it knows. Its next accesses are behind that.
    pub(crate) fn arrive(&mut self, warp: usize, barrier: &mut Brought) {
        let warps = self.warps;
        self.known[warp * warps + warp] = self.known[warp * warps + warp].saturating_add(1);
        self.bases[warp] = None;
        barrier.warps.resize(warps, 0);
        for (all, own) in barrier.warps.iter_mut().zip(&self.known[warp * warps..]) {
            *all = (*all).max(*own);
        }
        let Some(order) = &self.orders[warp] else { return };
        barrier.beyond.join(&order.acquired);
        barrier.inherited.join(&order.inherited);
        let mut row = [0; WARP];
        for (lane, own) in order.lanes.iter().enumerate() {
            barrier.beyond.join(&own.acquired);
            barrier.inherited.join(&own.inherited);
            if let Some(fence) = &own.fences[2] {
                barrier.inherited.join(&fence.base);
                row[lane] = fence.writes.next;
            }
        }
        if row != [0; WARP] {
            barrier.inherited.learn_lanes(self.group, warp, row);
        }
    }

    /// What lanes bring to a barrier that doesn't order what is before it: what they fenced for its scope.
    pub(crate) fn arrive_relaxed(&mut self, warp: usize, members: u32, level: Level, barrier: &mut Brought) {
        let Some(scope) = scope(level) else { return };
        for lane in (0..WARP).filter(|lane| members >> lane & 1 == 1) {
            let fenced = self.fenced(warp, lane, scope);
            barrier.beyond.join(&fenced);
        }
    }

    /// What a warp takes from a barrier.
    pub(crate) fn depart(&mut self, warp: usize, barrier: &Brought) {
        let own = &mut self.known[warp * self.warps..][..self.warps];
        for (own, all) in own.iter_mut().zip(&barrier.warps) {
            *own = (*own).max(*all);
        }
        self.bases[warp] = None;
        if !barrier.beyond.is_empty() || !barrier.inherited.is_empty() {
            let order = self.orders[warp].get_or_insert_default();
            order.acquired.join(&barrier.beyond);
            order.inherited.join(&barrier.inherited);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(group: u32, warps: usize) -> Clocks {
        let mut clocks = Clocks::default();
        clocks.reset(group, warps);
        clocks
    }

    /// What a thread does now.
    fn now(clocks: &Clocks, thread: usize) -> Moment {
        let (warp, lane) = (thread / WARP, thread % WARP);
        let (warp_count, epoch) = (clocks.of_warp(warp), clocks.of_lane(warp, lane));
        Moment { group: clocks.group, thread, warp_count, epoch }
    }

    fn strong_write(clocks: &Clocks, thread: usize) -> Moment {
        Moment { epoch: clocks.of_strong_write(thread / WARP, thread % WARP), ..now(clocks, thread) }
    }

    /// Thread to thread, by a relaxed write and a read.
    fn hand_over(from: &mut Clocks, thread: usize, to: &mut Clocks, reader: usize) {
        let released = from.release(thread / WARP, thread % WARP, Level::None, Level::Device);
        to.acquire(reader / WARP, reader % WARP, &released.device);
    }

    #[test]
    fn a_barrier_orders_what_was_before_it_only() {
        let mut clocks = clocks(0, 2);
        let before = now(&clocks, 0);
        assert!(!clocks.is_ordered(before, 40));
        let mut barrier = Brought::default();
        clocks.arrive(0, &mut barrier);
        clocks.arrive(1, &mut barrier);
        clocks.depart(0, &barrier);
        clocks.depart(1, &barrier);
        assert!(clocks.is_ordered(before, 40));
        assert!(clocks.is_ordered(before, 1));
        let after = now(&clocks, 0);
        assert!(!clocks.is_ordered(after, 40));
        assert!(!clocks.is_ordered(after, 1));
    }

    #[test]
    fn who_only_arrives_learns_nothing() {
        let mut clocks = clocks(0, 2);
        let (first, second) = (now(&clocks, 0), now(&clocks, 32));
        let mut barrier = Brought::default();
        clocks.arrive(0, &mut barrier);
        clocks.arrive(1, &mut barrier);
        clocks.depart(1, &barrier);
        assert!(clocks.is_ordered(first, 32));
        assert!(!clocks.is_ordered(second, 0));
    }

    #[test]
    fn lanes_that_met_are_ordered() {
        let mut clocks = clocks(0, 1);
        let before = now(&clocks, 3);
        clocks.meet(0, 0b1100);
        assert!(clocks.is_ordered(before, 2));
        assert!(!clocks.is_ordered(before, 1));
        let after = now(&clocks, 3);
        assert!(!clocks.is_ordered(after, 2));
        clocks.meet(0, 0b0110);
        assert!(clocks.is_ordered(before, 1));
    }

    #[test]
    fn meetings_beyond_the_end_of_a_count_are_ordered() {
        let mut clocks = clocks(0, 1);
        *clocks.own_count(0, 3) = u32::MAX - 1;
        for _ in 0..3 {
            let before = now(&clocks, 3);
            clocks.meet(0, 0b1100);
            assert!(clocks.is_ordered(before, 2));
        }
    }

    #[test]
    fn a_fence_and_a_strong_write_hand_over_what_is_before_the_fence_and_the_write() {
        let (mut giver, mut taker) = (clocks(1, 1), clocks(2, 1));
        let before = now(&giver, 5);
        let strong = strong_write(&giver, 5);
        hand_over(&mut giver, 5, &mut taker, 7);
        assert!(!taker.is_ordered(before, 7) && !taker.is_ordered(strong, 7), "without a fence");
        giver.fence(0, 1 << 5, Level::Device);
        let between = now(&giver, 5);
        let (first, other) = (strong_write(&giver, 5), now(&giver, 6));
        hand_over(&mut giver, 5, &mut taker, 7);
        assert!(taker.is_ordered(before, 7) && taker.is_ordered(first, 7));
        assert!(!taker.is_ordered(between, 7) && !taker.is_ordered(other, 7));
        assert!(!taker.is_ordered(before, 6), "another lane");
        let second = strong_write(&giver, 5);
        assert!(!taker.is_ordered(second, 7), "a write that nobody read");
        for _ in 0..2 * STRIDE {
            let next = strong_write(&giver, 5);
            hand_over(&mut giver, 5, &mut taker, 7);
            assert!(taker.is_ordered(next, 7) && !taker.is_ordered(between, 7));
        }
    }

    #[test]
    fn a_release_hands_over_itself_and_nothing_behind_it() {
        let (mut giver, mut taker) = (clocks(1, 1), clocks(2, 1));
        let write = strong_write(&giver, 0);
        let released = giver.release(0, 0, Level::Device, Level::Device);
        let after = strong_write(&giver, 0);
        taker.acquire(0, 0, &released.device);
        assert!(taker.is_ordered(write, 0) && !taker.is_ordered(after, 0));
        let released = giver.release(0, 0, Level::Group, Level::Device);
        let mut other = clocks(3, 1);
        other.acquire(0, 0, &released.device);
        assert!(!other.is_ordered(write, 0), "released for its group only");
        other.acquire(0, 0, &released.group);
        assert!(other.is_ordered(write, 0) && other.is_ordered(after, 0));
    }

    #[test]
    fn a_fence_of_narrow_scope_hands_over_nothing_to_others_but_what_an_older_one_did() {
        let mut giver = clocks(1, 1);
        let first = now(&giver, 0);
        giver.fence(0, 1, Level::Device);
        let second = now(&giver, 0);
        giver.fence(0, 1, Level::Group);
        let write = strong_write(&giver, 0);
        let Released { group, cluster, device, .. } = giver.release(0, 0, Level::None, Level::Device);
        for (clock, knows_second) in [(group, true), (cluster, false), (device, false)] {
            assert!(clock.knows(first) && clock.knows(write));
            assert_eq!(clock.knows(second), knows_second);
        }
        let narrow = giver.release(0, 0, Level::None, Level::Group);
        assert!(narrow.group.knows(second) && narrow.cluster.is_empty() && narrow.device.is_empty());
    }

    #[test]
    fn order_goes_on_over_barriers_and_third_threads() {
        let (mut first, mut second, mut third) = (clocks(1, 2), clocks(2, 2), clocks(30, 2));
        let write = now(&first, 40);
        let mut barrier = Brought::default();
        (0..2).for_each(|warp| first.arrive(warp, &mut barrier));
        (0..2).for_each(|warp| first.depart(warp, &barrier));
        first.fence(0, 1, Level::Device);
        hand_over(&mut first, 0, &mut second, 0);
        assert!(second.is_ordered(write, 0) && !second.is_ordered(write, 40));
        let mut barrier = Brought::default();
        (0..2).for_each(|warp| second.arrive(warp, &mut barrier));
        (0..2).for_each(|warp| second.depart(warp, &barrier));
        assert!(second.is_ordered(write, 40));
        second.fence(1, 1 << 8, Level::Device);
        hand_over(&mut second, 40, &mut third, 33);
        assert!(third.is_ordered(write, 33) && !third.is_ordered(write, 34));
        third.meet(1, 0b110);
        assert!(third.is_ordered(write, 34) && !third.is_ordered(write, 36));
    }

    #[test]
    fn what_each_thread_fenced_before_a_barrier_one_thread_releases_behind_it() {
        let (mut giver, mut taker) = (clocks(1, 2), clocks(2, 1));
        let (fenced, not_fenced) = (now(&giver, 40), now(&giver, 41));
        giver.fence(1, 1 << 8, Level::Device);
        let mut barrier = Brought::default();
        (0..2).for_each(|warp| giver.arrive(warp, &mut barrier));
        (0..2).for_each(|warp| giver.depart(warp, &barrier));
        hand_over(&mut giver, 0, &mut taker, 0);
        assert!(taker.is_ordered(fenced, 0) && !taker.is_ordered(not_fenced, 0));
    }
}
