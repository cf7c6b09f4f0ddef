//! What threads of a group know of each other: vector clocks in two levels.
//!
//! Each warp counts the barriers that it took part in, and knows of each other warp up to which of that one's counts
//! it is ordered. Inside a warp each lane counts the `bar.warp.sync`s, and knows of the other lanes' counts.

const WARP: usize = 32;

/// The lanes' clocks of a warp: what the row's lane knows of the column's.
type LaneClocks = Box<[[u16; WARP]; WARP]>;

#[derive(Debug, Default)]
pub(crate) struct Clocks {
    warps: usize,
    /// What the row's warp knows of the column's count; its own count on the diagonal.
    known: Vec<u32>,
    lanes: Vec<Option<LaneClocks>>,
}

impl Clocks {
    pub(crate) fn reset(&mut self, warps: usize) {
        self.warps = warps;
        self.known.clear();
        self.known.resize(warps * warps, 0);
        for warp in 0..warps {
            self.known[warp * warps + warp] = 1;
        }
        self.lanes.clear();
        self.lanes.resize_with(warps, || None);
    }

    /// The count of a warp.
    pub(crate) fn of_warp(&self, warp: usize) -> u32 {
        self.known[warp * self.warps + warp]
    }

    /// The count of a lane.
    pub(crate) fn of_lane(&self, warp: usize, lane: usize) -> u16 {
        self.lanes[warp].as_ref().map_or(0, |lanes| lanes[lane][lane])
    }

    /// Of each warp, up to which of its counts a warp knows it.
    #[inline]
    pub(crate) fn known_to(&self, warp: usize) -> &[u32] {
        self.known.get(warp * self.warps..).unwrap_or_default().get(..self.warps).unwrap_or_default()
    }

    /// The count of all lanes of a warp, if they have one.
    pub(crate) fn of_all_lanes(&self, warp: usize) -> Option<u16> {
        self.lanes.get(warp).is_none_or(Option::is_none).then_some(0)
    }

    /// Whether what a thread did at its counts is ordered before what another does now.
    #[inline]
    pub(crate) fn is_ordered(&self, (thread, warp_count, lane_count): (usize, u32, u16), now: usize) -> bool {
        let (warp, other) = (now / WARP, thread / WARP);
        if warp != other {
            return self.known[warp * self.warps + other] > warp_count;
        }
        self.of_warp(warp) > warp_count
            || thread == now
            || self.lanes[warp].as_ref().is_some_and(|lanes| lanes[now % WARP][thread % WARP] > lane_count)
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
    }

    /// What a warp brings to a barrier: all it knows. Its next accesses are behind that.
    pub(crate) fn arrive(&mut self, warp: usize, barrier: &mut Vec<u32>) {
        let warps = self.warps;
        self.known[warp * warps + warp] += 1;
        barrier.resize(warps, 0);
        for (all, own) in barrier.iter_mut().zip(&self.known[warp * warps..]) {
            *all = (*all).max(*own);
        }
    }

    /// What a warp takes from a barrier.
    pub(crate) fn depart(&mut self, warp: usize, barrier: &[u32]) {
        let own = &mut self.known[warp * self.warps..][..self.warps];
        for (own, all) in own.iter_mut().zip(barrier) {
            *own = (*own).max(*all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_barrier_orders_what_was_before_it_only() {
        let mut clocks = Clocks::default();
        clocks.reset(2);
        let before = (0, clocks.of_warp(0), 0);
        assert!(!clocks.is_ordered(before, 40));
        let mut barrier = Vec::new();
        clocks.arrive(0, &mut barrier);
        clocks.arrive(1, &mut barrier);
        clocks.depart(0, &barrier);
        clocks.depart(1, &barrier);
        assert!(clocks.is_ordered(before, 40));
        assert!(clocks.is_ordered(before, 1));
        let after = (0, clocks.of_warp(0), 0);
        assert!(!clocks.is_ordered(after, 40));
        assert!(!clocks.is_ordered(after, 1));
    }

    #[test]
    fn who_only_arrives_learns_nothing() {
        let mut clocks = Clocks::default();
        clocks.reset(2);
        let (first, second) = ((0, clocks.of_warp(0), 0), (32, clocks.of_warp(1), 0));
        let mut barrier = Vec::new();
        clocks.arrive(0, &mut barrier);
        clocks.arrive(1, &mut barrier);
        clocks.depart(1, &barrier);
        assert!(clocks.is_ordered(first, 32));
        assert!(!clocks.is_ordered(second, 0));
    }

    #[test]
    fn lanes_that_met_are_ordered() {
        let mut clocks = Clocks::default();
        clocks.reset(1);
        let before = (3, clocks.of_warp(0), clocks.of_lane(0, 3));
        clocks.meet(0, 0b1100);
        assert!(clocks.is_ordered(before, 2));
        assert!(!clocks.is_ordered(before, 1));
        let after = (3, clocks.of_warp(0), clocks.of_lane(0, 3));
        assert!(!clocks.is_ordered(after, 2));
        clocks.meet(0, 0b0110);
        assert!(clocks.is_ordered(before, 1));
    }
}
