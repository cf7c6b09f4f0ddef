//! Strong accesses, which are relaxed, volatile or stronger, atomic operations and fences: what they order, for the check of races.
//!
//! A release pattern (a fence and a strong write, or a write that releases) synchronises with each strong read that sees the
//! write, or a read-modify-write in a chain behind it. That a fence stands behind the read isn't asked.

use std::sync::Arc;

use super::state::ActiveLanes;
use crate::checks::{Clocks, Locations, Member};
use crate::instruction::{Access, Atomic, Level, Memory};
use crate::machine::{Done, SHARED_WINDOW, WARP, lanes_of, peer, window};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strong {
    Load,
    Store,
    /// A read-modify-write.
    Update,
}

/// What of an access orders lanes.
#[derive(Debug, Clone, Copy)]
struct Order {
    strong: Strong,
    /// Up to which scope the access itself releases.
    release: Level,
    scope: Level,
}

impl Order {
    /// Takes in an access of a thread to a location.
    fn take_in(self, locations: &mut Locations, at: u64, by: Member, clocks: &mut Clocks) {
        let (warp, lane) = (usize::from(by.thread) / WARP, usize::from(by.thread) % WARP);
        if self.strong != Strong::Store {
            locations.acquire(at, self.scope, by, |clock| clocks.acquire(warp, lane, clock));
        }
        if self.strong != Strong::Load {
            let released = clocks.release(warp, lane, self.release, self.scope);
            locations.release(at, by, self.strong == Strong::Update, &released);
        }
    }
}

impl ActiveLanes<'_> {
    pub(super) fn strong_load(&mut self, access: &Access, mask: u32) -> Done {
        self.in_order(access, Strong::Load, mask, |lanes| lanes.load(access, mask))
    }

    pub(super) fn strong_store(&mut self, access: &Access, mask: u32) -> Done {
        self.in_order(access, Strong::Store, mask, |lanes| lanes.store(access, mask))
    }

    pub(super) fn strong_update(&mut self, atomic: &Atomic, mask: u32) -> Done {
        self.in_order(&atomic.access, Strong::Update, mask, |lanes| lanes.atomic(atomic, mask))
    }

    /// Makes an access, and takes in what it orders. In device memory both are one for all host threads: of two updates the later
    /// one is the later one everywhere.
    fn in_order(
        &mut self,
        access: &Access,
        strong: Strong,
        mask: u32,
        make: impl FnOnce(&mut Self) -> Done,
    ) -> Done {
        let checks = self.core.checks;
        if !(checks.device_races || checks.workgroup_races)
            || matches!(access.memory, Memory::Const | Memory::Local)
        {
            return make(self);
        }
        // The access may overwrite the register of its own address.
        let addresses = self.addresses(access);
        let shared = Arc::clone(&self.core.shared);
        let order = Order { strong, release: access.release, scope: access.scope };
        if order.release != Level::None {
            shared.synchronisation.begin_use();
        }
        let is_held =
            access.memory != Memory::Shared && (strong == Strong::Update || shared.synchronisation.is_used());
        let mut held = is_held.then(|| shared.synchronisation.enter());
        make(self)?;
        if !shared.synchronisation.is_used() {
            return Ok(());
        }
        let elements = access.values.len().max(1) as u64;
        let cluster = self.group.cluster;
        for lane in lanes_of(mask) {
            let by = Member { cluster, group: self.group.number, thread: self.thread(lane) as u16 };
            for element in 0..elements {
                let address = addresses[lane].wrapping_add(element * u64::from(access.size));
                let in_group = match access.memory {
                    Memory::Shared => Some(address),
                    _ => (window(address) == 1).then(|| address - SHARED_WINDOW),
                };
                let clocks = &mut self.group.clocks;
                match in_group {
                    Some(address) => {
                        let (rank, offset) = peer(address);
                        let at = rank.unwrap_or(self.group.rank.into()) << 32 | offset;
                        order.take_in(&mut self.core.peers.locations, at, by, clocks);
                    }
                    None => {
                        let held = held.get_or_insert_with(|| shared.synchronisation.enter());
                        order.take_in(held, address, by, clocks);
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn fence(&mut self, level: Level, mask: u32) {
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        let checks = self.core.checks;
        if checks.device_races || checks.workgroup_races {
            self.core.shared.synchronisation.begin_use();
            self.group.clocks.fence(self.identity.warp, mask, level);
        }
    }
}
