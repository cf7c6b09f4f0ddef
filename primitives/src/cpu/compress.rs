//! Elements that a mask has, one behind the other.

use crate::cpu::{KernelArg, Read};

/// Writes those of 64 elements that `mask` has to `to`, in order, and up to 64 places in all.
///
/// # Safety
/// The input has the elements, and there is room for 64. This machine has `ISA`.
#[inline(always)]
pub(crate) unsafe fn compress<const ISA: u8, I>(input: I, first: usize, mask: u64, to: *mut I::Item)
where
    I: Read,
    I::Item: KernelArg,
{
    // SAFETY: as the caller says. As integers their bits can be read: they have no padding.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        match (ISA, size_of::<I::Item>()) {
            (crate::cpu::isa::AVX512, 4) => return x86::avx512_words(input, first, mask, to),
            (crate::cpu::isa::AVX512, 8) => return x86::avx512_pairs(input, first, mask, to),
            (crate::cpu::isa::AVX2, 4) => return x86::avx2_words(input, first, mask, to),
            (crate::cpu::isa::AVX2, 8) => return x86::avx2_pairs(input, first, mask, to),
            _ => {}
        }
        let mut at = 0;
        for i in 0..64 {
            to.add(at).write(input.get(first + i));
            at += (mask >> i & 1) as usize;
        }
    }
}

/// Writes those of up to 64 elements that `mask` has to `to`, in order, and nothing else.
///
/// # Safety
/// The input has the elements that the mask has, and there is room for as many.
#[inline(always)]
pub(crate) unsafe fn compress_exactly<I: Read>(input: I, first: usize, mut mask: u64, mut to: *mut I::Item) {
    while mask != 0 {
        // SAFETY: one that the mask has.
        unsafe {
            to.write(input.get(first + mask.trailing_zeros() as usize));
            to = to.add(1);
        }
        mask &= mask - 1;
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_loadu_si256, _mm256_permutevar8x32_epi32, _mm256_storeu_si256,
        _mm512_maskz_compress_epi32, _mm512_maskz_compress_epi64, _mm512_storeu_si512,
    };
    use std::mem::transmute_copy;

    use crate::cpu::{KernelArg, Read};

    /// Defines [`compress`](super::compress) by vectors of `$lanes` elements. In a register, as a compressing store takes a hundred cycles on
    /// Zen 4 (Fog, *Instruction tables*).
    macro_rules! compress {
        ($name:ident, $lanes:literal, $vector:ty, |$of:ident, $bits:ident| $compressed:expr, $store:ident) => {
            /// # Safety
            /// As for [`compress`](super::compress). Elements are as large as the vector's.
            #[inline(always)]
            pub(super) unsafe fn $name<I>(input: I, first: usize, mask: u64, mut to: *mut I::Item)
            where
                I: Read,
                I::Item: KernelArg,
            {
                for vector in 0..64 / $lanes {
                    // SAFETY: as the caller says.
                    unsafe {
                        let elements: [I::Item; $lanes] =
                            std::array::from_fn(|i| input.get(first + $lanes * vector + i));
                        let $of: $vector = transmute_copy(&elements);
                        let $bits = mask >> ($lanes * vector) & (u64::MAX >> (64 - $lanes));
                        $store(to.cast(), $compressed);
                        to = to.add($bits.count_ones() as usize);
                    }
                }
            }
        };
    }

    compress!(
        avx512_words,
        16,
        __m512i,
        |of, bits| _mm512_maskz_compress_epi32(bits as u16, of),
        _mm512_storeu_si512
    );
    compress!(
        avx512_pairs,
        8,
        __m512i,
        |of, bits| _mm512_maskz_compress_epi64(bits as u8, of),
        _mm512_storeu_si512
    );
    compress!(avx2_words, 8, __m256i, |of, bits| permuted(of, &WORDS[bits as usize]), _mm256_storeu_si256);
    compress!(avx2_pairs, 4, __m256i, |of, bits| permuted(of, &PAIRS[bits as usize]), _mm256_storeu_si256);

    /// # Safety
    /// This machine has AVX2.
    #[inline(always)]
    unsafe fn permuted(words: __m256i, order: &[u32; 8]) -> __m256i {
        // SAFETY: within the order, and as the caller says.
        unsafe { _mm256_permutevar8x32_epi32(words, _mm256_loadu_si256(order.as_ptr().cast())) }
    }

    /// For each mask the words that it has, in order.
    static WORDS: [[u32; 8]; 256] = orders::<256>(1);

    /// For each mask the words of the pairs that it has, in order.
    static PAIRS: [[u32; 8]; 16] = orders::<16>(2);

    const fn orders<const MASKS: usize>(words: usize) -> [[u32; 8]; MASKS] {
        let mut orders = [[0; 8]; MASKS];
        let mut mask = 0;
        while mask < MASKS {
            let (mut word, mut at) = (0, 0);
            while word < 8 {
                if mask >> (word / words) & 1 == 1 {
                    orders[mask][at] = word as u32;
                    at += 1;
                }
                word += 1;
            }
            mask += 1;
        }
        orders
    }
}

#[cfg(test)]
mod tests {
    use super::{compress, compress_exactly};
    use crate::cpu::isa::{Loop, run_in};
    use crate::cpu::testing::{Random, all_workers};
    use crate::cpu::{KernelArg, Read};

    struct Compress<I: Read>(I, u64, *mut I::Item);

    impl<I: Read<Item: KernelArg>> Loop for Compress<I> {
        type Output = ();

        #[inline(always)]
        unsafe fn run<const ISA: u8>(self) {
            // SAFETY: as the tests say.
            unsafe { compress::<ISA, _>(self.0, 3, self.1, self.2) };
        }
    }

    fn check<T: KernelArg + PartialEq + std::fmt::Debug>(element: impl Fn(u64) -> T) {
        let mut random = Random::new(2);
        for workers in all_workers() {
            for few in 0..100 {
                let mask = random.next() << 16 & if few < 50 { random.next() << 13 } else { !1 };
                let elements = random.vec(67, &element);
                let expected: Vec<_> =
                    (0..64).filter(|i| mask >> i & 1 == 1).map(|i| elements[3 + i]).collect();
                let mut room = vec![element(0); 64];
                // SAFETY: 64 elements behind the third, as much room, and an instruction set of this machine.
                unsafe { run_in(workers.isa(), Compress(&elements[..], mask, room.as_mut_ptr())) };
                assert_eq!(room[..expected.len()], expected);
                let mut room = vec![element(0); 65];
                // SAFETY: the mask keeps elements that there are, and the room has one place more than it can keep.
                unsafe { compress_exactly(&elements[..], 3, mask, room.as_mut_ptr()) };
                assert_eq!(room[..expected.len()], expected);
                assert_eq!(room[expected.len()], element(0));
            }
        }
    }

    #[test]
    fn what_the_mask_has_stands_in_order() {
        check(|x| x as u32);
        check(|x| x as f32);
        check(|x| x);
        check(|x| x as u8);
        check(|x| [x as u16, 1, 2]);
        check(|x| [x as u32; 4]);
    }
}
