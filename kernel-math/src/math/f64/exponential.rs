//! Powers of constants: a power of two, and e to the power of what is left (Cody and Waite, "Software Manual for the Elementary
//! Functions", 1980).

use super::double_double::DoubleDouble;
use super::polynomial::polynomial;
use crate::arch::Instructions;
use crate::math::Exponential;

/// (eˣ - 1 - x) / x² for |x| ≤ ln(2)/2: eˣ - 1 to 2⁻⁶⁰.
const EXP: [f64; 11] = [
    0.5,
    0.16666666666666677,
    0.0416666666666667,
    0.008333333333321579,
    0.001388888888886676,
    0.0001984126988626664,
    2.480158736071003e-05,
    2.7557244061554584e-06,
    2.755724262651579e-07,
    2.51090905363857e-08,
    2.0924484687680077e-09,
];

/// ln(2) in 42 bits, so that its products with exponents are exact, and the rest.
pub(super) const LN_2: DoubleDouble = DoubleDouble::new(0.6931471805598903, 5.497923018708371e-14);
const LN_10: DoubleDouble = DoubleDouble::new(2.302585092994046, -2.1707562233822494e-16);
const LN_2_NEAREST: DoubleDouble = DoubleDouble::new(0.6931471805599453, 2.3190468138462996e-17);

/// log10(2) in 42 bits, and the rest.
const LOG10_2: DoubleDouble = DoubleDouble::new(0.30102999566383914, 1.42050232272661e-13);

/// Number that, added to a float below 2⁵¹, leaves the nearest integer in the last bits.
const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;

/// The integer nearest to `a * b`: as bits, of which the last ones are it, and as a float.
#[inline(always)]
fn nearest(a: f64, b: f64) -> (u64, f64) {
    let rounded = Instructions::mul_add(a, b, ROUND);
    (rounded.to_bits(), rounded - ROUND)
}

/// Two to the power of the last bits, from -1022 to 1023.
#[inline(always)]
fn power_of_two(bits: u64) -> f64 {
    f64::from_bits(bits.wrapping_add(1023) << 52)
}

/// `x` times two to the power of an integer from -2044 to 2046, rounded once if `x` is from 0.5 to 2.
#[inline(always)]
pub(super) fn scale(x: f64, exponent: f64) -> f64 {
    let (half, _) = nearest(exponent, 0.5);
    let (whole, _) = nearest(exponent, 1.0);
    x * power_of_two(half) * power_of_two(whole.wrapping_sub(half))
}

/// `e^(hi + lo)`, without the 1, for a sum of at most ln(2)/2: a first part and the rest.
#[inline(always)]
fn reduced_exp_m1(hi: f64, lo: f64) -> (f64, f64) {
    (hi, Instructions::mul_add(hi * hi, polynomial(hi, &EXP), lo))
}

/// The exponential of a sum, as a number near 1 and the exponent of two. The sum is from -1400 to 1400.
#[inline(always)]
pub(super) fn exp_of_sum(x: DoubleDouble) -> (DoubleDouble, f64) {
    let (_, n) = nearest(x.hi, core::f64::consts::LOG2_E);
    let hi = Instructions::mul_add(-n, LN_2.hi, x.hi);
    let lo = Instructions::mul_add(-n, LN_2.lo, x.lo);
    let reduced = DoubleDouble::ordered_sum(hi, lo);
    // What the first part's own rest adds: its derivative is about 1.
    let (first, rest) = reduced_exp_m1(reduced.hi, Instructions::mul_add(reduced.hi, reduced.lo, reduced.lo));
    let sum = DoubleDouble::ordered_sum(1.0, first);
    (DoubleDouble::ordered_sum(sum.hi, sum.lo + rest), n)
}

/// `x` between two limits, beyond which a result is infinite or zero anyway; NaN stays.
#[inline(always)]
fn clamp(x: f64, least: f64, most: f64) -> f64 {
    let x = if x > most { most } else { x };
    if x < least { least } else { x }
}

/// `e^x`, times two to the power of `extra`.
#[inline(always)]
pub(super) fn exp_scaled(x: f64, extra: f64) -> f64 {
    let x = clamp(x, -1400.0, 1400.0);
    let (power, n) = exp_of_sum(DoubleDouble::new(x, 0.0));
    scale(power.hi, n + extra)
}

impl Exponential for f64 {
    #[inline(always)]
    fn exp(self) -> Self {
        let x = clamp(self, -750.0, 710.0);
        let (_, n) = nearest(x, core::f64::consts::LOG2_E);
        let hi = Instructions::mul_add(-n, LN_2.hi, x);
        let sum = DoubleDouble::ordered_sum(hi, -n * LN_2.lo);
        let (first, rest) = reduced_exp_m1(sum.hi, sum.lo);
        scale(1.0 + (first + rest), n)
    }

    #[inline(always)]
    fn exp2(self) -> Self {
        let x = clamp(self, -1080.0, 1030.0);
        let (_, n) = nearest(x, 1.0);
        let of_e = LN_2_NEAREST.mul_float(x - n);
        let (first, rest) = reduced_exp_m1(of_e.hi, of_e.lo);
        scale(1.0 + (first + rest), n)
    }

    #[inline(always)]
    fn exp10(self) -> Self {
        let x = clamp(self, -330.0, 310.0);
        let (_, n) = nearest(x, core::f64::consts::LOG2_10);
        let hi = Instructions::mul_add(-n, LOG10_2.hi, x);
        let of_e = LN_10.mul(DoubleDouble::ordered_sum(hi, -n * LOG10_2.lo));
        let (first, rest) = reduced_exp_m1(of_e.hi, of_e.lo);
        scale(1.0 + (first + rest), n)
    }

    // 2ⁿ·eʳ - 1 = (2ⁿ - 1) + 2ⁿ·r + 2ⁿ·(eʳ - 1 - r), of which the first two are summed exactly.
    #[inline(always)]
    fn exp_m1(self) -> Self {
        // Beyond, -1 and +1 are what is lost in rounding; 2ⁿ stays finite.
        let x = clamp(self, -50.0, 709.9);
        let (_, n) = nearest(x, core::f64::consts::LOG2_E);
        // Where 2ⁿ is too large by one half of it is taken, and the result doubled.
        let half = if n > 1023.0 { 0.5 } else { 1.0 };
        let hi = Instructions::mul_add(-n, LN_2.hi, x);
        let reduced = DoubleDouble::ordered_sum(hi, -n * LN_2.lo);
        let (first, rest) = reduced_exp_m1(reduced.hi, reduced.lo);
        let power = scale(half, n);
        let sum = DoubleDouble::sum(power - half, power * first);
        let result = (sum.hi + Instructions::mul_add(power, rest, sum.lo)) * (1.0 / half);
        let result = if self > 709.9 { f64::INFINITY } else { result };
        // Of what is tiny the powers are zero, and the sign of a zero would be lost.
        if self.abs() < 1e-17 { self } else { result }
    }
}
