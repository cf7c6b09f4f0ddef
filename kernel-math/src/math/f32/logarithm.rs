//! Logarithms, with the argument as `2^e * (1 + t)` with `t` from -1/3 to 1/3, and a polynomial in `t`.

use super::fma;
use crate::arch;
use crate::math::Logarithm;
use core::f32::consts::{LN_2, LOG2_E, LOG10_2, LOG10_E};

/// 2/3, as the bits of a float.
const LEAST: i32 = 0x3f2a_aaab;

/// The exponent as a float, and `t`, of a positive number. From `least` on, taken for an integer, a float has the next exponent.
#[inline(always)]
pub(super) fn split(x: f32, least: i32) -> (f32, f32) {
    let small = x < f32::MIN_POSITIVE;
    let bits = (if small { x * 8_388_608.0 } else { x }).to_bits() as i32;
    let exponent = bits.wrapping_sub(least) & !0x7f_ffff;
    let e = fma(exponent as f32, 1.192_092_9e-7, if small { -23.0 } else { 0.0 });
    (e, f32::from_bits(bits.wrapping_sub(exponent) as u32) - 1.0)
}

/// `(ln(1 + t) - t) / t²`: minimax in the relative error of the logarithm, 2^-27.7.
#[inline(always)]
fn tail(t: f32) -> f32 {
    if arch::SPLIT_POLYNOMIALS {
        let s = t * t;
        let eighth = fma(s, -0.128_742_87, fma(t, 0.139_867_08, -0.121_883_79));
        let fourth = fma(eighth, s, fma(t, 0.140_053_4, -0.166_801_8));
        let second = fma(s, fma(t, 0.200_104_45, -0.249_998_05), fma(t, 0.333_332_15, -0.5));
        return fma(fourth, s * s, second);
    }
    let p = fma(fma(-0.128_742_87, t, 0.139_867_08), t, -0.121_883_79);
    let p = fma(fma(fma(p, t, 0.140_053_4), t, -0.166_801_8), t, 0.200_104_45);
    fma(fma(fma(p, t, -0.249_998_05), t, 0.333_332_15), t, -0.5)
}

/// The result of a positive number, and what the others give: -∞ of zero, NaN below, themselves of ∞ and NaN.
#[inline(always)]
fn of_others(x: f32, result: f32) -> f32 {
    let result =
        if x.to_bits() >= f32::INFINITY.to_bits() { fma(x, f32::INFINITY, f32::INFINITY) } else { result };
    if x == 0.0 { f32::NEG_INFINITY } else { result }
}

/// `ln(1 + x)` of a number above -1, by the exponent of `1 + x`. The rest is then computed from `x`, without the rounding of the
/// sum.
#[inline(always)]
pub(super) fn ln_1p_of_number(x: f32) -> f32 {
    // From 0.75, so that `t` has rounded little where the result is small: from -¼ to ½.
    let exponent = ((1.0 + x).to_bits() as i32).wrapping_sub(0x3f40_0000) & !0x7f_ffff;
    let scaled = f32::from_bits((x.to_bits() as i32).wrapping_sub(exponent) as u32);
    // Four times the power, which itself may be subnormal.
    let power = f32::from_bits(0x4080_0000_i32.wrapping_sub(exponent) as u32);
    let t = scaled + fma(0.25, power, -1.0);
    // As `tail`: 2^-27.6.
    let p = fma(fma(-0.045_112_055, t, 0.104_688_786), t, -0.131_638_74);
    let p = fma(fma(fma(p, t, 0.144_783_21), t, -0.166_469_99), t, 0.199_908_2);
    let p = fma(fma(fma(p, t, -0.250_001_04), t, 0.333_334_5), t, -0.5);
    fma(exponent as f32 * 1.192_092_9e-7, LN_2, fma(t * t, p, t))
}

impl Logarithm for f32 {
    #[inline(always)]
    fn log(self, base: Self) -> Self {
        Logarithm::ln(self) / Logarithm::ln(base)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        let (e, t) = split(self, LEAST);
        of_others(self, fma(e, LN_2, fma(t * t, tail(t), t)))
    }

    #[inline(always)]
    fn log2(self) -> Self {
        let (e, t) = split(self, LEAST);
        // As for `tail`, of the logarithm to base 2: 2^-27.7.
        let p = fma(fma(-0.185_448_3, t, 0.201_595_17), t, -0.175_938_41);
        let p = fma(fma(fma(p, t, 0.202_098_32), t, -0.240_632_47), t, 0.288_686_5);
        let p = fma(fma(fma(p, t, -0.360_671_52), t, 0.480_896_7), t, -0.721_347_5);
        let high = t * LOG2_E;
        let low = fma(t, 1.925_963e-8, fma(t * t, p, fma(t, LOG2_E, -high)));
        // What the sum rounds off counts where the terms cancel.
        let sum = e + high;
        of_others(self, sum + ((high - (sum - e)) + low))
    }

    #[inline(always)]
    fn log10(self) -> Self {
        let (e, t) = split(self, LEAST);
        // Just above 4/3 the terms cancel, so that each product is added unrounded.
        let low = fma(e, -1.432_098_9e-8, t * t * tail(t) * LOG10_E);
        of_others(self, fma(e, LOG10_2, fma(t, LOG10_E, low)))
    }

    #[inline(always)]
    fn ln_1p(self) -> Self {
        let result = ln_1p_of_number(self);
        let result = if self > -1.0 && self < Self::INFINITY {
            result
        } else {
            fma(self, Self::INFINITY, Self::INFINITY)
        };
        let result = if self == -1.0 { Self::NEG_INFINITY } else { result };
        if self == 0.0 { self } else { result }
    }
}
