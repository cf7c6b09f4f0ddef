//! Locations at which threads release what they did, for those who read what was written there.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::clock::Clock;
use crate::instruction::Level;

/// A thread as scopes tell it from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) cluster: u32,
    pub(crate) group: u32,
    pub(crate) thread: u16,
}

/// What a strong write hands to those who read it: to its group, to its cluster and to all.
#[derive(Debug, Clone, Default)]
pub(crate) struct Released {
    pub(crate) group: Clock,
    pub(crate) cluster: Clock,
    pub(crate) device: Clock,
    /// The write itself, which is part of a release that the thread made before at the same location.
    pub(crate) own: Option<Own>,
}

/// The count of a group's warp's lane below which its strong writes are handed over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Own {
    pub(crate) group: u32,
    pub(crate) warp: usize,
    pub(crate) lane: usize,
    pub(crate) count: u32,
}

impl Own {
    fn join_into(self, clock: &mut Clock) {
        if !clock.is_empty() {
            let mut row = [0; 32];
            row[self.lane] = self.count;
            clock.learn_lanes(self.group, self.warp, row);
        }
    }
}

impl Released {
    fn is_empty(&self) -> bool {
        self.group.is_empty() && self.cluster.is_empty() && self.device.is_empty()
    }
}

/// Who alone reads what is released for less than all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Group(u32),
    Cluster(u32),
}

#[derive(Debug)]
struct Location {
    device: Clock,
    /// What is for some only, where it is more than what is for all.
    narrow: Vec<(Reach, Clock)>,
    /// Who stored last, of those that weren't read-modify-writes.
    by: Member,
    /// Whether threads of other groups released here, too.
    is_mixed: bool,
}

impl Location {
    fn join(&mut self, by: Member, released: &Released) {
        self.is_mixed |= self.by.group != by.group;
        if let Some(own) = released.own.filter(|_| self.by == by) {
            own.join_into(&mut self.device);
            self.narrow.iter_mut().for_each(|(_, clock)| own.join_into(clock));
        }
        self.device.join(&released.device);
        for (reach, clock) in
            [(Reach::Cluster(by.cluster), &released.cluster), (Reach::Group(by.group), &released.group)]
        {
            if clock.is_empty() || clock.is(&released.device) {
                continue;
            }
            match self.narrow.iter_mut().find(|(known, _)| *known == reach) {
                Some((_, all)) => all.join(clock),
                None => self.narrow.push((reach, clock.clone())),
            }
        }
    }

    fn join_into(&self, scope: Level, by: Member, acquired: &mut impl FnMut(&Clock)) {
        // A reader of narrow scope synchronises with its own group's writers only.
        let is_own = !self.is_mixed && self.by.group == by.group;
        if scope > Level::Group || is_own || self.is_mixed {
            acquired(&self.device);
        }
        for (reach, clock) in &self.narrow {
            let is_for = match *reach {
                Reach::Group(group) => group == by.group,
                Reach::Cluster(cluster) => cluster == by.cluster && (scope > Level::Group || is_own),
            };
            if is_for {
                acquired(clock);
            }
        }
    }
}

/// The locations of a memory that threads synchronise at, by some number that tells them apart.
#[derive(Debug, Default)]
pub(crate) struct Locations {
    all: HashMap<u64, Location>,
}

impl Locations {
    pub(crate) fn clear(&mut self) {
        self.all.clear();
    }

    /// Takes in a strong write. A read-modify-write hands on what was released before it; another store takes its place, but for
    /// what its own thread released.
    pub(crate) fn release(&mut self, at: u64, by: Member, is_update: bool, released: &Released) {
        if let Some(location) = self.all.get_mut(&at) {
            if is_update || location.by == by {
                location.join(by, released);
                return;
            }
            self.all.remove(&at);
        }
        if !released.is_empty() {
            let mut location = Location { device: Clock::default(), narrow: Vec::new(), by, is_mixed: false };
            location.join(by, released);
            self.all.insert(at, location);
        }
    }

