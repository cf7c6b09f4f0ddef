//! What 64 elements are asked, as bits.

use std::cell::Cell;
use std::mem::MaybeUninit;

use crate::cpu::isa::Loop;
#[cfg(target_arch = "x86_64")]
use crate::cpu::isa::{AVX2, AVX512};
use crate::cpu::turn::BLOCK_BYTES;

/// The most masks of a block.
const MASKS: usize = BLOCK_BYTES / 64;

/// The masks of a block, as many as have been written.
pub(crate) struct Masks([Cell<MaybeUninit<u64>>; MASKS]);

impl Masks {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self([const { Cell::new(MaybeUninit::uninit()) }; MASKS])
    }

    #[inline(always)]
    pub(crate) fn set(&self, i: usize, mask: u64) {
        self.0[i].set(MaybeUninit::new(mask));
    }

    /// # Safety
    /// It has been set.
    #[inline(always)]
    pub(crate) unsafe fn get(&self, i: usize) -> u64 {
        // SAFETY: as the caller says.
        unsafe { self.0[i].get().assume_init() }
    }

    /// The last element of a block that the masks have.
    ///
    /// # Safety
    /// They are set for `count` elements.
    pub(crate) unsafe fn last(&self, count: usize) -> Option<usize> {
        (0..count.div_ceil(64)).rev().find_map(|i| {
            // SAFETY: as the caller says.
            let mask = unsafe { self.get(i) };
            (mask != 0).then(|| 64 * i + 63 - mask.leading_zeros() as usize)
        })
    }

    /// Calls `each` with the elements of a block that the masks have, in order.
    ///
    /// # Safety
    /// They are set for `count` elements.
    #[inline(always)]
    pub(crate) unsafe fn each(&self, count: usize, mut each: impl FnMut(usize)) {
        for i in 0..count.div_ceil(64) {
            // SAFETY: as the caller says.
            let mut mask = unsafe { self.get(i) };
            while mask != 0 {
                each(64 * i + mask.trailing_zeros() as usize);
                mask &= mask - 1;
            }
        }
    }
}

/// Sets the masks of a block, and gives the number of elements that they have.
pub(crate) struct Ask<'m, F> {
    pub(crate) masks: &'m Masks,
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) keep: &'m F,
    /// Whether element 0 of all is kept without being asked for.
    pub(crate) keeps_first: bool,
}

impl<F: Fn(usize) -> bool> Loop for Ask<'_, F> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<const ISA: u8>(self) -> usize {
        let mut kept = 0;
        for at in (0..self.count).step_by(64) {
            let (first, count) = (self.first + at, self.count - at);
            let mask = if self.keeps_first && first == 0 {
                (1..count.min(64)).fold(1, |mask, i| mask | u64::from((self.keep)(i)) << i)
            } else {
                mask::<ISA>(first, count, self.keep)
            };
            self.masks.set(at / 64, mask);
            kept += mask.count_ones() as usize;
        }
        kept
    }
}

/// Which of up to 64 elements `keep` is true of: bit `i` is for element `first + i`.
#[inline(always)]
fn mask<const ISA: u8>(first: usize, count: usize, keep: impl Fn(usize) -> bool) -> u64 {
    if count >= 64 {
        let bytes: [u8; 64] = std::array::from_fn(|i| u8::from(keep(first + i)));
        return from_bytes::<ISA>(&bytes);
    }
    (0..count).fold(0, |mask, i| mask | u64::from(keep(first + i)) << i)
}

/// The bits of 64 bytes, each 0 or 1.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn from_bytes<const ISA: u8>(bytes: &[u8; 64]) -> u64 {
    use std::arch::x86_64::{
        _mm_loadu_si128, _mm_movemask_epi8, _mm_slli_epi16, _mm256_loadu_si256, _mm256_movemask_epi8,
        _mm256_slli_epi16, _mm512_loadu_si512, _mm512_test_epi8_mask,
    };
    // SAFETY: all is read within the bytes, and this machine has the instructions, as who names `ISA` says.
    unsafe {
        if ISA == AVX512 {
            let bytes = _mm512_loadu_si512(bytes.as_ptr().cast());
            _mm512_test_epi8_mask(bytes, bytes)
        } else if ISA == AVX2 {
            let part = |at: usize| {
                let part = _mm256_loadu_si256(bytes.as_ptr().add(at).cast());
                u64::from(_mm256_movemask_epi8(_mm256_slli_epi16::<7>(part)) as u32)
            };
            part(0) | part(32) << 32
        } else {
            let part = |at: usize| {
                let part = _mm_loadu_si128(bytes.as_ptr().add(at).cast());
                u64::from(_mm_movemask_epi8(_mm_slli_epi16::<7>(part)) as u32)
            };
            part(0) | part(16) << 16 | part(32) << 32 | part(48) << 48
        }
    }
}

/// The bits of 64 bytes, each 0 or 1.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn from_bytes<const ISA: u8>(bytes: &[u8; 64]) -> u64 {
    bytes.iter().enumerate().fold(0, |mask, (i, &byte)| mask | u64::from(byte) << i)
}

#[cfg(test)]
mod tests {
    use super::mask;
    use crate::cpu::isa::{Loop, run_in};
    use crate::cpu::testing::{Random, all_workers};

    struct Mask(u64, usize);

    impl Loop for Mask {
        type Output = u64;

        #[inline(always)]
        unsafe fn run<const ISA: u8>(self) -> u64 {
            mask::<ISA>(100, self.1, |i| self.0 >> (i - 100) & 1 == 1)
        }
    }

    #[test]
    fn each_element_has_its_bit() {
        let mut random = Random::new(1);
        for workers in all_workers() {
            for bits in (0..64).map(|i| 1 << i).chain([0, !0]).chain((0..100).map(|_| random.next() << 16)) {
                // SAFETY: one of this machine's.
                assert_eq!(unsafe { run_in(workers.isa(), Mask(bits, 64)) }, bits);
                // SAFETY: workers have an instruction set of this machine.
                assert_eq!(unsafe { run_in(workers.isa(), Mask(bits, 63)) }, bits & !(1 << 63));
            }
        }
    }
}
