//! Products of TF32 and `f64`, in software: RDNA has no instruction for them.

use super::lines::{SUMS, WORDS, add_products};
use crate::arch::Multiply;
use crate::fragment::Tf32;

impl Multiply<f32> for Tf32 {
    #[inline(always)]
    unsafe fn multiply_add(lane: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [f32; SUMS]) {
        let value = |words: &[u32; WORDS], i: usize| f32::from_bits(words[i]);
        // SAFETY: all lanes of a full wave call it, as the trait asks.
        unsafe {
            add_products::<_, 8>(lane, [a, b], sums, |a, b, k, sum| {
                core::intrinsics::fmaf32(value(a, k), value(b, k), sum)
            });
        }
    }
}

impl Multiply<f64> for f64 {
    #[inline(always)]
    unsafe fn multiply_add(lane: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [f64; SUMS]) {
        let value = |words: &[u32; WORDS], i: usize| {
            f64::from_bits(u64::from(words[2 * i + 1]) << 32 | u64::from(words[2 * i]))
        };
        // SAFETY: all lanes of a full wave call it, as the trait asks.
        unsafe {
            add_products::<_, 4>(lane, [a, b], sums, |a, b, k, sum| {
                core::intrinsics::fmaf64(value(a, k), value(b, k), sum)
            });
        }
    }
}
