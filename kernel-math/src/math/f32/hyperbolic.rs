//! Hyperbolic functions by exponentials and logarithms; near zero, where these cancel, by polynomials.

use super::exponential::exp_scaled;
use super::fma;
use super::logarithm::ln_1p_of_number;
use crate::arch;
use crate::math::Hyperbolic;
use core::f32::consts::{LN_2, LOG2_E};

/// Limit from which on `x² + 1` is `x²`, and may soon be infinite.
const LARGE: f32 = 1_073_741_824.0;

impl Hyperbolic for f32 {
    #[inline(always)]
    fn sinh(self) -> Self {
        let s = self * self;
        // Minimax in the relative error, 2^-25.3 on ±1.
        let p = fma(fma(2.037_283_3e-4, s, 0.008_330_274), s, 0.166_667_16);
        let near = fma(s * self, p, self);
        // A quarter of the exponential, which itself may be infinite where the result isn't.
        let t = exp_scaled(self.abs(), -2);
        let far = fma(-0.125, arch::recip(t), 2.0 * t);
        if self.abs() < 1.0 { near } else { Self::copysign(far, self) }
    }

    #[inline(always)]
    fn cosh(self) -> Self {
        let t = exp_scaled(self.abs(), -2);
        fma(0.125, arch::recip(t), 2.0 * t)
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        let s = self * self;
        // Minimax in the relative error, 2^-23.5 on ±0.6.
        let p = fma(fma(fma(0.015_613_2, s, -0.052_212_23), s, 0.133_131_27), s, -0.333_325_98);
        let near = fma(s * self, p, self);
        let e = arch::exp2_approximately(self.abs() * (2.0 * LOG2_E));
        let far = fma(-2.0, arch::recip(e + 1.0), 1.0);
        Self::copysign(if self.abs() < 0.6 { near } else { far }, self)
    }

    #[inline(always)]
    fn asinh(self) -> Self {
        let a = self.abs();
        let s = a * a;
        let more = s * arch::recip(1.0 + arch::sqrt_approximately(1.0 + s));
        let (x, double) = if a < LARGE { (a + more, 0.0) } else { (a, LN_2) };
        let y = ln_1p_of_number(x) + double;
        let y = if a < Self::INFINITY { y } else { a };
        Self::copysign(y, self)
    }

    #[inline(always)]
    fn acosh(self) -> Self {
        let t = self - 1.0;
        let root = arch::sqrt_approximately(fma(t, t, 2.0 * t));
        let (x, double) = if self < LARGE { (t + root, 0.0) } else { (t, LN_2) };
        let y = ln_1p_of_number(x) + double;
        let y = if self < Self::INFINITY { y } else { self };
        if self < 1.0 { Self::NAN } else { y }
    }

    #[inline(always)]
    fn atanh(self) -> Self {
        let a = self.abs();
        let y = 0.5 * ln_1p_of_number(fma(2.0 * a * a, arch::recip(1.0 - a), 2.0 * a));
        let y = if a < 1.0 {
            y
        } else if a == 1.0 {
            Self::INFINITY
        } else {
            Self::NAN
        };
        Self::copysign(y, self)
    }
}
