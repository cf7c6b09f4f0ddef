//! A cluster: groups that run together, wait for each other, and reach each other's memory. One host thread runs them.

use std::rc::Rc;

use super::group::{Group, Turn};
use super::state::{ActiveLanes, Core, GroupMemory, Peer, Peers, Warp};
use crate::checks::{Cell, Clock, Locations, Record};
use crate::instruction::{ClusterBarrier, Level};
use crate::machine::{Done, Fault, Pointers, Stopped, Use, WARP, Wait, Workspace, lanes_of, peer};
use crate::report::{FindingKind, Space};

#[derive(Debug)]
pub(super) struct Cluster {
    groups: Vec<Group>,
    peers: Peers,
}

impl Cluster {
    pub(super) fn new(core: &Core) -> Self {
        let size = core.shape.groups_of_cluster();
        let groups: Vec<Group> = (0..size).map(|_| Group::new(core)).collect();
        let pieces = |group: &Group| if size > 1 { group.memory.cells.len() } else { 0 };
        let peers = groups.iter().map(|group| Peer {
            memory: Rc::clone(&group.memory.shared),
            accesses: vec![Cell::default(); pieces(group)],
            number: 0,
            has_ended: false,
            sent: Vec::new(),
            arrivals: Vec::new(),
        });
        let peers = Peers { groups: peers.collect(), locations: Locations::default() };
        Self { groups, peers }
    }

    /// Begins as the cluster of a number.
    pub(super) fn reset(&mut self, number: u64, core: &Core) {
        self.peers.locations.clear();
        let cluster = number;
        for (rank, (group, peer)) in self.groups.iter_mut().zip(&mut self.peers.groups).enumerate() {
            let number = core.shape.group_of_cluster(number, rank as u64);
            group.reset(number, rank as u32, cluster, core);
            peer.accesses.fill(Cell::default());
            (peer.number, peer.has_ended) = (number, false);
            peer.sent.clear();
            peer.arrivals.clear();
        }
    }

    /// Lets each group run for a while. True when all have ended.
    pub(super) fn step(&mut self, core: &mut Core) -> Result<bool, Stopped> {
        std::mem::swap(&mut core.peers, &mut self.peers);
        let result = self.turn(core);
        std::mem::swap(&mut core.peers, &mut self.peers);
        result
    }

    fn turn(&mut self, core: &mut Core) -> Result<bool, Stopped> {
        let mut goes_on = false;
        for (rank, group) in self.groups.iter_mut().enumerate() {
            if core.peers.groups[rank].has_ended {
                continue;
            }
            match group.step(core)? {
                Turn::Ended => {
                    core.peers.groups[rank].has_ended = true;
                    goes_on = true;
                }
                Turn::Ran => goes_on = true,
                Turn::Waits => {}
            }
        }
        if core.peers.groups.iter().all(|peer| peer.has_ended) {
            return Ok(true);
        }
        goes_on |= self.release(core);
        if !goes_on && let Some(waiting) = self.groups.iter_mut().find(|group| !group.has_ended()) {
            waiting.deadlock(core);
            return Err(Stopped);
        }
        Ok(false)
    }

    /// Completes the barrier of the cluster, if each thread has come to it or has exited. True if it did.
    fn release(&mut self, core: &mut Core) -> bool {
        let warps = || self.groups.iter().flat_map(|group| &group.warps);
        let is_complete = warps().all(|warp| warp.live & !warp.at_cluster == 0);
        if !is_complete || warps().all(|warp| warp.at_cluster == 0) {
            return false;
        }
        let mut all = Clock::default();
        for Group { memory, warps } in &mut self.groups {
            // Who has exited holds nobody up, and did what it did before.
            for warp in warps.iter().filter(|warp| warp.live == 0) {
                memory.clocks.arrive(warp.identity.warp, &mut memory.to_cluster);
            }
            if core.peers.are_several() {
                all.join(&memory.to_cluster.to_others(memory.number));
            }
        }
        for Group { memory, warps } in &mut self.groups {
            memory.of_cluster = std::mem::take(&mut memory.to_cluster);
            memory.of_cluster.join(&all);
            for warp in warps {
                warp.at_cluster = 0;
                warp.leave_cluster_barrier(memory);
            }
        }
        true
    }
}

impl Group {
    fn has_ended(&self) -> bool {
        self.warps.iter().all(Warp::is_finished)
    }
}

