//! Powers by a logarithm in two parts, roots by a step of Newton's.

use super::logarithm::split;
use super::{INTEGER, fma};
use crate::arch::{self, Instructions};
use crate::math::Power;

/// 2 / ln 2, in two parts.
const FACTOR: f32 = 2.0 * core::f32::consts::LOG2_E;
const FACTOR_LOW: f32 = 3.851_926e-8;

/// The logarithm to base 2 of a positive number as a sum, relative error 2^-31 or so.
#[inline(always)]
pub(super) fn log2_in_parts(x: f32) -> (f32, f32) {
    // From sqrt(½) to sqrt(2): the polynomial is at most a hundredth of the logarithm.
    let (e, u) = split(x, 0x3f35_04f3);
    // 2 atanh(t) = ln(1 + u), with t = u / (2 + u) and what its rounding left.
    let r = arch::recip(2.0 + u);
    let t = u * r;
    let rest = r * fma(-t, u, fma(-2.0, t, u));
    // Square and cube with what their roundings leave: the rounding of `t` alone would be felt three times.
    let s = t * t;
    let v = t * s;
    let v_low = fma(t, fma(t, t, -s), fma(t, s, -v));
    // Minimax in the relative error, 2^-36.4 on ±0.172.
    let p = fma(fma(fma(0.336_490_93, s, 0.411_927_25), s, 0.577_078_8), s, 0.961_796_7);
    let high = t * FACTOR;
    let low = fma(rest, fma(s, FACTOR, FACTOR), fma(t, FACTOR_LOW, fma(t, FACTOR, -high)));
    let sum = e + high;
    let low = fma(v, p, fma(v_low, 0.961_796_7, (high - (sum - e)) + low));
    let high = sum + low;
    (high, low - (high - sum))
}

/// Whether a number is zero or infinite: its own double, and NaN isn't.
#[inline(always)]
fn is_end(x: f32) -> bool {
    x + x == x
}

impl Power for f32 {
    #[inline(always)]
    fn powf(self, y: Self) -> Self {
        let a = self.abs();
        let (high, low) = log2_in_parts(a);
        // Beyond, all but 1 is 0 or ∞ already, and the products stay finite.
        let factor = y.clamp(-1e12, 1e12);
        let product = factor * high;
        let rest = fma(factor, low, fma(factor, high, -product));
        let sum = product + rest;
        let limited = sum.clamp(-200.0, 200.0);
        let n = limited + INTEGER;
        let f = (product - (n - INTEGER)) + rest;
        let magnitude = arch::exp2_of_sum(n, if sum == limited { f } else { 0.0 }, 0);
        let end = if (a == 0.0) == (y < 0.0) { Self::INFINITY } else { 0.0 };
        let magnitude = if a == 0.0 || a == Self::INFINITY { end } else { magnitude };
        let magnitude = if a == 1.0 { 1.0 } else { magnitude };
        let integer = Instructions::trunc(y) == y;
        let half = y * 0.5;
        let odd = integer && Instructions::trunc(half) != half;
        let result = if odd { Self::copysign(magnitude, self) } else { magnitude };
        let result = if self < 0.0 && a < Self::INFINITY && !integer { Self::NAN } else { result };
        let result = if self.is_nan() || y.is_nan() { Self::NAN } else { result };
        if self == 1.0 || y == 0.0 { 1.0 } else { result }
    }

    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        let (mut result, mut square, mut bits) = (1.0, self, n.unsigned_abs());
        while bits != 0 {
            result *= if bits & 1 == 0 { 1.0 } else { square };
            square *= square;
            bits >>= 1;
        }
        if n < 0 { 1.0 / result } else { result }
    }

    #[inline(always)]
    fn cbrt(self) -> Self {
        let a = self.abs();
        // What the step leaves of the argument mustn't be subnormal.
        let small = a < 1e-20;
        let x = if small { a * POWER_60 } else { a };
        let s = arch::rcbrt_squared_approximately(x);
        let y = x * s;
        let y = fma(fma(-(y * y), y, x), s * (1.0 / 3.0), y);
        let y = if small { y * (1.0 / POWER_20) } else { y };
        if is_end(self) { self } else { Self::copysign(y, self) }
    }

    #[inline(always)]
    fn hypot(self, y: Self) -> Self {
        let (a, b) = (self.abs(), y.abs());
        let (large, small) = (Self::max(a, b), Self::min(a, b));
        let (scale, back) = if large > 1e18 {
            (1.0 / POWER_68, POWER_68)
        } else if large < 1e-18 {
            (POWER_100, 1.0 / POWER_100)
        } else {
            (1.0, 1.0)
        };
        let (large, small) = (large * scale, small * scale);
        let length = arch::sqrt_approximately(fma(large, large, small * small)) * back;
        let length = if large == Self::INFINITY { large } else { length };
        if (self.is_nan() || y.is_nan()) && large != Self::INFINITY { Self::NAN } else { length }
    }

    #[inline(always)]
    fn rsqrt(self) -> Self {
        arch::rsqrt(self)
    }

    #[inline(always)]
    fn rcbrt(self) -> Self {
        let a = self.abs();
        let small = a < Self::MIN_POSITIVE;
        let x = if small { a * POWER_60 } else { a };
        let y = arch::rcbrt_approximately(x);
        let s = y * y;
        let b = x * y;
        // 1 - x y³, with what the square's rounding left.
        let rest = fma(b, -fma(y, y, -s), fma(-b, s, 1.0));
        let y = fma(y * (1.0 / 3.0), rest, y);
        let y = if small { y * POWER_20 } else { y };
        // The exponent's bits are what zero and infinity differ in.
        let end = Self::from_bits(self.to_bits() ^ Self::INFINITY.to_bits());
        if is_end(self) { end } else { Self::copysign(y, self) }
    }
}

const POWER_20: f32 = f32::from_bits((127 + 20) << 23);
const POWER_60: f32 = f32::from_bits((127 + 60) << 23);
const POWER_68: f32 = f32::from_bits((127 + 68) << 23);
const POWER_100: f32 = f32::from_bits((127 + 100) << 23);