    /// Gives what a strong read of a scope gets to know.
    pub(crate) fn acquire(&self, at: u64, scope: Level, by: Member, mut acquired: impl FnMut(&Clock)) {
        if let Some(location) = self.all.get(&at) {
            location.join_into(scope, by, &mut acquired);
        }
    }
}

/// The locations of a launch in device memory.
#[derive(Debug, Default)]
pub(crate) struct Synchronisation {
    is_used: AtomicBool,
    locations: Mutex<Locations>,
}

impl Synchronisation {
    /// Whether some thread fenced or released anything so far.
    pub(crate) fn is_used(&self) -> bool {
        self.is_used.load(Ordering::Relaxed)
    }

    pub(crate) fn begin_use(&self) {
        if !self.is_used() {
            self.is_used.store(true, Ordering::Relaxed);
        }
    }

    /// The locations. Who holds them makes an access and takes it in as one: the order of both is the same then.
    pub(crate) fn enter(&self) -> MutexGuard<'_, Locations> {
        self.locations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock::Moment;
    use super::*;

    fn member(cluster: u32, group: u32, thread: u16) -> Member {
        Member { cluster, group, thread }
    }

    fn did(group: u32) -> Clock {
        let mut clock = Clock::default();
        clock.learn_warps(group, &[1]);
        clock
    }

    fn for_all(group: u32) -> Released {
        Released { group: did(group), cluster: did(group), device: did(group), own: None }
    }

    /// The groups that a reader knows of afterwards.
    fn known(locations: &Locations, scope: Level, by: Member) -> Vec<u32> {
        let mut all = Clock::default();
        locations.acquire(8, scope, by, |clock| all.join(clock));
        (0..10)
            .filter(|&group| all.knows(Moment { group, thread: 0, warp_count: 0, epoch: u32::MAX - 1 }))
            .collect()
    }

    #[test]
    fn updates_hand_on_what_was_released_and_stores_take_its_place() {
        let mut locations = Locations::default();
        let reader = member(9, 9, 0);
        locations.release(8, member(1, 1, 0), false, &for_all(1));
        locations.release(8, member(2, 2, 0), true, &Released::default());
        assert_eq!(known(&locations, Level::Device, reader), [1]);
        locations.release(8, member(3, 3, 0), true, &for_all(3));
        assert_eq!(known(&locations, Level::Device, reader), [1, 3]);
        locations.release(8, member(1, 1, 0), false, &Released::default());
        assert_eq!(known(&locations, Level::Device, reader), [1, 3], "its own thread's store");
        locations.release(8, member(1, 1, 1), false, &Released::default());
        assert!(known(&locations, Level::Device, reader).is_empty());
    }

    #[test]
    fn scopes_say_who_gets_to_know() {
        let mut locations = Locations::default();
        let narrow = Released { group: did(1), ..Released::default() };
        locations.release(8, member(1, 1, 0), false, &narrow);
        assert_eq!(known(&locations, Level::Device, member(1, 1, 1)), [1]);
        assert!(known(&locations, Level::Device, member(1, 2, 0)).is_empty());
        locations.release(
            8,
            member(1, 1, 0),
            true,
            &Released { cluster: did(2), group: did(2), ..Released::default() },
        );
        assert_eq!(known(&locations, Level::Cluster, member(1, 2, 0)), [2]);
        assert!(known(&locations, Level::Group, member(1, 2, 0)).is_empty());
        assert!(known(&locations, Level::Device, member(2, 3, 0)).is_empty());
    }

    #[test]
    fn a_reader_of_narrow_scope_learns_nothing_of_another_group() {
        let mut locations = Locations::default();
        locations.release(8, member(1, 1, 0), false, &for_all(1));
        assert_eq!(known(&locations, Level::Group, member(1, 1, 5)), [1]);
        assert!(known(&locations, Level::Group, member(1, 2, 0)).is_empty());
    }
}
