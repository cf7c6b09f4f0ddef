//! Accesses with hints for caches, in pieces that the hardware accesses at once.

use core::mem::MaybeUninit;

use gridwright_core::KernelArg;

use crate::arch::hardware;
use crate::cache::Hint;

/// The bytes of a piece: all that lies at a multiple of them is accessed at once, up to 16.
const fn piece<T>() -> usize {
    if align_of::<T>() < 16 { align_of::<T>() } else { 16 }
}

#[inline(always)]
pub(crate) fn load_hinted<T: KernelArg>(from: &T, hint: Hint) -> T {
    let source: *const u8 = (&raw const *from).cast();
    if !hardware::is_global(source) {
        return *from;
    }
    let mut value = MaybeUninit::<T>::uninit();
    let target: *mut u8 = value.as_mut_ptr().cast();
    let mut at = 0;
    while at < size_of::<T>() {
        // SAFETY: the piece is of the value, which is in global memory, and at a multiple of its size.
        unsafe {
            match piece::<T>() {
                1 => target.add(at).write(hardware::load_1(source.add(at), hint)),
                2 => target.add(at).cast::<u16>().write(hardware::load_2(source.add(at).cast(), hint)),
                4 => target.add(at).cast::<u32>().write(hardware::load_4(source.add(at).cast(), hint)),
                8 => target.add(at).cast::<u64>().write(hardware::load_8(source.add(at).cast(), hint)),
                _ => target.add(at).cast::<[u64; 2]>().write(hardware::load_16(source.add(at).cast(), hint)),
            }
        }
        at += piece::<T>();
    }
    // SAFETY: all of it was written, with the bytes of a value.
    unsafe { value.assume_init() }
}

#[inline(always)]
pub(crate) fn store_hinted<T: KernelArg>(to: &mut T, value: T, hint: Hint) {
    let target: *mut u8 = (&raw mut *to).cast();
    if !hardware::is_global(target) {
        *to = value;
        return;
    }
    let source: *const u8 = (&raw const value).cast();
    let mut at = 0;
    while at < size_of::<T>() {
        // SAFETY: the piece is of the value, whose place is in global memory, borrowed exclusively, and at a multiple of its size.
        unsafe {
            match piece::<T>() {
                1 => hardware::store_1(target.add(at), source.add(at).read(), hint),
                2 => hardware::store_2(target.add(at).cast(), source.add(at).cast::<u16>().read(), hint),
                4 => hardware::store_4(target.add(at).cast(), source.add(at).cast::<u32>().read(), hint),
                8 => hardware::store_8(target.add(at).cast(), source.add(at).cast::<u64>().read(), hint),
                _ => {
                    hardware::store_16(target.add(at).cast(), source.add(at).cast::<[u64; 2]>().read(), hint)
                }
            }
        }
        at += piece::<T>();
    }
}
