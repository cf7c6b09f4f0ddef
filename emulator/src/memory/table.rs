//! Which addresses are whose.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use super::Backing;
use crate::report::{Allocation, MemoryError};

/// Device addresses begin here, above all addresses of hosts: mapped memory keeps its host address.
const FIRST: u64 = 1 << 52;
/// Allocations begin at multiples of this.
const ALIGNMENT: u64 = 512;
/// Unused addresses behind each allocation.
const GAP: u64 = 1 << 20;
/// How reports call memory that processes share.
const SHARED: &str = "memory that processes share";
/// How many freed ranges are remembered.
const MOST_FREED: usize = 1 << 14;

#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub(crate) start: u64,
    pub(crate) backing: Arc<Backing>,
}

impl Region {
    pub(crate) fn end(&self) -> u64 {
        self.start + self.backing.len() as u64
    }

    fn describe(&self) -> Allocation {
        Allocation { address: self.start, bytes: self.backing.len() as u64, name: self.backing.name.clone() }
    }
}

/// A state of the memory that doesn't change.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    /// Regions by their addresses.
    regions: Vec<Region>,
    freed: VecDeque<(u64, u64)>,
}

impl Table {
    /// The allocation that holds an address.
    pub(crate) fn find(&self, address: u64) -> Option<&Region> {
        let next = self.regions.partition_point(|region| region.start <= address);
        let region = self.regions.get(next.checked_sub(1)?)?;
        (address < region.end() || region.backing.len() == 0 && address == region.start).then_some(region)
    }

    pub(crate) fn was_freed(&self, address: u64) -> bool {
        self.freed.iter().any(|&(start, end)| (start..end).contains(&address))
    }

    pub(crate) fn nearest(&self, address: u64) -> Option<Allocation> {
        let next = self.regions.partition_point(|region| region.start <= address);
        let before = next.checked_sub(1).and_then(|index| self.regions.get(index));
        let behind = self.regions.get(next);
        let distance = |region: &Region| {
            if address < region.start { region.start - address } else { address.saturating_sub(region.end()) }
        };
        let nearest = before.into_iter().chain(behind).min_by_key(|region| distance(region))?;
        Some(nearest.describe())
    }
}

#[derive(Debug)]
struct Budget {
    next: u64,
    used: u64,
}

#[derive(Debug)]
pub(crate) struct DeviceMemory {
    capacity: u64,
    table: RwLock<Arc<Table>>,
    version: AtomicU64,
    budget: Mutex<Budget>,
}

impl DeviceMemory {
    pub(crate) fn new(capacity: u64) -> Self {
        Self {
            capacity,
            table: RwLock::default(),
            version: AtomicU64::new(0),
            budget: Mutex::new(Budget { next: FIRST, used: 0 }),
        }
    }

    pub(crate) fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Number that changes with each change of the table.
    #[inline]
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(crate) fn capacity(&self) -> u64 {
        self.capacity
    }

    pub(crate) fn used(&self) -> u64 {
        self.budget().used
    }