impl Warp {
    /// Lanes come to the barrier of their cluster, or wait for it if it isn't complete yet.
    pub(super) fn come_to_cluster(&mut self, index: usize, kind: ClusterBarrier, group: &mut GroupMemory) {
        let mask = self.fragments[index].mask;
        match kind {
            ClusterBarrier::Arrive { is_relaxed } => {
                self.at_cluster |= mask;
                let (clocks, barrier) = (&mut group.clocks, &mut group.to_cluster);
                if is_relaxed {
                    clocks.arrive_relaxed(self.identity.warp, mask, Level::Cluster, barrier);
                } else {
                    clocks.arrive(self.identity.warp, barrier);
                }
                self.fragments[index].advance();
            }
            ClusterBarrier::Wait if self.at_cluster & mask == 0 => {
                group.clocks.depart(self.identity.warp, &group.of_cluster);
                self.fragments[index].advance();
            }
            ClusterBarrier::Wait => self.fragments[index].wait = Wait::Cluster,
        }
    }

    /// Lets those go on who waited for the barrier, which is complete.
    fn leave_cluster_barrier(&mut self, group: &mut GroupMemory) {
        for fragment in self.fragments.iter_mut().filter(|fragment| fragment.wait == Wait::Cluster) {
            group.clocks.depart(self.identity.warp, &group.of_cluster);
            fragment.advance();
        }
    }
}

impl ActiveLanes<'_> {
    /// Pointers to workgroup memory of which some is another group's.
    pub(super) fn in_cluster(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) -> Done<Pointers> {
        let mut pointers = [std::ptr::null_mut(); WARP];
        for lane in lanes_of(mask) {
            pointers[lane] = self.one_in_cluster(lane, addresses[lane], used)?;
        }
        let stand_in = pointers[mask.trailing_zeros() as usize % WARP];
        Ok(pointers.map(|pointer| if pointer.is_null() { stand_in } else { pointer }))
    }

    fn one_in_cluster(&mut self, lane: usize, address: u64, used: Use) -> Done<*mut u8> {
        let (rank, offset) = peer(address);
        let own = u64::from(self.group.rank);
        let rank = rank.unwrap_or(own);
        let Some(group) = self.core.peers.groups.get(rank as usize) else {
            // No such group: the address as it is, beyond all of them.
            let access = self.describe(Space::Shared, address, used);
            return Err(Fault::new(lane, FindingKind::OutOfBounds(access)));
        };
        let (memory, has_ended, number) = (Rc::clone(&group.memory), group.has_ended, group.number);
        self.check(Space::Shared, 1 << lane, &[offset; WARP], used, self.core.shape.shared.into())?;
        if has_ended {
            let access = self.describe(Space::Shared, offset, used);
            let group = self.core.shape.group(number);
            return Err(Fault::new(lane, FindingKind::GroupEnded { access, group }));
        }
        let checks = self.core.checks;
        if rank == own {
            if checks.workgroup_races || checks.uninitialised_workgroup {
                self.observe_group(1 << lane, &[offset; WARP], used);
            }
        } else {
            self.observe_written_by_cluster(&memory, lane, offset, used);
            if checks.workgroup_races {
                self.observe_cluster(rank as u32, lane, offset, used);
            }
        }
        Ok(memory.pointer().wrapping_add(offset as usize))
    }

    fn observe_written_by_cluster(&mut self, memory: &Workspace, lane: usize, offset: u64, used: Use) {
        let unwritten = memory.take_in(offset, used);
        if used.is_read && unwritten != 0 {
            self.reads_unwritten(lane, Space::Shared, offset, unwritten, used);
        }
    }

    /// Takes in an access to the memory of the group of a rank, as other groups' accesses see it.
    pub(super) fn observe_cluster(&mut self, rank: u32, lane: usize, offset: u64, used: Use) {
        let record = self.record(lane, used);
        let (grain, own, now) = (self.group.grain, self.group.number, self.thread(lane) as usize);
        let clocks = &self.group.clocks;
        let is_ordered = |past: &Record| past.group == own || clocks.is_ordered(past.moment(), now);
        let (first, last) = (offset / grain, (offset + u64::from(used.bytes) - 1) / grain);
        let mut race = None;
        if let Some(peer) = self.core.peers.groups.get_mut(rank as usize) {
            for piece in peer.accesses.iter_mut().skip(first as usize).take((last - first) as usize + 1) {
                race = race.or(piece.access(record, is_ordered));
            }
        }
        if let Some(other) = race {
            let access = self.describe(Space::Shared, offset, used);
            let (position, group, thread) = (self.position, self.group.position, self.thread(lane));
            self.core.report_race(access, used.is_atomic, other, position, group, thread);
        }
    }
}
