//! Addresses of lanes to host memory, and what faults on the way.

use std::ptr;
use std::sync::atomic::{AtomicU8, Ordering};

use super::state::{ActiveLanes, Cached};
use crate::instruction::{Access, AddressBase, Memory};
use crate::machine::{
    Done, Fault, LOCAL_WINDOW, PARAMETER_WINDOW, Pointers, SHARED_WINDOW, Use, WARP, lanes_of, peer, window,
};
use crate::report::{Allocation, FindingKind, MemoryAccess, Space};

impl ActiveLanes<'_> {
    /// Addresses of all lanes. They wrap where the register or the memory's addresses end: workgroup and local memory's are of 32 bits.
    #[inline(always)]
    pub(super) fn addresses(&self, access: &Access) -> [u64; WARP] {
        let offset = access.offset as u64;
        match access.base {
            AddressBase::Wide(slot) => {
                let limit = match access.memory {
                    Memory::Shared | Memory::Local => u32::MAX.into(),
                    _ => u64::MAX,
                };
                self.wide(slot).map(|address| address.wrapping_add(offset) & limit)
            }
            AddressBase::Narrow(slot) => {
                self.narrow(slot).map(|address| address.wrapping_add(offset as u32).into())
            }
            AddressBase::Frame | AddressBase::Argument => [self.frame_start().wrapping_add(offset); WARP],
        }
    }

    /// `resolve`, without delay where one allocation has what all lanes access.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        memory: Memory,
        mask: u32,
        addresses: &mut [u64; WARP],
        used: Use,
    ) -> Done<Pointers> {
        stand_in(mask, addresses);
        let quick = match memory {
            Memory::Global | Memory::Const => self.quickly_in_device(mask, addresses, used),
            Memory::Shared => self.quickly_in_group(mask, addresses, 0, used),
            Memory::Local => None,
            Memory::Generic => match window(addresses[0]) {
                0 => self.quickly_in_device(mask, addresses, used),
                1 => self.quickly_in_group(mask, addresses, SHARED_WINDOW, used),
                _ => None,
            },
        };
        match quick {
            Some(pointers) => Ok(pointers),
            None => self.resolve(memory, mask, addresses, used),
        }
    }

    #[inline(always)]
    fn quickly_in_device(&mut self, mask: u32, addresses: &[u64; WARP], used: Use) -> Option<Pointers> {
        self.core.refresh();
        let cached = self.core.cache.get(used.cache as usize)?;
        let backing = cached.backing.as_deref()?;
        let checks = self.core.checks;
        let is_known = backing.is_all_written() || (!used.is_write && !checks.uninitialised_device);
        if !is_known
            || (used.is_write && backing.read_only)
            || !inside(addresses, cached.start, cached.bytes, used.bytes)
        {
            return None;
        }
        let pointers = behind(backing.pointer(), cached.start, addresses);
        if checks.device_races && !backing.read_only {
            self.observe_device(mask, addresses, used);
        }
        Some(pointers)
    }

    #[inline(always)]
    fn quickly_in_group(
        &mut self,
        mask: u32,
        addresses: &[u64; WARP],
        start: u64,
        used: Use,
    ) -> Option<Pointers> {
        if !inside(addresses, start, self.core.shape.shared.into(), used.bytes) {
            return None;
        }
        let checks = self.core.checks;
        if checks.workgroup_races || checks.uninitialised_workgroup {
            self.observe_group(mask, &addresses.map(|address| address.wrapping_sub(start)), used);
        }
        Some(behind(self.group.shared.pointer(), start, addresses))
    }

    /// A pointer to parameters, if it is those that an address is of.
    #[inline(always)]
    pub(super) fn parameter(&self, address: u64, used: Use) -> Option<*mut u8> {
        let end = self.core.shared.parameter_bytes.checked_sub(used.bytes.into())?;
        let offset = address.checked_sub(PARAMETER_WINDOW)?;
        let is_inside = offset <= end && offset & u64::from(used.bytes - 1) == 0;
        is_inside.then(|| {
            self.core.shared.parameters.as_ptr().cast::<u8>().cast_mut().wrapping_add(offset as usize)
        })
    }

    /// Host pointers of all lanes. Lanes outside of the mask get the address and the pointer of one inside.
    pub(super) fn resolve(
        &mut self,
        memory: Memory,
        mask: u32,
        addresses: &mut [u64; WARP],
        used: Use,
    ) -> Done<Pointers> {
        stand_in(mask, addresses);
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
                (if here >> lane & 1 == 1 { addresses[lane] } else { addresses[first] }).wrapping_sub(start)
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
        Ok(behind(base, 0, addresses))
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
        Ok(behind(base, 0, addresses))
    }

    /// One byte of a text, anywhere.
    pub(super) fn byte(&mut self, lane: usize, address: u64) -> Done<u8> {
        let used = Use {
            bytes: 1,
            is_read: true,
            is_write: false,
            is_atomic: true,
            cache: u32::MAX,
            hands_on: false,
        };
        let mut addresses = [address; WARP];
        let pointers = self.resolve(Memory::Generic, 1 << lane, &mut addresses, used)?;
        // SAFETY: `resolve` gave a pointer to one byte.
        Ok(unsafe { AtomicU8::from_ptr(pointers[lane]) }.load(Ordering::Relaxed))
    }
}

/// Pointers at addresses, of memory that begins at one.
#[inline(always)]
fn behind(base: *mut u8, start: u64, addresses: &[u64; WARP]) -> Pointers {
    addresses.map(|address| base.wrapping_add(address.wrapping_sub(start) as usize))
}

/// Gives lanes outside of the mask the address of one inside.
#[inline(always)]
fn stand_in(mask: u32, addresses: &mut [u64; WARP]) {
    if mask != u32::MAX {
        let stand_in = addresses[mask.trailing_zeros() as usize % WARP];
        for (lane, address) in addresses.iter_mut().enumerate() {
            *address = if mask >> lane & 1 == 1 { *address } else { stand_in };
        }
    }
}

/// Whether accesses of this size at all addresses are aligned and in memory that begins at an address.
#[inline(always)]
fn inside(addresses: &[u64; WARP], start: u64, len: u64, bytes: u32) -> bool {
    let Some(most) = len.checked_sub(bytes.into()).filter(|most| most >> 63 == 0) else { return false };
    let (mut outside, mut bits) = (0, 0);
    for &address in addresses {
        let offset = address.wrapping_sub(start);
        // The top bit of one or the other, if the offset is more.
        outside |= offset | most.wrapping_sub(offset);
        bits |= address;
    }
    outside >> 63 == 0 && bits & u64::from(bytes - 1) == 0
}
