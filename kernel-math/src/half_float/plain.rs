//! Both formats where there are no instructions: conversions without branches, so that loops over them vectorise.

// Each target uses those that it lacks.
#![allow(dead_code)]

use super::Format;

/// The format of IEEE 754, of 11 bits of precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainIeee;

/// The upper half of an `f32`, of 8 bits of precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainBrain;

impl Format for PlainIeee {
    #[inline(always)]
    fn to_f32(bits: u16) -> f32 {
        f16_to_f32(bits)
    }

    #[inline(always)]
    fn from_f32(value: f32) -> u16 {
        f16_from_f32(value)
    }

    #[inline(always)]
    fn from_f32_towards_zero(value: f32) -> u16 {
        f16_from_f32_towards_zero(value)
    }
}

impl Format for PlainBrain {
    #[inline(always)]
    fn to_f32(bits: u16) -> f32 {
        bf16_to_f32(bits)
    }

    #[inline(always)]
    fn from_f32(value: f32) -> u16 {
        bf16_from_f32(value)
    }

    #[inline(always)]
    fn from_f32_towards_zero(value: f32) -> u16 {
        bf16_from_f32_towards_zero(value)
    }
}

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;

/// A half in 32 bits, exactly. A NaN stays one, with the bits that it has.
#[inline(always)]
pub(crate) fn f16_to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let shifted = u32::from(bits & 0x7fff) << 13;
    // As an `f32` the exponent is 112 too small; a product mends it for subnormal numbers, too.
    let scaled = f32::from_bits(shifted) * f32::from_bits(0x7780_0000);
    let magnitude = if shifted >= 0x0f80_0000 { shifted | INFINITY } else { scaled.to_bits() };
    f32::from_bits(sign | magnitude)
}

/// The nearest half; of two as near the even one. A NaN becomes a quiet one.
#[inline(always)]
pub(crate) fn f16_from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let magnitude = bits & !SIGN;
    // With the last bit that stays at the end of the sum: the addition rounds.
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let odd = magnitude >> 13 & 1;
    let normal = magnitude.wrapping_add(0xc800_0fff).wrapping_add(odd) >> 13;
    let special = if magnitude > INFINITY { 0x7e00 } else { 0x7c00 };
    let rounded = if magnitude >= 0x4780_0000 {
        special
    } else if magnitude < 0x3880_0000 {
        subnormal
    } else {
        normal
    };
    rounded as u16 | (bits >> 16 & 0x8000) as u16
}

/// The next half towards zero: no finite number becomes infinite. A NaN becomes a quiet one.
#[inline(always)]
pub(crate) fn f16_from_f32_towards_zero(value: f32) -> u16 {
    let bits = value.to_bits();
    let magnitude = bits & !SIGN;
    let least_units = (f32::from_bits(magnitude) * 16_777_216.0) as u32;
    let normal = magnitude.wrapping_sub(0x3800_0000) >> 13;
    let rounded = if magnitude > INFINITY {
        0x7e00
    } else if magnitude == INFINITY {
        0x7c00
    } else if magnitude >= 0x4780_0000 {
        0x7bff
    } else if magnitude < 0x3880_0000 {
        least_units
    } else {
        normal
    };
    rounded as u16 | (bits >> 16 & 0x8000) as u16
}

/// A `bf16` in 32 bits, exactly: the lower half is zeros.
#[inline(always)]
pub(crate) fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The nearest `bf16`; of two as near the even one. A NaN becomes a quiet one.
#[inline(always)]
pub(crate) fn bf16_from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let odd = bits >> 16 & 1;
    let rounded = bits.wrapping_add(0x7fff).wrapping_add(odd) >> 16;
    let quiet = bits >> 16 | 0x40;
    (if value.is_nan() { quiet } else { rounded }) as u16
}

/// The next `bf16` towards zero. A NaN becomes a quiet one.
#[inline(always)]
pub(crate) fn bf16_from_f32_towards_zero(value: f32) -> u16 {
    let upper = value.to_bits() >> 16;
    (if value.is_nan() { upper | 0x40 } else { upper }) as u16
}
