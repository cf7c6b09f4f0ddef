//! Loads and stores: elements between rows and host memory.
//!
//! Every access to memory that host threads share is atomic, so that a kernel's race is none of this program.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::state::ActiveLanes;
use crate::instruction::{Access, AddressBase, Memory};
use crate::machine::{Done, Pointers, Slot, Use, WARP, lanes_of};

/// An element of memory.
trait Element: Copy {
    /// # Safety
    /// The pointer is valid for atomic reads of the element, and aligned for them.
    unsafe fn load(pointer: *mut u8) -> Self;

    /// # Safety
    /// The pointer is valid for atomic writes of the element, and aligned for them.
    unsafe fn store(pointer: *mut u8, value: Self);

    /// The element with zeros or its sign in front.
    fn extended(self) -> u64;

    /// The low bits of a register.
    fn cut(value: u64) -> Self;
}

macro_rules! element {
    ($($t:ty, $unsigned:ty, $extended:ty, $atomic:ty;)*) => {
        $(impl Element for $t {
            #[inline(always)]
            unsafe fn load(pointer: *mut u8) -> Self {
                // SAFETY: the pointer is valid for atomic reads of so many bytes, and aligned for them, as this function asks.
                let element = unsafe { <$atomic>::from_ptr(pointer.cast()) };
                element.load(Ordering::Relaxed) as $t
            }

            #[inline(always)]
            unsafe fn store(pointer: *mut u8, value: Self) {
                // SAFETY: the pointer is valid for atomic writes of so many bytes, and aligned for them, as this function asks.
                let element = unsafe { <$atomic>::from_ptr(pointer.cast()) };
                element.store(value as $unsigned, Ordering::Relaxed);
            }

            #[inline(always)]
            fn extended(self) -> u64 {
                <$extended>::from(self) as u64
            }

            #[inline(always)]
            fn cut(value: u64) -> Self {
                value as $t
            }
        })*
    };
}

element! {
    u8, u8, u64, AtomicU8;
    u16, u16, u64, AtomicU16;
    u32, u32, u64, AtomicU32;
    u64, u64, u64, AtomicU64;
    i8, u8, i64, AtomicU8;
    i16, u16, i64, AtomicU16;
    i32, u32, i64, AtomicU32;
}

