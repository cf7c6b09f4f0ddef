//! Values as words of 32 bits, which is what goes from lane to lane.

use core::mem::MaybeUninit;
use core::ptr;

use gridwright_core::{COLLECTIVE_BYTES, KernelArg};

/// The most warps in a group.
const MOST_WARPS: usize = 32;
/// The largest value that collectives take: one for each warp has to fit into their memory.
pub(super) const MOST_BYTES: usize = COLLECTIVE_BYTES / MOST_WARPS;
const MOST_WORDS: usize = MOST_BYTES / 4;

/// The value with each of its words changed.
#[inline(always)]
pub(super) fn by_word<T: KernelArg>(value: T, change: impl Fn(u32) -> u32) -> T {
    const {
        assert!(size_of::<T>() <= MOST_BYTES, "values that threads exchange have at most 32 bytes");
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
