//! Exponentials of the argument in units of ln 2: the integer part is the exponent, and of the fraction
//! `arch` knows the power of two. The product is in two parts, since the integer takes up to 8 of its bits.

use crate::arch;
use crate::math::Exponential;
use core::f32::consts::{LN_2, LOG2_10, LOG2_E};

/// e to the power of `x`, times two to the power of `shift`.
#[inline(always)]
pub(super) fn exp_scaled(x: f32, shift: i32) -> f32 {
    arch::exp2_of_product(x, LOG2_E, 1.925_963e-8, shift)
}

impl Exponential for f32 {
    #[inline(always)]
    fn exp(self) -> Self {
        exp_scaled(self, 0)
    }

    #[inline(always)]
    fn exp2(self) -> Self {
        arch::exp2(self)
    }

    #[inline(always)]
    fn exp10(self) -> Self {
        arch::exp2_of_product(self, LOG2_10, 7.059_537e-8, 0)
    }

    // e^x - 1 = 2^n (e^r - 1) + (2^n - 1), with n the nearest integer.
    #[inline(always)]
    fn exp_m1(self) -> Self {
        let x = self.clamp(-30.0, 89.0);
        let n = fma(x, LOG2_E, INTEGER);
        let i = n - INTEGER;
        let r = fma(i, 1.904_654_2e-9, fma(i, -LN_2, x));
        // Minimax in the relative error, 2^-31.1 on ±ln 2/2.
        let p = fma(fma(1.976_165_5e-4, r, 0.001_393_232_6), r, 0.008_333_546);
        let p = fma(fma(fma(p, r, 0.041_666_493), r, 0.166_666_66), r, 0.5);
        let p = fma(r * r, p, r);
        // Half of it, as 2^128 isn't a number.
        let half = f32::from_bits(n.to_bits().wrapping_add(126) << 23);
        let y = 2.0 * fma(half, p, half - 0.5);
        // Also of -0.
        Self::copysign(if i == 0.0 { p } else { y }, self)
    }
}

use super::{INTEGER, fma};
