//! Barriers that are objects in workgroup memory: they count the arrivals of threads, and the bytes that bulk copies bring.
//!
//! What an object is made of isn't in the memory that it takes: a kernel that looks there finds what was there before.

use super::state::{ActiveLanes, Arrival, MOST, Object};
use crate::checks::Brought;
use crate::instruction::{Mbarrier, MbarrierKind, Memory};
use crate::machine::{Done, Fault, SHARED_WINDOW, Slot, Use, WARP, lanes_of, peer, window};
use crate::report::FindingKind;

/// Bits of an arrival's state below the phase.
const PENDING_BITS: u32 = MbarrierKind::PENDING.count_ones();

impl ActiveLanes<'_> {
    pub(super) fn mbarrier(&mut self, barrier: &Mbarrier, mask: u32) -> Done {
        let mut addresses = self.addresses(&barrier.access);
        let is_plain = matches!(barrier.kind, MbarrierKind::Initialise(_) | MbarrierKind::Invalidate);
        let used = Use {
            bytes: 8,
            is_read: !is_plain,
            is_write: !matches!(barrier.kind, MbarrierKind::Test { .. } | MbarrierKind::TestParity { .. }),
            is_atomic: !is_plain,
            cache: barrier.access.cache,
            hands_on: false,
        };
        let beyond = self.to_own_group(barrier.access.memory, mask, &mut addresses)?;
        if beyond != 0 {
            self.arrive_at_peers(barrier, beyond, &addresses, used)?;
            return if beyond == mask { Ok(()) } else { self.mbarrier(barrier, mask & !beyond) };
        }
        self.take_arrivals(mask)?;
        self.resolve(Memory::Shared, mask, &mut addresses, used)?;
        let failed = |lane: usize, problem| {
            Fault::new(lane, FindingKind::Mbarrier { address: addresses[lane], problem })
        };
        match barrier.kind {
            MbarrierKind::Initialise(count) => {
                let counts = *self.narrow(count);
                for lane in lanes_of(mask) {
                    self.initialise(addresses[lane], counts[lane])
                        .map_err(|problem| failed(lane, problem))?;
                }
            }
            MbarrierKind::Invalidate => {
                for lane in lanes_of(mask) {
                    self.invalidate(addresses[lane]).map_err(|problem| failed(lane, problem))?;
                }
            }
            MbarrierKind::Arrive { state, count, bytes, drops, completes } => {
                let or = |slot: Option<Slot>, value| slot.map_or([value; WARP], |slot| *self.narrow(slot));
                let (counts, bytes) = (or(count, 1), or(bytes, 0));
                let mut states = [0; WARP];
                for lane in lanes_of(mask) {
                    states[lane] = self
                        .arrive_at(addresses[lane], counts[lane], bytes[lane], drops, completes)
                        .map_err(|problem| failed(lane, problem))?;
                }
                self.write_wide(state, mask, &states);
            }
            MbarrierKind::Expect(bytes) => {
                let bytes = *self.narrow(bytes);
                for lane in lanes_of(mask) {
                    let object = self.group.mbarriers.object(addresses[lane]);
                    object
                        .and_then(|object| object.await_bytes(bytes[lane]))
                        .map_err(|problem| failed(lane, problem))?;
                }
            }
            MbarrierKind::Complete(bytes) => {
                let bytes = *self.narrow(bytes);
                for lane in lanes_of(mask) {
                    self.complete_bytes(addresses[lane], bytes[lane])
                        .map_err(|problem| failed(lane, problem))?;
                }
            }
            MbarrierKind::Test { done, state } => {
                self.take_copies(mask.trailing_zeros() as usize % WARP)?;
                let states = *self.wide(state);
                let complete = self
                    .test(mask, &addresses, |lane, phase| phase > states[lane] >> PENDING_BITS)
                    .map_err(|(lane, problem)| failed(lane, problem))?;
                self.set_predicate(done, mask, complete);
            }
            MbarrierKind::TestParity { done, parity } => {
                self.take_copies(mask.trailing_zeros() as usize % WARP)?;
                let parities = *self.narrow(parity);
                // The phase that isn't complete has the other parity.
                let complete = self
                    .test(mask, &addresses, |lane, phase| phase & 1 != u64::from(parities[lane] & 1))
                    .map_err(|(lane, problem)| failed(lane, problem))?;
                self.set_predicate(done, mask, complete);
            }
        }
        Ok(())
    }

    fn initialise(&mut self, at: u64, count: u32) -> Result<(), &'static str> {
        if !(1..=MOST).contains(&count) {
            return Err("it counts no arrivals, or more than 1048575");
        }
        match self.group.mbarriers.objects.insert(at, Object::new(count)) {
            None => Ok(()),
            Some(_) => Err("it is initialised already"),
        }
    }

    fn invalidate(&mut self, at: u64) -> Result<(), &'static str> {
        match self.group.mbarriers.objects.remove(&at) {
            None => Err("it wasn't initialised"),
            Some(Object { copies: 0, .. }) => Ok(()),
            Some(_) => Err("it goes while a copy that it counts is on its way"),
        }
    }

    /// Arrives at a barrier, and gives the phase with the arrivals that were missing before.
    fn arrive_at(
        &mut self,
        at: u64,
        count: u32,
        bytes: u32,
        drops: bool,
        completes: bool,
    ) -> Result<u64, &'static str> {
        let object = self.group.mbarriers.object(at)?;
        let state = object.phase << PENDING_BITS | u64::from(object.pending);
        object.await_bytes(bytes)?;
        object.arrive(count)?;
        if !completes && object.pending == 0 {
            return Err("an arrival that completes no phase completes one");
        }
        if drops {
            object.count = object.count.saturating_sub(count);
        }
        self.group.clocks.arrive(self.identity.warp, &mut object.arrived);
        object.settle();
        Ok(state)
    }

    /// Bytes have come that a barrier may expect.
    fn complete_bytes(&mut self, at: u64, bytes: u32) -> Result<(), &'static str> {
        let object = self.group.mbarriers.object(at)?;
        object.bytes -= i64::from(bytes);
        self.group.clocks.arrive(self.identity.warp, &mut object.arrived);
        object.settle();
        Ok(())
    }

    /// Lets threads arrive at barriers of other groups, which take that in when they look at their barriers next.
    fn arrive_at_peers(&mut self, barrier: &Mbarrier, mask: u32, addresses: &[u64; WARP], used: Use) -> Done {
        self.resolve(Memory::Shared, mask, &mut addresses.clone(), used)?;
        for lane in lanes_of(mask) {
            let at = |slot: Slot| self.narrow(slot)[lane];
            let failed =
                |problem| Fault::new(lane, FindingKind::Mbarrier { address: addresses[lane], problem });
            let (count, bytes, drops) = match barrier.kind {
                MbarrierKind::Arrive { completes: false, .. } => {
                    return Err(failed("an arrival at another group's barrier gives no state to wait with"));
                }
                MbarrierKind::Arrive { count, bytes, drops, .. } => {
                    (count.map_or(1, at), bytes.map_or(0, |bytes| at(bytes).into()), drops)
                }
                MbarrierKind::Expect(bytes) => (0, at(bytes).into(), false),
                MbarrierKind::Complete(bytes) => (0, -i64::from(at(bytes)), false),
                MbarrierKind::Initialise(_) | MbarrierKind::Invalidate => {
                    return Err(failed("only its own group begins and ends it"));
                }
                MbarrierKind::Test { .. } | MbarrierKind::TestParity { .. } => {
                    return Err(failed("only its own group waits for it"));
                }
            };
            let mut brought = Brought::default();
            self.group.clocks.arrive(self.identity.warp, &mut brought);
            let clock = brought.to_others(self.group.number);
            let (rank, offset) = peer(addresses[lane]);
            let arrival = Arrival { at: offset, count, bytes, drops, clock };
            self.core.peers.arrive(rank.unwrap_or(u64::from(self.group.rank)) as usize, arrival);
        }
        Ok(())
    }

    /// Takes in who of other groups has arrived at the group's barriers.
    fn take_arrivals(&mut self, mask: u32) -> Done {
        if !self.core.peers.are_several() {
            return Ok(());
        }
        for arrival in self.core.peers.arrivals_at(self.group.rank as usize) {
            let Arrival { at: address, count, bytes, drops, clock } = arrival;
            let took = self.group.mbarriers.object(address).and_then(|object| {
                object.bytes += bytes;
                object.arrive(count)?;
                if drops {
                    object.count = object.count.saturating_sub(count);
                }
                object.arrived.join(&clock);
                object.settle();
                Ok(())
            });
            let lane = mask.trailing_zeros() as usize % WARP;
            took.map_err(|problem| Fault::new(lane, FindingKind::Mbarrier { address, problem }))?;
        }
        Ok(())
    }

    /// Makes offsets in the group's own memory of the addresses of objects, which are in no other memory. Gives the lanes whose objects
    /// are another group's, and leaves them addresses of the cluster's memory.
    fn to_own_group(&self, memory: Memory, mask: u32, addresses: &mut [u64; WARP]) -> Done<u32> {
        let own = u64::from(self.group.rank);
        let mut beyond = 0;
        for lane in lanes_of(mask) {
            let address = addresses[lane];
            let is_generic = memory == Memory::Generic;
            let failed = |problem| Err(Fault::new(lane, FindingKind::Mbarrier { address, problem }));
            if is_generic && window(address) != 1 {
                return failed("it isn't in workgroup memory");
            }
            let address = if is_generic { address - SHARED_WINDOW } else { address };
            let (rank, offset) = peer(address);
            let is_own = rank.is_none_or(|rank| rank == own);
            addresses[lane] = if is_own { offset } else { address };
            beyond |= u32::from(!is_own) << lane;
        }
        Ok(beyond)
    }

    /// A bit for each lane whose phase is complete, of the number that it is asked with.
    fn test(
        &mut self,
        mask: u32,
        addresses: &[u64; WARP],
        is_complete: impl Fn(usize, u64) -> bool,
    ) -> Result<u32, (usize, &'static str)> {
        let mut complete = 0;
        let mut rest = mask;
        while rest != 0 {
            let first = rest.trailing_zeros() as usize;
            let at = addresses[first];
            let same =
                lanes_of(rest).filter(|&lane| addresses[lane] == at).fold(0, |all, lane| all | 1 << lane);
            rest &= !same;
            if self.group.mbarriers.object(at).map_err(|problem| (first, problem))?.lets_come() {
                let bytes = self.land_copies(at);
                let object = self.group.mbarriers.object(at).map_err(|problem| (first, problem))?;
                (object.copies, object.was_tested) = (0, false);
                object.bytes -= bytes;
                object.settle();
            }
            let object = self.group.mbarriers.object(at).map_err(|problem| (first, problem))?;
            let done = lanes_of(same).filter(|&lane| is_complete(lane, object.phase));
            let done = done.fold(0, |all, lane| all | 1 << lane);
            if done != 0 {
                self.group.clocks.depart(self.identity.warp, &object.complete);
            }
            complete |= done;
        }
        Ok(complete)
    }

    /// Counts a copy that another group sent.
    pub(super) fn count_sent(&mut self, at: u64) -> Result<(), &'static str> {
        self.group.mbarriers.object(at)?.copies += 1;
        Ok(())
    }

    /// Counts a copy that was begun, by a barrier: whoever sees it come knows of it.
    pub(super) fn count_copy(&mut self, at: u64) -> Result<(), &'static str> {
        let object = self.group.mbarriers.object(at)?;
        object.copies += 1;
        self.group.clocks.arrive(self.identity.warp, &mut object.arrived);
        Ok(())
    }
}
