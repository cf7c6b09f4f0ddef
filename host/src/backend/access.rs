use super::{Home, MemoryId};
use crate::Device;

/// As many as a kernel has arguments.
const MOST: usize = 12;

/// A use of memory by a launch or a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "the CPU's launches run one after another"))]
pub(crate) struct Access {
    pub(crate) memory: MemoryId,
    pub(crate) kind: Kind,
}

/// A use of another device's memory by a launch.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "the CPU's launches run one after another"))]
pub(crate) struct PeerAccess {
    pub(crate) device: Device,
    pub(crate) access: Access,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Write,
}

/// The memory that a launch's arguments use.
#[derive(Debug)]
pub struct Accesses {
    list: [Access; MOST],
    len: usize,
    /// Of other devices, which is rare.
    peers: Vec<PeerAccess>,
    /// The host looks at such memory when nobody has it borrowed: nothing may use it later without borrows.
    has_unified: bool,
}

impl Accesses {
    pub(crate) const fn new() -> Self {
        Self {
            list: [Access { memory: MemoryId::NONE, kind: Kind::Read }; MOST],
            len: 0,
            peers: Vec::new(),
            has_unified: false,
        }
    }

    /// Memory of no bytes is left out.
    pub(crate) fn push(&mut self, access: Access, home: Home) {
        self.has_unified |= home != Home::Device;
        if access.memory != MemoryId::NONE
            && let Some(place) = self.list.get_mut(self.len)
        {
            *place = access;
            self.len += 1;
        }
    }

    /// Memory of another device.
    pub(crate) fn push_peer(&mut self, device: &Device, access: Access, home: Home) {
        self.has_unified |= home != Home::Device;
        if access.memory != MemoryId::NONE {
            self.peers.push(PeerAccess { device: device.clone(), access });
        }
    }

    /// The memory of other devices.
    pub(crate) fn peers(&self) -> &[PeerAccess] {
        &self.peers
    }

    /// Whether the host reaches some of it.
    #[allow(dead_code, reason = "what runs again without the borrows of a launch asks")]
    pub(crate) fn has_unified(&self) -> bool {
        self.has_unified
    }

    pub(crate) fn as_slice(&self) -> &[Access] {
        self.list.get(..self.len).unwrap_or(&self.list)
    }
}
