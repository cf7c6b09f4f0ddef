//! Memory of a device: where it is, what it holds at first, who keeps it, and who uses it for what.

use std::fmt::Debug;
use std::num::NonZero;
use std::ptr::NonNull;

use gridwright_core::MOST_ALIGNMENT;

use super::MemoryId;

/// Memory of a device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub(crate) pointer: NonNull<u8>,
    /// The number by which the backend knows who uses the memory.
    pub(crate) id: MemoryId,
    pub(crate) home: Home,
}

// SAFETY: an address that only the backend follows, whose calls may come from any thread.
unsafe impl Send for Memory {}

/// What keeps memory alive for as long as recorded work uses it. It is dropped, and nothing else is asked of it.
pub(crate) trait Owner: Debug + Send + Sync {}

/// Where memory lies, and whether the host reaches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// Memory of the device, which the host has nothing to do with.
    Device,
    /// Memory that lies where it is used: its pages move.
    Unified,
    /// Memory of the host.
    Mapped,
    /// Memory without an address: a texture of the driver's.
    Texture,
}

/// A place in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) memory: MemoryId,
    pub(crate) pointer: NonNull<u8>,
    pub(crate) home: Home,
    /// Whether graphs use the memory too: then a borrow keeps nobody away.
    pub(crate) is_shared: bool,
}

impl Place {
    /// A place of no elements: dangling, but aligned as all memory is, and not null.
    pub(crate) fn nowhere() -> Self {
        const ALIGNED: NonZero<usize> = match NonZero::new(MOST_ALIGNMENT) {
            Some(aligned) => aligned,
            None => NonZero::<usize>::MIN,
        };
        Self {
            memory: MemoryId::NONE,
            pointer: NonNull::without_provenance(ALIGNED),
            home: Home::Device,
            is_shared: false,
        }
    }

    /// The pointer, for who may follow it.
    pub(crate) fn pointer(self) -> NonNull<u8> {
        self.pointer
    }

    /// The address, for who may follow it.
    pub(crate) fn address(&self) -> *mut u8 {
        self.pointer.as_ptr()
    }
}

// SAFETY: an address that only the backend follows, whose calls may come from any thread.
unsafe impl Send for Place {}
// SAFETY: as for `Send`: a shared place gives no access either.
unsafe impl Sync for Place {}

/// What new memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    Zero,
    Unset,
}

/// A use of memory by a launch or a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(any(feature = "cuda", feature = "hip")),
    allow(dead_code, reason = "without drivers launches run one after another")
)]
pub(crate) struct Access {
    pub(crate) memory: MemoryId,
    pub(crate) kind: Kind,
}

/// What memory is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Write,
}

/// The direction of a copy between a device, whose stream it is, and another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    ToPeer,
    FromPeer,
}
