//! Loads and stores: addresses to host memory, then elements lane by lane.
//!
//! Every access to memory that host threads share is atomic, so that a kernel's race is none of this program.

use std::ptr;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::address::{LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW, peer, window};
use super::core::{Cached, Fault};
use super::lanes::Lanes;
use super::{WARP, lanes_of};
use crate::instruction::{Access, AddressBase, Memory};
use crate::report::{Allocation, FindingKind, MemoryAccess, Space};

pub(super) type Pointers = [*mut u8; WARP];
pub(super) type Done<T = ()> = Result<T, Box<Fault>>;

/// What an access does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    /// Bytes of all elements.
    pub(super) bytes: u32,
    pub(super) is_read: bool,
    pub(super) is_write: bool,
    pub(super) is_atomic: bool,
    /// Place where the last allocation is kept.
    pub(super) cache: u32,
}

impl Lanes<'_> {
    pub(super) fn load(&mut self, access: &Access, mask: u32) -> Done {
        let mut addresses = self.addresses(access);
        let used = Use {
            bytes: access.size * access.values.len() as u32,
            is_read: true,
            is_write: false,
            is_atomic: access.strong,
            cache: access.cache,
        };
        let pointers = self.resolve(access.memory, mask, &mut addresses, used)?;
        let mut byte = 0;
        for &(slot, bits) in &access.values {
            // SAFETY: `resolve` gave pointers to `bytes` bytes each, also for lanes outside of the mask, that are as
            // aligned as the elements, in memory that lives until the next access at least.
            let row = unsafe { load_row(&pointers, byte, access.size) };
            byte += access.size as usize;
            let row = if access.signed && access.size < 8 {
                let shift = 64 - 8 * access.size;
                row.map(|value| ((value << shift) as i64 >> shift) as u64)
            } else {
                row
            };
            match bits {
                64 => self.write_wide(slot, mask, &row),
                bits => {
                    let limit = if bits == 32 { u32::MAX } else { 0xffff };
                    let mut narrow = [0; WARP];
                    for (narrow, value) in narrow.iter_mut().zip(&row) {
                        *narrow = *value as u32 & limit;
                    }
                    self.write_narrow(slot, mask, &narrow);
                }
            }
        }
        if access.strong {
            // After the read: who released what was read had said so before it wrote.
            self.acquire(access.memory, mask, &addresses);
            self.core.polls |= access.memory != Memory::Shared;
        }
        Ok(())
    }

    pub(super) fn store(&mut self, access: &Access, mask: u32) -> Done {
        let mut addresses = self.addresses(access);
        let used = Use {
            bytes: access.size * access.values.len() as u32,
            is_read: false,
            is_write: true,
            is_atomic: access.strong,
            cache: access.cache,
        };
        let pointers = self.resolve(access.memory, mask, &mut addresses, used)?;
        if access.strong {
            self.release(access.memory, access.release, mask, &addresses);
        }
        let mut byte = 0;
        for &(slot, bits) in &access.values {
            let row = if bits == 64 { *self.wide(slot) } else { self.narrow(slot).map(u64::from) };
            for lane in lanes_of(mask) {
                // SAFETY: `resolve` gave pointers to `bytes` bytes each, as aligned as the elements, in memory that lives until
                // the next access at least; nothing but kernels' atomic accesses touches the bytes meanwhile.
                unsafe { store_element(pointers[lane].add(byte), access.size, row[lane]) };
            }
            byte += access.size as usize;
        }
        Ok(())
    }

    pub(super) fn addresses(&self, access: &Access) -> [u64; WARP] {
        let offset = access.offset as u64;
        match access.base {
            AddressBase::Wide(slot) => self.wide(slot).map(|address| address.wrapping_add(offset)),
            AddressBase::Narrow(slot) => {
                self.narrow(slot).map(|address| u64::from(address).wrapping_add(offset))
            }
            AddressBase::Frame | AddressBase::Argument => [self.frame_start().wrapping_add(offset); WARP],
        }
    }

    /// Host pointers of all lanes. Lanes outside of the mask get the address and the pointer of one inside.
    pub(super) fn resolve(
        &mut self,
        memory: Memory,
        mask: u32,
        addresses: &mut [u64; WARP],
        used: Use,
    ) -> Done<Pointers> {
        if mask != u32::MAX {
            let stand_in = addresses[mask.trailing_zeros() as usize % WARP];
            for (lane, address) in addresses.iter_mut().enumerate() {
                *address = if mask >> lane & 1 == 1 { *address } else { stand_in };
            }
        }
        match memory {
            Memory::Global | Memory::Const => self.in_device(mask, addresses, used),
            Memory::Shared => self.in_group(mask, addresses, used),
            Memory::Local => self.in_stack(mask, addresses, used),
            Memory::Generic => self.in_windows(mask, addresses, used),
        }
    }

    fn in_windows(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) -> Done<Pointers> {
        let mut rest = mask;
        let mut pointers = [ptr::null_mut(); WARP];
        while rest != 0 {
            let first = rest.trailing_zeros() as usize;
            let which = window(addresses[first]);
            let mut here = 0;
            for lane in lanes_of(rest) {
                here |= u32::from(window(addresses[lane]) == which) << lane;
            }
            rest &= !here;
            let start = match which {
                1 => SHARED_WINDOW,
                2 => LOCAL_WINDOW,
                3 => PARAMETER_WINDOW,
                _ => 0,
            };
            let own: [u64; WARP] = std::array::from_fn(|lane| {
                (if here >> lane & 1 == 1 { addresses[lane] } else { addresses[first] }) - start
            });
            let found = match which {
                1 => self.in_group(here, &own, used)?,
                2 => self.in_stack(here, &own, used)?,
                3 => self.in_parameters(here, &own, used)?,
                _ => self.in_device(here, &own, used)?,
            };
            if here == mask {
                return Ok(found);
            }
            for lane in lanes_of(here) {
                pointers[lane] = found[lane];
            }
        }
        let stand_in = pointers[mask.trailing_zeros() as usize % WARP];
        Ok(pointers.map(|pointer| if pointer.is_null() { stand_in } else { pointer }))
    }

    /// The least and the greatest address, and whether all are aligned.
    fn extent(addresses: &[u64; WARP], bytes: u32) -> (u64, u64, bool) {
        let (mut least, mut greatest, mut bits) = (u64::MAX, 0, 0);
        for &address in addresses {
            least = least.min(address);
            greatest = greatest.max(address);
            bits |= address;
        }
        (least, greatest, bits & u64::from(bytes - 1) == 0)
    }

    fn in_device(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) -> Done<Pointers> {
        self.core.refresh();
        let (least, greatest, aligned) = Self::extent(addresses, used.bytes);
        let bytes = u64::from(used.bytes);
        let cache = used.cache as usize;
        let fits = |cached: &Cached| {
            least >= cached.start
                && greatest - cached.start < cached.bytes
                && cached.bytes - (greatest - cached.start) >= bytes
        };
        if !self.core.cache.get(cache).is_some_and(fits)
            && let Some(region) = self.core.table.find(least)
            && let Some(cached) = self.core.cache.get_mut(cache)
        {
            let backing = std::sync::Arc::clone(&region.backing);
            *cached = Cached { start: region.start, bytes: backing.len() as u64, backing: Some(backing) };
        }
        let mut pointers = [ptr::null_mut(); WARP];
        let mut is_shared_memory = true;
        match self.core.cache.get(cache).filter(|cached| aligned && fits(cached)) {
            Some(Cached { start, backing: Some(backing), .. }) if !(used.is_write && backing.read_only) => {
                let base = backing.pointer();
                for lane in 0..WARP {
                    pointers[lane] = base.wrapping_add((addresses[lane] - start) as usize);
                }
                is_shared_memory = !backing.read_only;
                let start = *start;
                if !backing.is_all_written() {
                    let backing = std::sync::Arc::clone(backing);
                    for lane in lanes_of(mask) {
                        self.observe_written(
                            &backing,
                            (addresses[lane] - start) as usize,
                            addresses[lane],
                            lane,
                            used,
                        );
                    }
                }
            }
            _ => {
                for lane in lanes_of(mask) {
                    pointers[lane] = self.one_in_device(addresses[lane], lane, used)?;
                }
                let stand_in = pointers[mask.trailing_zeros() as usize % WARP];
                for pointer in pointers.iter_mut().filter(|pointer| pointer.is_null()) {
                    *pointer = stand_in;
                }
            }
        }
        if self.core.checks.device_races && is_shared_memory {
            self.observe_device(mask, addresses, used);
        }
        Ok(pointers)
    }

    fn one_in_device(&mut self, address: u64, lane: usize, used: Use) -> Done<*mut u8> {
        let bytes = u64::from(used.bytes);
        let Some(region) = self.core.table.find(address) else {
            return Err(self.outside(address, lane, used));
        };
        let offset = address - region.start;
        if offset + bytes > region.backing.len() as u64 {
            return Err(self.outside(address, lane, used));
        }
        let backing = std::sync::Arc::clone(&region.backing);
        let access = |lanes: &Self| lanes.describe(Space::Global, address, used);
        if !address.is_multiple_of(bytes) {
            return Err(Fault::new(lane, FindingKind::Misaligned(access(self))));
        }
        if used.is_write && backing.read_only {
            return Err(Fault::new(lane, FindingKind::ReadOnly(access(self))));
        }
        self.observe_written(&backing, offset as usize, address, lane, used);
        Ok(backing.pointer().wrapping_add(offset as usize))
    }

    fn outside(&self, address: u64, lane: usize, used: Use) -> Box<Fault> {
        let access = self.describe(Space::Global, address, used);
        if self.core.table.was_freed(address) {
            return Fault::new(lane, FindingKind::UseAfterFree(access));
        }
        Fault::new(lane, FindingKind::OutOfBounds(access))
    }

    pub(super) fn describe(&self, space: Space, address: u64, used: Use) -> MemoryAccess {
        let whole = |bytes: u64| Some(Allocation { address: 0, bytes, name: None });
        let nearest = match space {
            Space::Global => self.core.table.nearest(address),
            Space::Shared => whole(self.core.shape.shared.into()),
            Space::Local => whole(self.local.bytes()),
            Space::Parameter => whole(self.core.shared.parameter_bytes),
        };
        MemoryAccess { space, address, size: used.bytes, is_write: used.is_write, nearest }
    }

    /// The first lane that is out of bounds or misaligned in memory that begins at 0.
    pub(super) fn check(
        &self,
        space: Space,
        mask: u32,
        addresses: &[u64; WARP],
        used: Use,
        limit: u64,
    ) -> Done {
        let (_, greatest, aligned) = Self::extent(addresses, used.bytes);
        let bytes = u64::from(used.bytes);
        if aligned && greatest.checked_add(bytes).is_some_and(|end| end <= limit) {
            return Ok(());
        }
        for lane in lanes_of(mask) {
            let address = addresses[lane];
            let access = || self.describe(space, address, used);
            if address.checked_add(bytes).is_none_or(|end| end > limit) {
                return Err(Fault::new(lane, FindingKind::OutOfBounds(access())));
            }
            if !address.is_multiple_of(bytes) {
                return Err(Fault::new(lane, FindingKind::Misaligned(access())));
            }
        }
        Ok(())
    }

    fn in_group(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) -> Done<Pointers> {
        let (_, greatest, _) = Self::extent(addresses, used.bytes);
        if peer(greatest).0.is_some() {
            return self.in_cluster(mask, addresses, used);
        }
        self.check(Space::Shared, mask, addresses, used, self.core.shape.shared.into())?;
        let checks = self.core.checks;
        if checks.workgroup_races || checks.uninitialised_workgroup {
            self.observe_group(mask, addresses, used);
        }
        let base = self.group.shared.pointer();
        Ok(behind(base, addresses))
    }

    fn in_stack(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) -> Done<Pointers> {
        self.check(Space::Local, mask, addresses, used, self.local.bytes())?;
        Ok(std::array::from_fn(|lane| {
            // A lane outside of the mask reads its own bytes at the same place.
            self.local.pointer(lane).wrapping_add(addresses[lane] as usize)
        }))
    }

    fn in_parameters(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) -> Done<Pointers> {
        self.check(Space::Parameter, mask, addresses, used, self.core.shared.parameter_bytes)?;
        if used.is_write {
            let lane = mask.trailing_zeros() as usize % WARP;
            let access = self.describe(Space::Parameter, addresses[lane], used);
            return Err(Fault::new(lane, FindingKind::ReadOnly(access)));
        }
        let base = self.core.shared.parameters.as_ptr().cast::<u8>().cast_mut();
        Ok(behind(base, addresses))
    }

    /// One byte of a text, anywhere.
    pub(super) fn byte(&mut self, lane: usize, address: u64) -> Done<u8> {
        let used = Use { bytes: 1, is_read: true, is_write: false, is_atomic: true, cache: u32::MAX };
        let mut addresses = [address; WARP];
        let pointers = self.resolve(Memory::Generic, 1 << lane, &mut addresses, used)?;
        // SAFETY: `resolve` gave a pointer to one byte.
        Ok(unsafe { AtomicU8::from_ptr(pointers[lane]) }.load(Ordering::Relaxed))
    }
}

