//! Barriers: what threads bring to them and take from them.

use super::fence::scope;
use super::{Clocks, WARP};
use crate::checks::clock::Clock;
use crate::instruction::Level;

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

impl Clocks {
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
