//! Products of halves and bytes in software, for architectures without matrix instructions.

use super::lines::{SUMS, WORDS, add_products};
use crate::arch::Multiply;
use crate::math::Arithmetic as _;
use crate::{Bf16, F16};

macro_rules! multiply {
    ($($(#[$attribute:meta])* $factor:ty => $sum:ty, $k:literal, $value:expr, $add:expr;)*) => {$(
        $(#[$attribute])*
        impl Multiply<$sum> for $factor {
            #[inline(always)]
            unsafe fn multiply_add(lane: u32, a: &[u32; WORDS], b: &[u32; WORDS], sums: &mut [$sum; SUMS]) {
                let add = |a: &[u32; WORDS], b: &[u32; WORDS], k: usize, sum| $add($value(a, k), $value(b, k), sum);
                // SAFETY: all lanes of a full wave call it, as the trait asks.
                unsafe { add_products::<_, $k>(lane, [a, b], sums, add) };
            }
        }
    )*};
}

multiply! {
    F16 => f32, 16, ieee, f32::mul_add;
    Bf16 => f32, 16, brain, f32::mul_add;
    #[cfg(feature = "half")] half::f16 => f32, 16, ieee, f32::mul_add;
    #[cfg(feature = "half")] half::bf16 => f32, 16, brain, f32::mul_add;
    i8 => i32, 32, |words, i| i32::from(byte(words, i) as i8), wrapping;
    u8 => i32, 32, |words, i| i32::from(byte(words, i)), wrapping;
}

#[inline(always)]
fn wrapping(a: i32, b: i32, sum: i32) -> i32 {
    sum.wrapping_add(a.wrapping_mul(b))
}

#[inline(always)]
fn ieee(words: &[u32; WORDS], i: usize) -> f32 {
    F16::from_bits(halfword(words, i)).to_f32()
}

#[inline(always)]
fn brain(words: &[u32; WORDS], i: usize) -> f32 {
    Bf16::from_bits(halfword(words, i)).to_f32()
}

#[inline(always)]
fn halfword(words: &[u32; WORDS], i: usize) -> u16 {
    (words[i / 2] >> (16 * (i % 2))) as u16
}

#[inline(always)]
fn byte(words: &[u32; WORDS], i: usize) -> u8 {
    (words[i / 4] >> (8 * (i % 4))) as u8
}
