use super::{Home, MemoryId};

/// As many as a kernel has arguments.
const MOST: usize = 12;

/// A use of memory by a launch or a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "the CPU's launches run one after another"))]
pub(crate) struct Access {
    pub(crate) memory: MemoryId,
    pub(crate) kind: Kind,
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
    /// The host looks at such memory when nobody has it borrowed: nothing may use it later without borrows.
    has_unified: bool,
}

impl Accesses {
    pub(crate) const fn new() -> Self {
        Self { list: [Access { memory: MemoryId::NONE, kind: Kind::Read }; MOST], len: 0, has_unified: false }
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

    /// Whether the host reaches some of it.
    #[allow(dead_code, reason = "what runs again without the borrows of a launch asks")]
    pub(crate) fn has_unified(&self) -> bool {
        self.has_unified
    }

    pub(crate) fn as_slice(&self) -> &[Access] {
        self.list.get(..self.len).unwrap_or(&self.list)
    }
}
