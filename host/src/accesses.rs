//! The memory that a launch uses, as its arguments add it.

use std::sync::Arc;

use crate::backend::PeerUse;
use crate::submission::{Access, Kind, MemoryId, Owner};
use crate::transfer::Region;
use crate::{Device, Error};

/// Uses of memory by a launch, at most: two for each argument, which may have a list beside it, and one where the groups of a grid
/// meet.
const MOST: usize = 25;

/// A use of another device's memory by a launch.
#[derive(Clone, Debug)]
pub(crate) struct PeerAccess {
    pub(crate) device: Device,
    pub(crate) access: Access,
    /// Whether graphs use the memory too.
    pub(crate) is_shared: bool,
}

impl PeerAccess {
    /// The use as backends have it.
    pub(crate) fn of_backend(&self) -> PeerUse<'_> {
        PeerUse { peer: self.device.backend(), access: self.access }
    }
}

/// The memory that a launch's arguments use.
#[derive(Debug)]
pub struct Accesses {
    list: [Access; MOST],
    len: usize,
    /// All uses, where there are more: functions of the program may have lists of arguments.
    many: Vec<Access>,
    /// Uses of other devices' memory, which are rare.
    peers: Vec<PeerAccess>,
    is_shared: bool,
    /// The memory that a graph keeps, in a launch that the graph repeats.
    owners: Option<Vec<Arc<dyn Owner>>>,
}

impl Accesses {
    pub(crate) const fn new() -> Self {
        let none = Access { memory: MemoryId::NONE, kind: Kind::Read };
        Self {
            list: [none; MOST],
            len: 0,
            many: Vec::new(),
            peers: Vec::new(),
            is_shared: false,
            owners: None,
        }
    }

    /// The uses of a launch that a graph repeats, none yet.
    pub(crate) fn of_graph() -> Self {
        Self { owners: Some(Vec::new()), ..Self::new() }
    }

    /// Adds a use of a region. Memory of no bytes is left out.
    ///
    /// # Errors
    /// [`Error::NotForGraphs`], from a graph.
    #[inline]
    pub(crate) fn add(&mut self, region: &Region<'_>, place: impl FnOnce() -> String) -> Result<(), Error> {
        let access = region.access();
        if access.memory == MemoryId::NONE {
            return Ok(());
        }
        if self.owners.is_some() {
            self.keep(region, place)?;
        }
        self.is_shared |= region.place.is_shared;
        // Parts of one memory, of which lists have many, are one use.
        if let Some(last) = self.len.checked_sub(1).and_then(|last| self.list.get_mut(last))
            && last.memory == access.memory
        {
            if access.kind == Kind::Write {
                last.kind = Kind::Write;
            }
            return Ok(());
        }
        match self.list.get_mut(self.len) {
            Some(place) => {
                *place = access;
                self.len += 1;
            }
            None => self.add_to_many(access),
        }
        Ok(())
    }

    #[cold]
    fn add_to_many(&mut self, access: Access) {
        if self.many.is_empty() {
            self.many.extend(self.list);
        }
        self.many.push(access);
    }

    #[cold]
    fn keep(&mut self, region: &Region<'_>, place: impl FnOnce() -> String) -> Result<(), Error> {
        let owner = region.share(place)?;
        self.owners.get_or_insert_default().push(owner);
        Ok(())
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// The memory that a graph keeps.
    pub(crate) fn into_owners(self) -> Vec<Arc<dyn Owner>> {
        self.owners.unwrap_or_default()
    }

    /// Whether there can be memory of other devices: a graph is of one.
    pub(crate) fn takes_peers(&self) -> bool {
        self.owners.is_none()
    }

    /// Adds a use of a region of another device.
    pub(crate) fn add_peer(&mut self, region: &Region<'_>) {
        let access = region.access();
        if access.memory != MemoryId::NONE {
            let (device, is_shared) = (region.device.clone(), region.place.is_shared);
            self.peers.push(PeerAccess { device, access, is_shared });
        }
    }

    /// The memory of other devices.
    pub(crate) fn peers(&self) -> &[PeerAccess] {
        &self.peers
    }

    pub(crate) fn as_slice(&self) -> &[Access] {
        if self.many.is_empty() { self.list.get(..self.len).unwrap_or(&self.list) } else { &self.many }
    }
}
