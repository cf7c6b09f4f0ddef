//! Sine and cosine on ±π/4 by polynomials, at the place that the quadrant says.

use super::{INTEGER, fma, quadrant};
use crate::arch::{self, Instructions};
use crate::math::Trigonometry;
use core::f32::consts::{FRAC_PI_2, PI};

/// The sine, minimax in the relative error: 2^-27.9 on ±π/4.
#[inline(always)]
fn sin_of_rest(r: f32) -> f32 {
    let s = r * r;
    let p = fma(fma(-1.951_789_5e-4, s, 0.008_332_187), s, -0.166_666_55);
    // The zero makes the product's positive, so that -0 stays.
    fma(fma(p, s, 0.0), r, r)
}

/// The cosine, minimax in the relative error: 2^-33 on ±π/4.
#[inline(always)]
fn cos_of_rest(r: f32) -> f32 {
    let s = r * r;
    let p = fma(fma(2.443_233_1e-5, s, -0.001_388_731), s, 0.041_666_646);
    fma(fma(p, s, -0.5), s, 1.0)
}

/// The sine of π times the rest: 2^-27.9 on ±¼.
#[inline(always)]
fn sin_pi_of_rest(r: f32) -> f32 {
    let s = r * r;
    let p = fma(fma(-0.589_277_6, s, 2.549_794_7), s, -5.167_709);
    fma(r, PI, fma(s * r, p, r * -8.742_278e-8))
}

/// The cosine of π times the rest: 2^-31.1 on ±¼.
#[inline(always)]
fn cos_pi_of_rest(r: f32) -> f32 {
    let s = r * r;
    let p = fma(fma(0.228_981_57, s, -1.334_757_9), s, 4.058_696_7);
    fma(fma(p, s, -4.934_802), s, 1.0)
}

/// Sine or cosine of the rest by the last bit of the quadrant, with the sign by the bit before.
#[inline(always)]
fn at(quadrant: u32, sin: f32, cos: f32) -> f32 {
    let y = if quadrant & 1 == 0 { sin } else { cos };
    f32::from_bits(y.to_bits() ^ (quadrant & 2) << 30)
}

/// The nearest multiple of ½ and the rest, of an argument in units of π.
#[inline(always)]
fn half_turns(x: f32) -> (f32, u32) {
    // Exact; NaN of infinities.
    let x = fma(-2.0, Instructions::trunc(x * 0.5), x);
    let n = fma(x, 2.0, INTEGER);
    (fma(n - INTEGER, -0.5, x), n.to_bits())
}

/// How much less π/2 is than its nearest `f32`.
const BEYOND_PI_2: f32 = 4.371_139e-8;

/// The arc sine up to a limit, and beyond it that of sqrt((1 - x) / 2), which is half of the arc cosine.
#[inline(always)]
fn asin_of_part(a: f32) -> (bool, f32) {
    let large = a > 0.5625;
    let s = if large { fma(a, -0.5, 0.5) } else { a * a };
    let z = if large { arch::sqrt_nearly(s) } else { a };
    // Minimax in the relative error, 2^-25.3 on ±0.5625.
    let p = fma(fma(0.051_209_535, s, 0.018_508_025), s, 0.046_688_1);
    let p = fma(fma(p, s, 0.074_850_954), s, 0.166_670_14);
    (large, fma(z * s, p, z))
}

/// The arc tangent of a number from 0 to 1: minimax in the relative error, 2^-25.8.
#[inline(always)]
fn atan_to_1(z: f32) -> f32 {
    let s = z * z;
    let p = fma(fma(0.002_919_756_3, s, -0.016_364_237), s, 0.043_205_973);
    let p = fma(fma(fma(p, s, -0.075_517_29), s, 0.106_657_86), s, -0.142_110_03);
    let p = fma(fma(p, s, 0.199_937_67), s, -0.333_331_53);
    fma(z * s, p, z)
}

impl Trigonometry for f32 {
    #[inline(always)]
    fn sin(self) -> Self {
        let (r, n) = quadrant::of(self);
        at(n, sin_of_rest(r), cos_of_rest(r))
    }

    #[inline(always)]
    fn cos(self) -> Self {
        let (r, n) = quadrant::of(self);
        at(n.wrapping_add(1), sin_of_rest(r), cos_of_rest(r))
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (r, n) = quadrant::of(self);
        let (sin, cos) = (sin_of_rest(r), cos_of_rest(r));
        (at(n, sin, cos), at(n.wrapping_add(1), sin, cos))
    }

    #[inline(always)]
    fn tan(self) -> Self {
        let (r, n) = quadrant::of(self);
        let s = r * r;
        // Minimax in the relative error, 2^-25.7 on ±π/4.
        let p = fma(fma(0.009_413_39, s, 0.003_072_380_3), s, 0.024_460_142);
        let p = fma(fma(fma(p, s, 0.053_402_68), s, 0.133_389_07), s, 0.333_331_53);
        let y = fma(s * r, p, r);
        if n & 1 == 0 { y } else { -arch::recip(y) }
    }

    #[inline(always)]
    fn sin_pi(self) -> Self {
        let (r, n) = half_turns(self);
        let y = at(n, sin_pi_of_rest(r), cos_pi_of_rest(r));
        // At integers a zero, with the sign of the argument.
        if n & 1 == 0 && r == 0.0 { Self::copysign(0.0, self) } else { y }
    }

    #[inline(always)]
    fn cos_pi(self) -> Self {
        let (r, n) = half_turns(self);
        // The sum makes a zero positive.
        at(n.wrapping_add(1), sin_pi_of_rest(r), cos_pi_of_rest(r)) + 0.0
    }

    #[inline(always)]
    fn asin(self) -> Self {
        let (large, y) = asin_of_part(self.abs());
        let y = if large { FRAC_PI_2 - fma(2.0, y, BEYOND_PI_2) } else { y };
        Self::copysign(y, self)
    }

    #[inline(always)]
    fn acos(self) -> Self {
        let (large, y) = asin_of_part(self.abs());
        let y = Self::copysign(y, self) * if large { -2.0 } else { 1.0 };
        let end = if self < 0.0 { PI } else { 0.0 };
        let from = if large { end } else { FRAC_PI_2 };
        // The factor makes of each what it lacks of its multiple of π.
        from - fma(from, BEYOND_PI_2 / FRAC_PI_2, y)
    }

    #[inline(always)]
    fn atan(self) -> Self {
        let a = self.abs();
        let y = atan_to_1(if a > 1.0 { arch::recip(a) } else { a });
        Self::copysign(if a > 1.0 { FRAC_PI_2 - y } else { y }, self)
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        let (a, b) = (self.abs(), x.abs());
        let (large, small) = (Self::max(a, b), Self::min(a, b));
        // So that neither the larger one nor its reciprocal is subnormal.
        let scale = if large > 1e30 {
            1e-10
        } else if large < 1e-30 {
            1e20
        } else {
            1.0
        };
        let (scaled, divisor) = (small * scale, large * scale);
        let r = arch::recip(divisor);
        let quotient = scaled * r;
        let quotient = fma(fma(-quotient, divisor, scaled), r, quotient);
        let quotient = if large == 0.0 || large == Self::INFINITY { 0.0 } else { quotient };
        let y = atan_to_1(if small == Self::INFINITY { 1.0 } else { quotient });
        let y = if a > b { FRAC_PI_2 - y } else { y };
        let y = if x.is_sign_negative() { PI - y } else { y };
        let y = Self::copysign(y, self);
        if self.is_nan() || x.is_nan() { Self::NAN } else { y }
    }
}
