//! What of the arena is allocated, by whom, and who may use it.

use std::collections::BTreeMap;
use std::ffi::c_uint;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::abi::Out;
use crate::arena::PAGE;
use crate::context::{Context, current};
use crate::error::Error;
use crate::locks::lock;
use crate::process::{Process, process};
use crate::shared::pool::{Pool, READ_AND_WRITE};

/// What new memory is filled with, so that nobody relies on zeros.
const PATTERN: u8 = 0xa5;
/// Bytes of new memory that are filled: more would take long.
const FILLED: u64 = 1 << 20;
/// What a device's memory begins at a multiple of.
const ALIGNMENT: u64 = 256;

/// What memory is for.
#[derive(Clone)]
pub(crate) enum Origin {
    /// A device's own.
    Device,
    /// A device's own, allocated in a stream's order.
    Pool(Arc<Pool>),
    /// The image of a module.
    Image,
    /// The host's, which all devices reach.
    Pinned,
    /// Of both.
    Managed,
}

impl Origin {
    /// Whether the host follows pointers to it.
    pub(crate) fn is_of_host(&self) -> bool {
        matches!(self, Self::Pinned | Self::Managed)
    }
}

#[derive(Clone)]
pub(crate) struct Allocation {
    pub(crate) bytes: u64,
    /// Its pages.
    area: (u64, u64),
    pub(crate) context: &'static Context,
    pub(crate) origin: Origin,
    pub(crate) flags: c_uint,
    /// Whether the memory will be freed in a stream's order.
    is_leaving: bool,
}

impl Allocation {
    /// Whether kernels of a device reach it.
    fn is_reached_by(&self, context: &Context) -> bool {
        match &self.origin {
            Origin::Pinned | Origin::Managed => true,
            Origin::Device => self.context.is(context) || lock(&context.peers).contains(&self.context.device),
            Origin::Pool(pool) => self.context.is(context) || pool.access(context.device) == READ_AND_WRITE,
            Origin::Image => self.context.is(context),
        }
    }
}

pub(crate) static ALLOCATIONS: Allocations =
    Allocations { by_address: Mutex::new(BTreeMap::new()), changes: AtomicU64::new(1) };

/// What is allocated, of all devices.
pub(crate) struct Allocations {
    by_address: Mutex<BTreeMap<u64, Allocation>>,
    /// Counts what changes who reaches what.
    changes: AtomicU64,
}

impl Allocations {
    /// Memory, with a pattern in it unless it is the host's.
    ///
    /// # Errors
    /// If there isn't as much.
    pub(crate) fn allocate(
        &self,
        process: &Process,
        context: &'static Context,
        bytes: usize,
        origin: Origin,
        flags: c_uint,
    ) -> Result<u64, Error> {
        let bytes = bytes as u64;
        if bytes == 0 {
            return Err(Error::INVALID_VALUE);
        }
        let mut by_address = lock(&self.by_address);
        let of_device = !origin.is_of_host();
        if of_device && bytes > process.gpus[context.device].free() {
            return Err(Error::OUT_OF_MEMORY);
        }
        let start = process.arena.take(bytes).ok_or(Error::OUT_OF_MEMORY)?;
        let area = (start, bytes.next_multiple_of(PAGE));
        // At the end of its pages: what is behind it is nobody's.
        let is_at_end = matches!(origin, Origin::Device | Origin::Pool(_));
        let address = if is_at_end { start + area.1 - bytes.next_multiple_of(ALIGNMENT) } else { start };
        if origin.is_of_host() {
            process.arena.open(area.0, area.1).map_err(|_| Error::OUT_OF_MEMORY)?;
        } else {
            process.arena.fill(address, &[PATTERN], bytes.min(FILLED));
            process.gpus[context.device].used.fetch_add(bytes, Ordering::Relaxed);
        }
        if let Origin::Pool(pool) = &origin {
            pool.took(bytes);
        }
        by_address.insert(address, Allocation { bytes, area, context, origin, flags, is_leaving: false });
        self.note_change();
        Ok(address)
    }