impl ActiveLanes<'_> {
    #[inline(always)]
    pub(super) fn load(&mut self, access: &Access, mask: u32) -> Done {
        let used = Use {
            bytes: access.size * access.values.len() as u32,
            is_read: true,
            is_write: false,
            is_atomic: access.strong,
            cache: access.cache,
            hands_on: true,
        };
        if let AddressBase::Wide(slot) = access.base
            && slot.as_constant().is_some()
            && access.memory == Memory::Generic
            && let Some(pointer) = self.parameter(self.wide(slot)[0].wrapping_add(access.offset as u64), used)
        {
            // SAFETY: `parameter` gave a pointer to so many bytes, as aligned as the elements, which nothing writes.
            unsafe { self.take_elements(access, mask, &[pointer; WARP]) };
            return Ok(());
        }
        if let (Memory::Shared, AddressBase::Narrow(slot), [(result, 32)]) =
            (access.memory, access.base, access.values.as_slice())
            && mask == u32::MAX
            && access.size == 4
            && !access.strong
            && self.load_words_of_group(slot, access.offset as u32, *result)
        {
            return Ok(());
        }
        let mut addresses = self.addresses(access);
        let pointers = self.find(access.memory, mask, &mut addresses, used)?;
        // SAFETY: `find` gave pointers to so many bytes, also for lanes outside of the mask, that are as aligned as the elements, in
        // memory that lives until the next access at least.
        unsafe { self.take_elements(access, mask, &pointers) };
        if access.strong {
            self.core.polls |= access.memory != Memory::Shared;
        }
        Ok(())
    }

    /// Loads a word of workgroup memory for each lane, if all are inside and aligned, and no check asks. False if it didn't.
    #[inline(always)]
    fn load_words_of_group(&mut self, slot: Slot, offset: u32, result: Slot) -> bool {
        let checks = self.core.checks;
        let Some(last) = self.core.shape.shared.checked_sub(4) else { return false };
        if checks.workgroup_races || checks.uninitialised_workgroup {
            return false;
        }
        let places = self.narrow(slot).map(|address| address.wrapping_add(offset));
        let (greatest, bits) =
            places.iter().fold((0, 0), |(greatest, bits), &place| (place.max(greatest), place | bits));
        if greatest > last || bits & 3 != 0 {
            return false;
        }
        let base = self.group.shared.pointer();
        // SAFETY: the place is a multiple of four and has four bytes in the group's memory behind it, which is as long as the launch
        // says and more aligned than a word.
        let row = places.map(|place| unsafe { u32::load(base.add(place as usize)) });
        self.write_narrow(result, u32::MAX, &row);
        true
    }

    /// # Safety
    /// Each pointer is valid for atomic reads of all the access's elements, and aligned for them.
    #[inline(always)]
    unsafe fn take_elements(&mut self, access: &Access, mask: u32, pointers: &Pointers) {
        // SAFETY: the pointers are valid for atomic reads of elements of this size, and aligned for them, as this function asks.
        unsafe {
            match (access.size, access.signed) {
                (4, _) if access.values.iter().all(|value| value.1 != 64) => {
                    self.take::<u32>(access, mask, pointers);
                }
                (8, _) => self.take::<u64>(access, mask, pointers),
                (1, false) => self.take::<u8>(access, mask, pointers),
                (1, true) => self.take::<i8>(access, mask, pointers),
                (2, false) => self.take::<u16>(access, mask, pointers),
                (2, true) => self.take::<i16>(access, mask, pointers),
                (_, false) => self.take::<u32>(access, mask, pointers),
                (_, true) => self.take::<i32>(access, mask, pointers),
            }
        }
    }

    /// # Safety
    /// Each pointer is valid for atomic reads of all the access's elements, which are these, and aligned for them.
    #[inline(always)]
    unsafe fn take<E: Element>(&mut self, access: &Access, mask: u32, pointers: &Pointers) {
        let mut byte = 0;
        for &(slot, bits) in &access.values {
            // SAFETY: the byte is of an element of the access, for which the pointer is valid, as this function asks.
            let element = |lane: usize| unsafe { E::load(pointers[lane].add(byte)) }.extended();
            if bits == 64 {
                let mut row = [0; WARP];
                for (lane, value) in row.iter_mut().enumerate() {
                    *value = element(lane);
                }
                self.write_wide(slot, mask, &row);
            } else {
                let mut row = [0; WARP];
                for (lane, value) in row.iter_mut().enumerate() {
                    *value = element(lane) as u32;
                }
                if bits == 16 {
                    row = row.map(|value| value & 0xffff);
                }
                self.write_narrow(slot, mask, &row);
            }
            byte += size_of::<E>();
        }
    }

    #[inline(always)]
    pub(super) fn store(&mut self, access: &Access, mask: u32) -> Done {
        let mut addresses = self.addresses(access);
        let used = Use {
            bytes: access.size * access.values.len() as u32,
            is_read: false,
            is_write: true,
            is_atomic: access.strong,
            cache: access.cache,
            hands_on: false,
        };
        let pointers = self.find(access.memory, mask, &mut addresses, used)?;
        // SAFETY: `find` gave pointers to so many bytes, as aligned as the elements, in memory that lives until the next access at
        // least; nothing but kernels' atomic accesses touches the bytes meanwhile.
        unsafe {
            match access.size {
                1 => self.give::<u8>(access, mask, &pointers),
                2 => self.give::<u16>(access, mask, &pointers),
                4 => self.give::<u32>(access, mask, &pointers),
                _ => self.give::<u64>(access, mask, &pointers),
            }
        }
        Ok(())
    }

    /// # Safety
    /// Each pointer is valid for atomic writes of all the access's elements, which are these, and aligned for them.
    #[inline(always)]
    unsafe fn give<E: Element>(&mut self, access: &Access, mask: u32, pointers: &Pointers) {
        let mut byte = 0;
        for &(slot, bits) in &access.values {
            // SAFETY: the byte is of an element of the access, for which the pointer is valid, as this function asks.
            let store =
                |lane: usize, value: u64| unsafe { E::store(pointers[lane].add(byte), E::cut(value)) };
            if bits == 64 {
                each(self.wide(slot), mask, store);
            } else {
                each(self.narrow(slot), mask, |lane, value| store(lane, u64::from(value)));
            }
            byte += size_of::<E>();
        }
    }
}

/// Calls a function with each lane of the mask, from the lowest, and what it has in a row.
#[inline(always)]
fn each<T: Copy>(row: &[T; WARP], mask: u32, mut f: impl FnMut(usize, T)) {
    if mask == u32::MAX {
        for (lane, value) in row.iter().enumerate() {
            f(lane, *value);
        }
    } else {
        for lane in lanes_of(mask) {
            f(lane, row[lane]);
        }
    }
}

/// # Safety
/// Each pointer plus `byte` is valid for atomic reads of `size` bytes, and aligned for them.
pub(super) unsafe fn load_row(pointers: &Pointers, byte: usize, size: u32) -> [u64; WARP] {
    // SAFETY: the pointers are valid for atomic reads of so many bytes, and aligned for them, as this function asks.
    let element = |pointer: *mut u8| unsafe {
        let pointer = pointer.add(byte);
        match size {
            1 => u8::load(pointer).extended(),
            2 => u16::load(pointer).extended(),
            4 => u32::load(pointer).extended(),
            _ => u64::load(pointer),
        }
    };
    pointers.map(element)
}

/// # Safety
/// The pointer is valid for atomic writes of `size` bytes, and aligned for them.
pub(super) unsafe fn store_element(pointer: *mut u8, size: u32, value: u64) {
    // SAFETY: the pointer is valid for atomic writes of so many bytes, and aligned for them, as this function asks.
    unsafe {
        match size {
            1 => u8::store(pointer, value as u8),
            2 => u16::store(pointer, value as u16),
            4 => u32::store(pointer, value as u32),
            _ => u64::store(pointer, value),
        }
    }
}
