//! Inverses of sine, cosine and tangent, by a polynomial near zero and by what half of the complement has to do with it elsewhere.

use super::polynomial::polynomial;
use crate::arch::Instructions;

/// (atan(x) - x) / x³ as a function of x² for |x| ≤ 1, to 2⁻⁵⁵.
const ATAN: [f64; 20] = [
    -0.3333333333333307,
    0.19999999999951462,
    -0.14285714282575124,
    0.1111111100702608,
    -0.09090907002982582,
    0.07692279839122762,
    -0.06666404055781648,
    0.05880527802233722,
    -0.052535184926361604,
    0.04722322000779617,
    -0.04219178369792755,
    0.036641898725026746,
    -0.02990383893338202,
    0.021984829212644358,
    -0.013900537408422226,
    0.007196487254949481,
    -0.0028849103554810587,
    0.0008313190315138221,
    -0.0001521602662394435,
    1.322501671562146e-05,
];

/// (asin(x) - x) / x³ as a function of x² for |x| ≤ ½, to 2⁻⁵⁸.
const ASIN: [f64; 13] = [
    0.16666666666666666,
    0.07499999999990456,
    0.04464285715912435,
    0.030381943347151767,
    0.02237219907231033,
    0.017351869306935393,
    0.01397800628328578,
    0.011420146766951984,
    0.01066955488348937,
    0.004098049777214911,
    0.02080966483265081,
    -0.01979607798046677,
    0.031913252481606466,
];

/// π/2, and what the float lacks of it.
const HALF_PI: [f64; 2] = [1.5707963267948966, 6.123233995736766e-17];

/// The angle of a slope from 0 to 1.
#[inline(always)]
fn atan_to_one(x: f64) -> f64 {
    let z = x * x;
    Instructions::mul_add(x * z, polynomial(z, &ATAN), x)
}

#[inline(always)]
pub(super) fn atan(x: f64) -> f64 {
    let a = x.abs();
    let is_steep = a > 1.0;
    let angle = atan_to_one(if is_steep { 1.0 / a } else { a });
    let angle = if is_steep { HALF_PI[0] - (angle - HALF_PI[1]) } else { angle };
    angle.copysign(x)
}

#[inline(always)]
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    let (a, b) = (x.abs(), y.abs());
    let is_steep = b > a;
    let (larger, smaller) = if is_steep { (b, a) } else { (a, b) };
    let slope = smaller / larger;
    let slope = if larger == 0.0 { 0.0 } else { slope };
    let slope = if smaller == f64::INFINITY { 1.0 } else { slope };
    let angle = atan_to_one(slope);
    let angle = if is_steep { HALF_PI[0] - (angle - HALF_PI[1]) } else { angle };
    let angle = if x.is_sign_negative() { 2.0 * HALF_PI[0] - (angle - 2.0 * HALF_PI[1]) } else { angle };
    if x.is_nan() || y.is_nan() { f64::NAN } else { angle.copysign(y) }
}

/// `s` and what the inverse sine adds to it, where `z` is s² and at most ¼.
#[inline(always)]
fn asin_rest(s: f64, z: f64) -> f64 {
    s * z * polynomial(z, &ASIN)
}

#[inline(always)]
pub(super) fn asin(x: f64) -> f64 {
    let a = x.abs();
    let is_large = a >= 0.5;
    // asin(a) = π/2 - 2·asin(√((1 - a)/2))
    let z = if is_large { Instructions::mul_add(-0.5, a, 0.5) } else { a * a };
    let s = if is_large { Instructions::sqrt(z) } else { a };
    let rest = asin_rest(s, z);
    let angle = if is_large { HALF_PI[0] - (2.0 * (s + rest) - HALF_PI[1]) } else { s + rest };
    angle.copysign(x)
}

#[inline(always)]
pub(super) fn acos(x: f64) -> f64 {
    let a = x.abs();
    let is_large = a >= 0.5;
    let z = if is_large { Instructions::mul_add(-0.5, a, 0.5) } else { a * a };
    let s = if is_large { Instructions::sqrt(z) } else { x };
    let angle = s + asin_rest(s, z);
    // acos(x) = π/2 - asin(x); of large ones 2·asin(√((1 - a)/2)), and π less that below zero.
    let of_large = if x < 0.0 { 2.0 * HALF_PI[0] - (2.0 * angle - 2.0 * HALF_PI[1]) } else { 2.0 * angle };
    if is_large { of_large } else { HALF_PI[0] - (s - (HALF_PI[1] - asin_rest(s, z))) }
}
