//! Memory of the host through which functions of the program work on elements of a device.

use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gridwright_core::MOST_ALIGNMENT;

use crate::allocation::Allocation;
use crate::submission::{Access, Home, Kind, MemoryId, Operation, Order, Owner, Place, Task};
use crate::transfer::Region;
use crate::{Buffer, Error, Stream};

/// The bytes that a stream's staging memory has at least.
const LEAST: usize = 4096;

/// Whether a function sees what lay in memory before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Old {
    Seen,
    Unseen,
}

/// Where a function finds an argument's elements.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// In memory that the host reaches.
    Memory(NonNull<u8>),
    /// In staging memory.
    Staging { offset: usize },
}

/// What a function of the program uses of a device: the parts that are copied to staging memory and back, and the memory that the call
/// itself uses.
#[derive(Debug)]
pub(crate) struct Staged {
    is_recorded: bool,
    parts: Vec<Part>,
    bytes: usize,
    accesses: Vec<Access>,
    owners: Vec<Arc<dyn Owner>>,
    is_shared: bool,
}

/// Elements of a device with a place in staging memory.
#[derive(Debug)]
struct Part {
    place: Place,
    offset: usize,
    bytes: usize,
    is_read: bool,
    is_written: bool,
    /// The memory, where a graph keeps it.
    owner: Option<Arc<dyn Owner>>,
}

/// A copy between a device and staging memory.
pub(crate) struct Copy<'s> {
    pub(crate) from: Place,
    pub(crate) to: Place,
    pub(crate) bytes: usize,
    owner: Option<&'s Arc<dyn Owner>>,
}

impl Staged {
    pub(crate) fn new(is_recorded: bool) -> Self {
        let (parts, accesses, owners) = (Vec::new(), Vec::new(), Vec::new());
        Self { is_recorded, parts, bytes: 0, accesses, owners, is_shared: false }
    }

    /// Adds elements of so many bytes each, which the stream's device has.
    ///
    /// # Errors
    /// [`Error::NotForGraphs`], [`Error::OutOfMemory`].
    pub(crate) fn add(
        &mut self,
        stream: &Stream,
        region: &Region<'_>,
        size: usize,
        old: Old,
        call: &'static str,
    ) -> Result<Origin, Error> {
        if region.is_empty() {
            return Ok(Origin::Memory(region.place.pointer));
        }
        if region.place.home != Home::Device {
            self.add_use(region, call)?;
            return Ok(Origin::Memory(region.place.pointer));
        }
        let owner = self.is_recorded.then(|| region.share(|| call.into())).transpose()?;
        self.is_shared |= region.place.is_shared;
        let bytes = region.len * size;
        let ends = self.bytes.checked_next_multiple_of(MOST_ALIGNMENT);
        let ends = ends.and_then(|offset| Some((offset, offset.checked_add(bytes)?)));
        let (offset, end) = ends.ok_or_else(|| Error::OutOfMemory {
            device: stream.device().name().into(),
            requested: self.bytes as u128 + bytes as u128,
            free: None,
            total: None,
        })?;
        self.bytes = end;
        let (is_read, is_written) = (old == Old::Seen, region.kind == Kind::Write);
        // Whoever makes the copies keeps replays away.
        let place = Place { is_shared: false, ..region.place };
        self.parts.push(Part { place, offset, bytes, is_read, is_written, owner });
        Ok(Origin::Staging { offset })
    }

    /// Adds a use of memory by the call itself. Memory of no bytes is left out.
    ///
    /// # Errors
    /// [`Error::NotForGraphs`].
    pub(crate) fn add_use(&mut self, region: &Region<'_>, call: &'static str) -> Result<(), Error> {
        if region.place.memory == MemoryId::NONE {
            return Ok(());
        }
        if self.is_recorded {
            self.owners.push(region.share(|| call.into())?);
        }
        self.is_shared |= region.place.is_shared;
        self.accesses.push(region.access());
        Ok(())
    }