    /// Frees the memory that begins at an address, at once, if it is so: what is queued and uses it fails.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn free(
        &self,
        process: &Process,
        address: u64,
        is_so: impl Fn(&Origin) -> bool,
    ) -> Result<(), Error> {
        let mut by_address = lock(&self.by_address);
        by_address
            .get(&address)
            .filter(|allocation| is_so(&allocation.origin))
            .ok_or(Error::INVALID_VALUE)?;
        if let Some(allocation) = by_address.remove(&address) {
            self.give_back(process, &allocation);
        }
        Ok(())
    }

    fn give_back(&self, process: &Process, allocation: &Allocation) {
        if !allocation.origin.is_of_host() {
            process.gpus[allocation.context.device].used.fetch_sub(allocation.bytes, Ordering::Relaxed);
        }
        if let Origin::Pool(pool) = &allocation.origin {
            pool.gave(allocation.bytes);
        }
        self.note_change();
        process.arena.give_back(allocation.area.0, allocation.area.1);
    }

    /// Marks memory of a pool that a stream will free. A second time it isn't there any more.
    pub(crate) fn leave(&self, address: u64) -> Result<(), Error> {
        let mut by_address = lock(&self.by_address);
        let allocation = by_address.get_mut(&address).ok_or(Error::INVALID_VALUE)?;
        if allocation.is_leaving || !matches!(allocation.origin, Origin::Pool(_)) {
            return Err(Error::INVALID_VALUE);
        }
        allocation.is_leaving = true;
        Ok(())
    }

    pub(crate) fn free_all(&self, process: &Process, context: &Context) {
        lock(&self.by_address).retain(|_, allocation| {
            let stays = !allocation.context.is(context);
            if !stays {
                self.give_back(process, allocation);
            }
            stays
        });
    }

    /// The allocation that holds an address, and where it begins.
    pub(crate) fn find(&self, address: u64) -> Option<(u64, Allocation)> {
        let by_address = lock(&self.by_address);
        let (&start, allocation) = by_address.range(..=address).next_back()?;
        (address - start < allocation.bytes).then(|| (start, allocation.clone()))
    }

    /// Whether one allocation holds a range.
    pub(crate) fn is_covered(&self, address: u64, bytes: u64) -> bool {
        self.find(address).is_some_and(|(start, allocation)| bytes <= allocation.bytes - (address - start))
    }

    pub(crate) fn note_change(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// The pages that kernels of a device reach: where they begin, and their bytes.
    pub(crate) fn reached_by(&self, context: &Context) -> BTreeMap<u64, u64> {
        let by_address = lock(&self.by_address);
        by_address.values().filter(|allocation| allocation.is_reached_by(context)).map(|a| a.area).collect()
    }

    /// Makes memory, or the front of it, what new memory is: anything but zeros.
    pub(crate) fn scramble(&self, process: &Process, address: u64, bytes: u64) {
        if self.is_covered(address, bytes) {
            process.arena.fill(address, &[PATTERN], bytes.min(FILLED));
        }
    }
}

/// Frees what `is_so` at an address, behind all work of the device that it is of.
pub(crate) fn free_when_idle(address: u64, is_so: impl Fn(&Origin) -> bool) -> Result<(), Error> {
    let process = process()?;
    current()?;
    if address == 0 {
        return Ok(());
    }
    let found = ALLOCATIONS.find(address).filter(|(start, _)| *start == address);
    let (_, allocation) = found.ok_or(Error::INVALID_VALUE)?;
    if !is_so(&allocation.origin) {
        return Err(Error::INVALID_VALUE);
    }
    allocation.context.synchronize()?;
    ALLOCATIONS.free(process, address, is_so)
}

hip! {
    /// The memory has a pattern in it. None for no bytes.
    fn hipMalloc(address: Out<u64>, bytes: usize) {
        let context = current()?;
        let process = process()?;
        if address.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        if bytes == 0 {
            return address.put(0);
        }
        address.put(ALLOCATIONS.allocate(process, context, bytes, Origin::Device, 0)?)
    }

    /// Waits for the device, as HIP's documents say.
    fn hipFree(address: u64) {
        free_when_idle(address, |origin| matches!(origin, Origin::Device | Origin::Pool(_) | Origin::Managed))
    }

    fn hipMemGetInfo(free: Out<usize>, total: Out<usize>) {
        let context = current()?;
        let process = process()?;
        let gpu = &process.gpus[context.device];
        free.put(gpu.free() as usize)?;
        total.put(gpu.memory as usize)
    }

    fn hipMemGetAddressRange(start: Out<u64>, bytes: Out<usize>, address: u64) {
        current()?;
        let (base, allocation) = ALLOCATIONS.find(address).ok_or(Error::NOT_FOUND)?;
        start.put_if_asked(base);
        bytes.put_if_asked(allocation.bytes as usize);
        Ok(())
    }
}
