//! Values of a warp's lanes that go to other lanes of it.

use core::mem::MaybeUninit;

use gridwright_core::KernelArg;

use super::group_shape::GroupShape;
use super::identity::WARP;

/// Each lane gets the value of the lane that it names, of a warp that is full.
#[inline(always)]
pub(super) fn permute<S: GroupShape, T: KernelArg>(
    _shape: S,
    values: &[T; WARP],
    lanes: &[u32; WARP],
    to: &mut [MaybeUninit<T>; WARP],
) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if const { size_of::<T>() == size_of::<u32>() && S::ISA as u8 != super::Isa::Baseline as u8 } {
        // SAFETY: the shape exists, so the machine has AVX2 at least; values of kernels have no padding, and so each is a word.
        unsafe { permute_words(values.as_ptr().cast(), lanes, to.as_mut_ptr().cast()) };
        return;
    }
    for (to, &lane) in to.iter_mut().zip(lanes) {
        to.write(values[lane as usize % WARP]);
    }
}

/// Each of 32 words becomes the one whose number is in the lowest five bits of its index: of each eight by one instruction, and
/// of what the four give by the two bits above.
///
/// # Safety
/// There are 32 words to read and as many to write, which don't overlap.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn permute_words(words: *const u32, lanes: &[u32; WARP], to: *mut u32) {
    use core::arch::x86_64::{
        _mm256_blendv_ps, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_loadu_si256,
        _mm256_permutevar8x32_epi32, _mm256_slli_epi32, _mm256_storeu_si256,
    };
    // SAFETY: eight words from each of these are among the 32 that there are to read, as this function asks.
    let tables = [0, 8, 16, 24].map(|first| unsafe { _mm256_loadu_si256(words.add(first).cast()) });
    for (at, lanes) in lanes.as_chunks::<8>().0.iter().enumerate() {
        // SAFETY: a chunk of eight words is as long as a vector.
        let lanes = unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) };
        // A blend looks at a word's highest bit.
        let is_odd = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(lanes));
        let is_high = _mm256_castsi256_ps(_mm256_slli_epi32::<27>(lanes));
        let [a, b, c, d] = tables.map(|table| _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(table, lanes)));
        let low = _mm256_blendv_ps(a, b, is_odd);
        let high = _mm256_blendv_ps(c, d, is_odd);
        let words = _mm256_castps_si256(_mm256_blendv_ps(low, high, is_high));
        // SAFETY: these eight words are among the 32 that there are to write, as this function asks.
        unsafe { _mm256_storeu_si256(to.add(8 * at).cast(), words) };
    }
}