    /// The bytes of staging memory that the call needs.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether graphs use some of the memory too.
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// The uses of memory by the call itself.
    pub(crate) fn of_call(&self, staging: Place) -> Vec<Access> {
        let mut accesses = self.accesses.clone();
        if self.bytes > 0 {
            accesses.push(Access { memory: staging.memory, kind: Kind::Write });
        }
        accesses
    }

    /// The uses of the device's memory by the call and its copies.
    pub(crate) fn all(&self) -> Vec<Access> {
        let access = |part: &Part| {
            let kind = if part.is_written { Kind::Write } else { Kind::Read };
            Access { memory: part.place.memory, kind }
        };
        self.parts.iter().map(access).chain(self.accesses.iter().copied()).collect()
    }

    /// The copies to staging memory.
    pub(crate) fn before(&self, staging: Place) -> impl Iterator<Item = Copy<'_>> {
        let read = self.parts.iter().filter(|part| part.is_read);
        read.map(move |part| Copy {
            from: part.place,
            to: part.in_staging(staging),
            bytes: part.bytes,
            owner: part.owner.as_ref(),
        })
    }

    /// The copies back.
    pub(crate) fn after(&self, staging: Place) -> impl Iterator<Item = Copy<'_>> {
        let written = self.parts.iter().filter(|part| part.is_written);
        written.map(move |part| Copy {
            from: part.in_staging(staging),
            to: part.place,
            bytes: part.bytes,
            owner: part.owner.as_ref(),
        })
    }

    /// The owners of the memory that the call itself uses.
    pub(crate) fn take_owners(&mut self) -> Vec<Arc<dyn Owner>> {
        std::mem::take(&mut self.owners)
    }
}

impl Part {
    fn in_staging(&self, staging: Place) -> Place {
        // SAFETY: staging memory has the bytes of all parts.
        Place { pointer: unsafe { staging.pointer.add(self.offset) }, ..staging }
    }
}

impl Copy<'_> {
    /// The copy as an operation of a graph, which keeps both memories.
    pub(crate) fn recorded(&self, staging: Option<&Arc<Allocation>>) -> Operation {
        let &Self { from, to, bytes, owner } = self;
        let of_staging = staging.map(|memory| Arc::clone(memory) as Arc<dyn Owner>);
        Operation {
            task: Task::Copy { from, to, bytes },
            accesses: vec![
                Access { memory: from.memory, kind: Kind::Read },
                Access { memory: to.memory, kind: Kind::Write },
            ],
            order: Order::Memory,
            after: Vec::new(),
            _owners: owner.cloned().into_iter().chain(of_staging).collect(),
        }
    }
}

/// A stream's staging memory, which its calls use one after another. Whoever gives the stream copies and a call keeps it until all are given.
#[derive(Debug, Default)]
pub(crate) struct Staging(Mutex<Option<Buffer<u8>>>);

impl Staging {
    pub(crate) fn lock(&self) -> StagingTurn<'_> {
        // Whoever panicked with it had exchanged it, or not.
        StagingTurn(self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A stream's staging memory while a call has it.
pub(crate) struct StagingTurn<'s>(MutexGuard<'s, Option<Buffer<u8>>>);

impl StagingTurn<'_> {
    /// Memory of at least so many bytes: what there is, or new memory, as that of pinned pages takes long.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn room(&mut self, stream: &Stream, bytes: usize) -> Result<Place, Error> {
        if bytes == 0 {
            return Ok(Place::nowhere());
        }
        if let Some(there) = self.0.as_ref().filter(|there| there.len() >= bytes) {
            return Ok(there.place());
        }
        let grown = bytes.max(LEAST).checked_next_power_of_two().unwrap_or(bytes);
        let memory = allocate(stream, grown)
            .or_else(|error| if grown > bytes { allocate(stream, bytes) } else { Err(error) })?;
        let place = memory.place();
        // What there was is freed behind its uses.
        *self.0 = Some(memory);
        Ok(place)
    }
}

/// New staging memory.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn allocate(stream: &Stream, bytes: usize) -> Result<Buffer<u8>, Error> {
    Buffer::unified(stream, bytes, Home::Mapped)
}
