//! Values as words of 32 bits, which is what goes from lane to lane.

use core::mem::MaybeUninit;
use core::ptr;

use gridwright_core::{COLLECTIVE_BYTES, KernelArg};

/// The most warps in a group.
pub(super) const MOST_WARPS: u32 = 32;
/// The largest value of which one for each warp fits into the memory of collectives.
pub(super) const MOST_BYTES: usize = COLLECTIVE_BYTES / MOST_WARPS as usize;
const MOST_WORDS: usize = MOST_BYTES / 4;

/// The value with each of its words changed.
#[inline(always)]
pub(super) fn by_word<T: KernelArg>(value: T, mut change: impl FnMut(u32) -> u32) -> T {
    if const { size_of::<T>() > MOST_BYTES } {
        return by_word_in_place(value, change);
    }
    let mut words = [0_u32; MOST_WORDS];
    let mut changed = MaybeUninit::<T>::uninit();
    // SAFETY: the words have at least as many bytes as the value, for which any bytes are valid, and which has no others.
    unsafe {
        ptr::copy_nonoverlapping((&raw const value).cast::<u8>(), words.as_mut_ptr().cast(), size_of::<T>());
        for word in words.iter_mut().take(const { size_of::<T>().div_ceil(4) }) {
            *word = change(*word);
        }
        ptr::copy_nonoverlapping(words.as_ptr().cast(), changed.as_mut_ptr().cast::<u8>(), size_of::<T>());
        changed.assume_init()
    }
}

/// The value with each of its many words changed where it lies.
#[inline(always)]
fn by_word_in_place<T: KernelArg>(mut value: T, mut change: impl FnMut(u32) -> u32) -> T {
    let bytes = (&raw mut value).cast::<u8>();
    for at in (0..const { size_of::<T>() }).step_by(4) {
        let length = (size_of::<T>() - at).min(4);
        let mut word = 0_u32;
        // SAFETY: these bytes are the value's, and any are valid for it.
        unsafe {
            ptr::copy_nonoverlapping(bytes.add(at), (&raw mut word).cast(), length);
            word = change(word);
            ptr::copy_nonoverlapping((&raw const word).cast(), bytes.add(at), length);
        }
    }
    value
}