    fn budget(&self) -> MutexGuard<'_, Budget> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Table) -> T) -> T {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        let result = change(Arc::make_mut(&mut table));
        self.version.fetch_add(1, Ordering::Release);
        result
    }

    fn insert(&self, region: Region) {
        self.change(|table| {
            let (start, end) = (region.start, region.end());
            let at = table.regions.partition_point(|known| known.start < start);
            table.regions.insert(at, region);
            // Addresses of the host are used again.
            table.freed.retain(|&(old, old_end)| old_end <= start || end <= old);
        });
    }

    pub(crate) fn allocate(
        &self,
        bytes: u64,
        name: Option<String>,
        read_only: bool,
    ) -> Result<u64, MemoryError> {
        self.place(bytes, |len| Backing::allocate(len, name, read_only))
    }

    /// Gives memory the next device address.
    fn place(&self, bytes: u64, make: impl FnOnce(usize) -> Option<Backing>) -> Result<u64, MemoryError> {
        let mut budget = self.budget();
        let free = self.capacity - budget.used;
        let error = MemoryError::OutOfMemory { asked: bytes, free, capacity: self.capacity };
        if bytes > free {
            return Err(error);
        }
        let len = usize::try_from(bytes).map_err(|_| error.clone())?;
        let backing = make(len).ok_or(error)?;
        let start = budget.next;
        budget.next += bytes.next_multiple_of(ALIGNMENT) + GAP;
        budget.used += bytes;
        drop(budget);
        self.insert(Region { start, backing: Arc::new(backing) });
        Ok(start)
    }

    /// Memory for a variable that the host has too: at the host's own address.
    pub(crate) fn allocate_managed(&self, bytes: u64, name: String) -> Result<u64, MemoryError> {
        let error = || MemoryError::OutOfMemory { asked: bytes, free: 0, capacity: self.capacity };
        let len = usize::try_from(bytes).map_err(|_| error())?;
        let backing = Backing::allocate(len, Some(name), false).ok_or_else(error)?;
        let start = backing.pointer().expose_provenance() as u64;
        if start.saturating_add(bytes) >= FIRST {
            return Err(error());
        }
        self.insert(Region { start, backing: Arc::new(backing) });
        Ok(start)
    }

    /// Frees a variable, managed or not.
    pub(crate) fn free_variable(&self, address: u64) -> Result<(), MemoryError> {
        if address < FIRST { self.unmap(address) } else { self.free(address) }
    }

    pub(crate) fn free(&self, address: u64) -> Result<(), MemoryError> {
        if address < FIRST {
            return Err(MemoryError::NotAllocated { address });
        }
        let region = self.remove(address).ok_or_else(|| match self.table().was_freed(address) {
            true => MemoryError::Freed { address, bytes: 0 },
            false => MemoryError::NotAllocated { address },
        })?;
        self.budget().used -= region.backing.len() as u64;
        Ok(())
    }

    fn remove(&self, address: u64) -> Option<Region> {
        self.change(|table| {
            let at = table.regions.binary_search_by_key(&address, |region| region.start).ok()?;
            let region = table.regions.remove(at);
            if table.freed.len() == MOST_FREED {
                table.freed.pop_front();
            }
            // An empty allocation has an address too.
            table.freed.push_back((region.start, region.end().max(region.start + 1)));
            Some(region)
        })
    }

    /// # Safety
    /// As [`Backing::map`], until it is unmapped and no launch and no call runs that began before.
    pub(crate) unsafe fn map(&self, pointer: *mut u8, len: usize) -> Result<u64, MemoryError> {
        let address = pointer as u64;
        let bytes = len as u64;
        let error = MemoryError::NotMappable { address, bytes };
        let end = address.checked_add(bytes).filter(|&end| end < FIRST).ok_or_else(|| error.clone())?;
        let overlaps = |region: &Region| region.start < end && address < region.end();
        if pointer.is_null() || len == 0 || self.table().regions.iter().any(overlaps) {
            return Err(error);
        }
        // SAFETY: the caller says that the bytes stay until what runs now is over, which is as long as anybody has the backing.
        let backing = unsafe { Backing::map(pointer, len, "mapped host memory") };
        self.insert(Region { start: address, backing: Arc::new(backing) });
        Ok(address)
    }

    /// Memory that processes share, at a device address.
    ///
    /// # Safety
    /// As [`Backing::map`], until it is freed and no launch and no call runs that began before.
    pub(crate) unsafe fn adopt(&self, pointer: *mut u8, len: usize) -> Result<u64, MemoryError> {
        // SAFETY: the caller says that the bytes stay until what runs now is over, which is as long as anybody has the backing.
        self.place(len as u64, |len| Some(unsafe { Backing::map(pointer, len, SHARED) }))
    }

    /// Moves an allocation into memory that processes share. Its address stays.
    ///
    /// # Safety
    /// As [`adopt`](Self::adopt), for as many bytes as the allocation has. Nothing runs that uses the allocation.
    pub(crate) unsafe fn relocate(&self, address: u64, pointer: *mut u8) -> Result<(), MemoryError> {
        self.change(|table| {
            let at = table.regions.binary_search_by_key(&address, |region| region.start);
            let region = at.ok().and_then(|at| table.regions.get_mut(at));
            let region = region.ok_or(MemoryError::NotAllocated { address })?;
            let mut bytes = vec![0; region.backing.len()];
            region.backing.read(0, &mut bytes);
            // SAFETY: the caller says that as many bytes stay until the allocation is freed and what ran then is over.
            let shared = unsafe { Backing::map(pointer, bytes.len(), SHARED) };
            shared.write(0, &bytes);
            region.backing = Arc::new(shared);
            Ok(())
        })
    }

    pub(crate) fn unmap(&self, address: u64) -> Result<(), MemoryError> {
        if address >= FIRST || self.remove(address).is_none() {
            return Err(MemoryError::NotAllocated { address });
        }
        Ok(())
    }

    /// The allocation that holds all of a range, and the range's offset in it.
    pub(crate) fn range(&self, address: u64, bytes: u64) -> Result<(Arc<Backing>, usize), MemoryError> {
        let table = self.table();
        if let Some(region) = table.find(address) {
            let offset = address - region.start;
            if bytes <= region.backing.len() as u64 - offset {
                return Ok((Arc::clone(&region.backing), offset as usize));
            }
        }
        // The end of an allocation is a fine place for nothing.
        if bytes == 0
            && let Some(region) = table.find(address.wrapping_sub(1))
        {
            return Ok((Arc::clone(&region.backing), region.backing.len()));
        }
        if table.was_freed(address) {
            return Err(MemoryError::Freed { address, bytes });
        }
        Err(MemoryError::OutOfBounds { address, bytes })
    }

    /// Copies bytes to a range that one allocation holds.
    pub(crate) fn write(&self, address: u64, source: &[u8]) -> Result<(), MemoryError> {
        let bytes = source.len() as u64;
        let (backing, offset) = self.range(address, bytes)?;
        if backing.write(offset, source) { Ok(()) } else { Err(MemoryError::OutOfBounds { address, bytes }) }
    }
}
