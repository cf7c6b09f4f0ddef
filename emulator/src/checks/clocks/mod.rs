//! What threads of a group know: vector clocks in levels, of which most groups need the first only.
//!
//! Each warp counts the barriers that it took part in, and knows of each other warp of the group up to which of that one's counts it is
//! ordered. Each lane counts what else orders it: `bar.warp.sync`, fences and releases. What it acquired beyond that, of its group
//! or of others, is a [`Clock`].

mod barrier;
mod fence;
#[cfg(test)]
mod tests;

pub(crate) use barrier::Brought;
use fence::WarpOrder;

use super::clock::{Clock, Moment, is_below};

const WARP: usize = 32;
/// The lanes' clocks of a warp: what the row's lane knows of the column's. Its own count on the diagonal.
type LaneClocks = Box<[[u32; WARP]; WARP]>;

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
}
