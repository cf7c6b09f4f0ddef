//! The groups of a cluster, as they know each other.

use std::rc::Rc;

use super::bulk_copies::InFlight;
use super::mbarriers::Arrival;
use crate::checks::{Cell, Locations};
use crate::machine::Workspace;

/// A group as others of its cluster know it.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) memory: Rc<Workspace>,
    /// Who accessed each piece: across groups.
    pub(crate) accesses: Vec<Cell>,
    pub(crate) number: u64,
    pub(crate) has_ended: bool,
    /// Copies to its memory that others began.
    pub(crate) sent: Vec<InFlight>,
    /// What threads of others brought to its `mbarrier`s.
    pub(crate) arrivals: Vec<Arrival>,
}

/// The groups of a cluster.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    pub(crate) groups: Vec<Peer>,
    /// Where threads synchronise in the groups' memory.
    pub(crate) locations: Locations,
}

impl Peers {
    pub(crate) fn are_several(&self) -> bool {
        self.groups.len() > 1
    }

    /// The memory of the group of a rank.
    pub(crate) fn memory_of(&self, rank: u64) -> Option<&Workspace> {
        self.groups.get(usize::try_from(rank).ok()?).map(|group| &*group.memory)
    }

    /// Sends a copy to the group of a rank, within its memory. Gives the group's number if it has ended.
    ///
    /// # Errors
    /// If there is no such group.
    pub(crate) fn send(&mut self, rank: usize, copy: InFlight) -> Result<Option<u64>, ()> {
        let group = self.groups.get_mut(rank).ok_or(())?;
        if group.has_ended {
            return Ok(Some(group.number));
        }
        copy.announce(&group.memory);
        group.sent.push(copy);
        Ok(None)
    }

    /// Lets the group of a rank know of an arrival at one of its barriers.
    pub(crate) fn arrive(&mut self, rank: usize, arrival: Arrival) {
        if let Some(group) = self.groups.get_mut(rank) {
            group.arrivals.push(arrival);
        }
    }

    /// The arrivals of others at barriers of the group of a rank, in their order.
    pub(crate) fn arrivals_at(&mut self, rank: usize) -> Vec<Arrival> {
        self.groups.get_mut(rank).map(|group| std::mem::take(&mut group.arrivals)).unwrap_or_default()
    }

    /// What was sent to the group of a rank.
    pub(crate) fn sent_to(&mut self, rank: usize) -> Vec<InFlight> {
        self.groups.get_mut(rank).map(|group| std::mem::take(&mut group.sent)).unwrap_or_default()
    }
}
