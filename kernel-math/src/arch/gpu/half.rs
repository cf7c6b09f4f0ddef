//! `f16` on GPUs: the compiler's own type, and vectors of two, which become the hardware's instructions.

use core::intrinsics as llvm;
use core::intrinsics::simd;
use core::mem::transmute;

use super::super::hardware;
use crate::half_float::Format;

/// The format of IEEE 754.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ieee;

/// What LLVM knows as a vector of two.
#[derive(Clone, Copy)]
#[repr(simd)]
struct Pair([f16; 2]);

#[inline(always)]
fn pair(bits: u32) -> Pair {
    // SAFETY: both have four bytes, and any bits are a float.
    unsafe { transmute(bits) }
}

#[inline(always)]
fn bits(pair: Pair) -> u32 {
    // SAFETY: both have four bytes, and floats are any bits.
    unsafe { transmute(pair) }
}

macro_rules! operators {
    ($($name:ident $operator:tt;)*) => {$(
        #[inline(always)]
        fn $name(a: u16, b: u16) -> u16 {
            (f16::from_bits(a) $operator f16::from_bits(b)).to_bits()
        }
    )*};
}

macro_rules! pairs {
    ($($name:ident $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(a: u32, b: u32) -> u32 {
            // SAFETY: a vector of floats.
            bits(unsafe { simd::$intrinsic(pair(a), pair(b)) })
        }
    )*};
}

impl Format for Ieee {
    #[inline(always)]
    fn to_f32(bits: u16) -> f32 {
        f16::from_bits(bits) as f32
    }

    #[inline(always)]
    fn from_f32(value: f32) -> u16 {
        (value as f16).to_bits()
    }

    #[inline(always)]
    fn from_f32_towards_zero(value: f32) -> u16 {
        hardware::half::f16_from_f32_towards_zero(value)
    }

    operators! {
        add +;
        sub -;
        mul *;
        div /;
    }

    #[inline(always)]
    fn sqrt(a: u16) -> u16 {
        llvm::sqrtf16(f16::from_bits(a)).to_bits()
    }

    #[inline(always)]
    fn mul_add(a: u16, b: u16, c: u16) -> u16 {
        llvm::fmaf16(f16::from_bits(a), f16::from_bits(b), f16::from_bits(c)).to_bits()
    }

    #[inline(always)]
    fn min(a: u16, b: u16) -> u16 {
        llvm::minimum_number_nsz_f16(f16::from_bits(a), f16::from_bits(b)).to_bits()
    }

    #[inline(always)]
    fn max(a: u16, b: u16) -> u16 {
        llvm::maximum_number_nsz_f16(f16::from_bits(a), f16::from_bits(b)).to_bits()
    }

    pairs! {
        add_pairs simd_add;
        sub_pairs simd_sub;
        mul_pairs simd_mul;
        min_pairs simd_minimum_number_nsz;
        max_pairs simd_maximum_number_nsz;
    }

    #[inline(always)]
    fn mul_add_pairs(a: u32, b: u32, c: u32) -> u32 {
        // SAFETY: a vector of floats.
        bits(unsafe { simd::simd_fma(pair(a), pair(b), pair(c)) })
    }
}
