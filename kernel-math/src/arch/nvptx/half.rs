//! Floats of 16 bits on NVIDIA: what its `f16` leaves, and `bf16`, which has instructions from sm_80 on.

use core::arch::asm;

use super::version;
use crate::half_float::Format;
use crate::half_float::plain::{self, PlainBrain};

/// The first architecture with arithmetic of `bf16`.
const HAS_BF16: u32 = 800;

/// 1, −1 and −0, in both halves. A sum is `a * 1 + b`, a product `a * b − 0`: sums and products alone came with sm_90.
const ONES: u32 = 0x3f80_3f80;
const MINUS_ONES: u32 = 0xbf80_bf80;
const MINUS_ZEROS: u32 = 0x8000_8000;

macro_rules! instructions {
    ($($name:ident($($argument:ident: $from:ident $ty:ty),*) -> $to:ident $result:ty: $instruction:literal;)*) => {$(
        #[inline(always)]
        fn $name($($argument: $ty),*) -> $result {
            let result;
            // SAFETY: it computes a register of registers. Where the architecture may lack it, the caller asked which it is.
            unsafe {
                asm!($instruction, out($to) result, $(in($from) $argument,)* options(pure, nomem, nostack));
            }
            result
        }
    )*};
}

instructions! {
    f16_rz(value: reg32 f32) -> reg16 u16: "cvt.rz.f16.f32 {}, {};";
    rn(value: reg32 f32) -> reg16 u16: "cvt.rn.bf16.f32 {}, {};";
    rz(value: reg32 f32) -> reg16 u16: "cvt.rz.bf16.f32 {}, {};";
    rn_pair(high: reg32 f32, low: reg32 f32) -> reg32 u32: "cvt.rn.bf16x2.f32 {}, {}, {};";
    fma(a: reg16 u16, b: reg16 u16, c: reg16 u16) -> reg16 u16: "fma.rn.bf16 {}, {}, {}, {};";
    least(a: reg16 u16, b: reg16 u16) -> reg16 u16: "min.bf16 {}, {}, {};";
    greatest(a: reg16 u16, b: reg16 u16) -> reg16 u16: "max.bf16 {}, {}, {};";
    fma_pair(a: reg32 u32, b: reg32 u32, c: reg32 u32) -> reg32 u32: "fma.rn.bf16x2 {}, {}, {}, {};";
    least_pair(a: reg32 u32, b: reg32 u32) -> reg32 u32: "min.bf16x2 {}, {}, {};";
    greatest_pair(a: reg32 u32, b: reg32 u32) -> reg32 u32: "max.bf16x2 {}, {}, {};";
}

#[inline(always)]
pub(crate) fn f16_from_f32_towards_zero(value: f32) -> u16 {
    f16_rz(value)
}

/// `bf16`, before sm_80 by plain arithmetic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brain;

macro_rules! either {
    ($($name:ident($($argument:ident: $ty:ty),*) -> $result:ty { $instruction:expr })*) => {$(
        #[inline(always)]
        fn $name($($argument: $ty),*) -> $result {
            if version() >= HAS_BF16 { $instruction } else { PlainBrain::$name($($argument),*) }
        }
    )*};
}

impl Format for Brain {
    #[inline(always)]
    fn to_f32(bits: u16) -> f32 {
        plain::bf16_to_f32(bits)
    }

    either! {
        from_f32(value: f32) -> u16 { rn(value) }
        from_f32_towards_zero(value: f32) -> u16 { rz(value) }
        add(a: u16, b: u16) -> u16 { fma(a, ONES as u16, b) }
        sub(a: u16, b: u16) -> u16 { fma(b, MINUS_ONES as u16, a) }
        mul(a: u16, b: u16) -> u16 { fma(a, b, MINUS_ZEROS as u16) }
        mul_add(a: u16, b: u16, c: u16) -> u16 { fma(a, b, c) }
        min(a: u16, b: u16) -> u16 { least(a, b) }
        max(a: u16, b: u16) -> u16 { greatest(a, b) }
        pair_from_f32(values: [f32; 2]) -> u32 { rn_pair(values[1], values[0]) }
        add_pairs(a: u32, b: u32) -> u32 { fma_pair(a, ONES, b) }
        sub_pairs(a: u32, b: u32) -> u32 { fma_pair(b, MINUS_ONES, a) }
        mul_pairs(a: u32, b: u32) -> u32 { fma_pair(a, b, MINUS_ZEROS) }
        mul_add_pairs(a: u32, b: u32, c: u32) -> u32 { fma_pair(a, b, c) }
        min_pairs(a: u32, b: u32) -> u32 { least_pair(a, b) }
        max_pairs(a: u32, b: u32) -> u32 { greatest_pair(a, b) }
    }
}