/// Pointers at these offsets.
fn behind(base: *mut u8, offsets: &[u64; WARP]) -> Pointers {
    let mut pointers = [base; WARP];
    for (pointer, offset) in pointers.iter_mut().zip(offsets) {
        *pointer = pointer.wrapping_add(*offset as usize);
    }
    pointers
}

/// # Safety
/// Each pointer plus `byte` is valid for atomic reads of `size` bytes, and aligned for them.
pub(super) unsafe fn load_row(pointers: &Pointers, byte: usize, size: u32) -> [u64; WARP] {
    let mut row = [0; WARP];
    macro_rules! row {
        ($atomic:ty) => {
            for lane in 0..WARP {
                // SAFETY: the pointer is valid for atomic reads of so many bytes, and aligned for them, as this function asks.
                let element = unsafe { <$atomic>::from_ptr(pointers[lane].add(byte).cast()) };
                row[lane] = u64::from(element.load(Ordering::Relaxed));
            }
        };
    }
    match size {
        1 => row!(AtomicU8),
        2 => row!(AtomicU16),
        4 => row!(AtomicU32),
        _ => row!(AtomicU64),
    }
    row
}

/// # Safety
/// The pointer is valid for atomic writes of `size` bytes, and aligned for them.
pub(super) unsafe fn store_element(pointer: *mut u8, size: u32, value: u64) {
    match size {
        // SAFETY: the pointer is valid for atomic writes of one byte, as this function asks.
        1 => unsafe { AtomicU8::from_ptr(pointer) }.store(value as u8, Ordering::Relaxed),
        // SAFETY: the pointer is valid for atomic writes of two bytes, and aligned for them, as this function asks.
        2 => unsafe { AtomicU16::from_ptr(pointer.cast()) }.store(value as u16, Ordering::Relaxed),
        // SAFETY: the pointer is valid for atomic writes of four bytes, and aligned for them, as this function asks.
        4 => unsafe { AtomicU32::from_ptr(pointer.cast()) }.store(value as u32, Ordering::Relaxed),
        // SAFETY: the pointer is valid for atomic writes of eight bytes, and aligned for them, as this function asks.
        _ => unsafe { AtomicU64::from_ptr(pointer.cast()) }.store(value, Ordering::Relaxed),
    }
}
