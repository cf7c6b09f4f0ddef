//! The error function by powers of two of polynomials, its complement by a polynomial times a Gaussian, their inverses by
//! polynomials in the logarithm.

use super::fma;
use crate::arch;
use crate::math::ErrorFunction;
use core::f32::consts::{LOG2_E, SQRT_2};

/// `erfc(z)` of what isn't below zero, where `s` and what its rounding left are `z²`.
#[inline(always)]
fn tail(z: f32, s: f32, s_low: f32) -> f32 {
    // `(1 + 2z) exp(z²) erfc(z)` in (z - 2) / (z + 2): minimax in the relative error, 2^-25.7 on 0 to 10.6 (Shepherd and
    // Laframboise 1981).
    let limited = f32::min(z, 10.6);
    let t = fma(-4.0, arch::recip(limited + 2.0), 1.0);
    let p = fma(fma(-3.990_619_4e-4, t, -0.001_228_697_5), t, 0.001_313_002_1);
    let p = fma(fma(fma(p, t, 0.008_632_764), t, -0.008_059_211), t, -0.054_205_623);
    let p = fma(fma(fma(p, t, 0.164_054_95), t, -0.166_031_09), t, -0.092_763_93);
    let p = fma(p, t, 1.276_978_4);
    // The quotient, corrected by what it leaves.
    let r = arch::recip(fma(2.0, limited, 1.0));
    let quotient = p * r;
    let quotient = fma(fma(quotient, -2.0 * limited, p) - quotient, r, quotient);
    // Times 2^32 at first, as the Gaussian is subnormal where the result isn't yet zero.
    let gaussian = arch::exp2_of_product(f32::max(-s, -150.0), LOG2_E, 1.925_963e-8, 32);
    let gaussian = fma(gaussian, -s_low, gaussian);
    let far = quotient * gaussian * (1.0 / 4_294_967_296.0);
    // `erf(z) / z - 1` in the square, up to ½, where the complement isn't yet small: 2^-30.1 of that.
    let q = fma(fma(0.004_613_933_6, s, -0.026_699_198), s, 0.112_817_43);
    let q = fma(fma(q, s, -0.376_125_34), s, 0.128_379_15);
    if z < 0.5 { 1.0 - fma(q, z, z) } else { far }
}

/// The value whose `erf` is `x`, where `y` is `1 - x²`; where that is below 2^-26, `WIDE` has to be true.
#[inline(always)]
fn inverse<const WIDE: bool>(x: f32, y: f32) -> f32 {
    // The result is nearly the square root of the logarithm. Up to 6 a polynomial in it, minimax in the relative error, 2^-24.7.
    // Beyond, in one over its root less ¼: 2^-25.1 up to 26, 2^-24.1 up to 151. The polynomial is of what is added to one, so that
    // its rounding is a fourth.
    let w = -arch::log2_approximately(y);
    let p = fma(fma(2.998_734_1e-9, w, -5.295_815e-8), w, -1.606_846_4e-7);
    let p = fma(fma(fma(p, w, 9.270_670_5e-6), w, -3.390_198e-5), w, -7.721_055_3e-4);
    let near = fma(fma(fma(p, w, 0.005_545_452_2), w, 0.160_820_45), w, 0.886_226_9) * x;
    let z = arch::rsqrt_of_normal(w) - 0.25;
    let far = if WIDE {
        let p = fma(fma(21.332_314, z, 22.321_257), z, -4.653_057_6);
        let p = fma(fma(fma(p, z, -0.348_699_66), z, -1.393_130_7), z, 0.563_899_64);
        fma(fma(fma(p, z, 0.181_780_25), z, -0.186_351_24), z, -0.208_866_42)
    } else {
        let p = fma(fma(20.478_55, z, -1.634_636_4), z, -0.811_453_76);
        let p = fma(fma(fma(p, z, -1.383_386_9), z, 0.565_774_86), z, 0.181_703_09);
        fma(fma(p, z, -0.186_352_5), z, -0.208_866_36)
    };
    let root = arch::sqrt_approximately(w);
    let far = f32::copysign(fma(far, root, root), x);
    let result = if w < 6.0 { near } else { far };
    if y == 0.0 { f32::copysign(f32::INFINITY, x) } else { result }
}

impl ErrorFunction for f32 {
    #[inline(always)]
    fn erf(self) -> Self {
        let a = self.abs();
        let far = a >= 0.875;
        // From 4 on it is 1.
        let z = if far { Self::min(a, 4.0) } else { self * self };
        // Minimax in the error relative to the result, 2^-26.1 of `erf(x) / x - 1` in the square, and 2^-28.2 of
        // `log2(erfc(x)) / x`.
        let p = if far { 3.106_690_7e-4 } else { -6.121_191_5e-4 };
        let p = fma(p, z, if far { -0.004_654_195 } else { 0.005_015_679 });
        let p = fma(p, z, if far { 0.033_074_15 } else { -0.026_779_678 });
        let p = fma(p, z, if far { -0.151_939_54 } else { 0.112_821_04 });
        let p = fma(p, z, if far { -0.917_088_3 } else { -0.376_125_13 });
        let p = fma(p, z, if far { -1.628_119_5 } else { 0.128_379_15 });
        let y = if far { 1.0 - arch::exp2_approximately(p * z) } else { fma(p, self, self) };
        Self::copysign(y, self)
    }

    #[inline(always)]
    fn erfc(self) -> Self {
        let a = self.abs();
        let s = a * a;
        let y = tail(a, s, fma(a, a, -s));
        let y = if self < 0.0 { 2.0 - y } else { y };
        if a < 10.5 {
            y
        } else if self.is_nan() {
            self
        } else if self < 0.0 {
            2.0
        } else {
            0.0
        }
    }

    #[inline(always)]
    fn norm_cdf(self) -> Self {
        let a = self.abs();
        // Half of the square, which is that of `a / sqrt(2)`.
        let s = 0.5 * a * a;
        let y = 0.5 * tail(a * core::f32::consts::FRAC_1_SQRT_2, s, fma(0.5 * a, a, -s));
        let y = if self > 0.0 { 1.0 - y } else { y };
        if a < 14.5 {
            y
        } else if self.is_nan() {
            self
        } else if self < 0.0 {
            0.0
        } else {
            1.0
        }
    }

    #[inline(always)]
    fn erf_inv(self) -> Self {
        inverse::<false>(self, fma(-self, self, 1.0))
    }

    #[inline(always)]
    fn erfc_inv(self) -> Self {
        inverse::<true>(1.0 - self, self * (2.0 - self))
    }

    #[inline(always)]
    fn norm_cdf_inv(self) -> Self {
        let x = 2.0 * self;
        SQRT_2 * inverse::<true>(x - 1.0, x * (2.0 - x))
    }
}
