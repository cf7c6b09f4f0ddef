//! The gamma function: Stirling's series for large numbers, recurrences down to it or up to a polynomial, and Euler's reflection
//! below zero.

use super::double_double::DoubleDouble;
use super::exponential::{exp_of_sum, scale};
use super::logarithm::long_ln;
use super::polynomial::polynomial;
use crate::arch::Instructions;
use crate::math::{Gamma, Logarithm, Trigonometry};

/// ln Γ(2 + x) / x for x from -¾ to ½, to 2⁻⁵³.
const LN_GAMMA: [f64; 23] = [
    0.42278433509846713,
    0.3224670334241132,
    -0.06735230105319802,
    0.02058080842778367,
    -0.007385551028683341,
    0.002890510330793652,
    -0.0011927539112543475,
    0.0005096695234371684,
    -0.0002231547695347875,
    9.945752787906321e-05,
    -4.4926078996193664e-05,
    2.050715704123625e-05,
    -9.440846252243122e-06,
    4.374369903367501e-06,
    -2.032148404238389e-06,
    9.618006550843996e-07,
    -4.7010613342026447e-07,
    1.801472013631092e-07,
    -7.326179360937189e-08,
    1.2018029044992868e-07,
    -1.472844562833128e-08,
    -5.319925735911114e-08,
    -4.744614873079384e-08,
];

/// x·(ln Γ(x) - ((x - ½)·ln(x) - x + ½·ln(2π))) as a function of 1/x² for x ≥ 10, to an absolute 2⁻⁵⁷.
const STIRLING: [f64; 7] = [
    0.08333333333333333,
    -0.0027777777777774778,
    0.0007936507931711003,
    -0.0005952378072919028,
    0.0008416682240919943,
    -0.0019052591120639055,
    0.005487895536462999,
];

/// ½·ln(2π).
const LN_ROOT_TWO_PI: DoubleDouble = DoubleDouble::new(0.9189385332046728, -3.8782941580672414e-17);
const PI: f64 = core::f64::consts::PI;

/// `ln Γ(x)` for x of at least 10.
#[inline(always)]
fn stirling(x: DoubleDouble) -> DoubleDouble {
    let inverse = 1.0 / x.hi;
    let series = inverse * polynomial(inverse * inverse, &STIRLING);
    let logarithm = long_ln(x);
    let product = logarithm.mul(x.add_float(-0.5));
    product.add(x.neg()).add(LN_ROOT_TWO_PI).add_float(series)
}

/// `Γ(x)`, or its reciprocal, for x above zero and below 200, as a number and the exponent of two. The number is right to a unit.
#[inline(always)]
fn gamma_of_positive(x: f64, is_reciprocal: bool) -> (f64, f64) {
    // Γ(x) = Γ(x + n) / (x·(x + 1)·…·(x + n - 1))
    let mut product = DoubleDouble::new(1.0, 0.0);
    let mut large = DoubleDouble::new(x, 0.0);
    while large.hi < 10.0 {
        product = product.mul(large);
        large = large.add_float(1.0);
    }
    let logarithm = stirling(large);
    let (power, n) = exp_of_sum(if is_reciprocal { logarithm.neg() } else { logarithm });
    let result = if is_reciprocal { power.mul(product) } else { power.div(product) };
    (result.hi, n)
}

/// `ln Γ(x)` for x above zero.
#[inline(always)]
fn ln_gamma_of_positive(x: f64) -> f64 {
    if x >= 10.0 {
        // Beyond, the logarithm less one times x is all, and may be infinite.
        return if x > 1e17 {
            x * (Logarithm::ln(x) - 1.0)
        } else {
            stirling(DoubleDouble::new(x, 0.0)).value()
        };
    }
    if x < 0.5 {
        // ln Γ(x + 2) - ln(x·(x + 1))
        return x * polynomial(x, &LN_GAMMA) - Logarithm::ln(Instructions::mul_add(x, x, x));
    }
    if x < 1.25 {
        let beyond = x - 1.0;
        return beyond * polynomial(beyond, &LN_GAMMA) - Logarithm::ln_1p(beyond);
    }
    // ln Γ(x - n) + ln((x - 1)·…·(x - n))
    let (mut x, mut product) = (x, 1.0);
    while x > 2.5 {
        x -= 1.0;
        product *= x;
    }
    let beyond = x - 2.0;
    Instructions::mul_add(beyond, polynomial(beyond, &LN_GAMMA), Logarithm::ln(product))
}

impl Gamma for f64 {
    #[inline(always)]
    fn gamma(self) -> Self {
        let a = self.abs();
        // Results of larger numbers are infinite or zero, those near zero the reciprocal.
        if self > 172.0 {
            return f64::INFINITY;
        }
        if a < 1e-17 {
            return 1.0 / self;
        }
        if self < 0.0 && Instructions::trunc(self) == self || self.is_nan() {
            return f64::NAN;
        }
        if self < -185.0 {
            let is_odd =
                Instructions::trunc(0.5 * Instructions::floor(self)) * 2.0 != Instructions::floor(self);
            return if is_odd { -0.0 } else { 0.0 };
        }
        let (number, n) = gamma_of_positive(a, self < 0.0);
        if self > 0.0 {
            return scale(number, n);
        }
        // Γ(-x) = -π / (x·sin(πx)·Γ(x))
        scale(number * (-PI / (a * Trigonometry::sin_pi(a))), n)
    }

    #[inline(always)]
    fn ln_gamma(self) -> Self {
        let a = self.abs();
        if !self.is_finite() {
            return a;
        }
        if self <= 0.0 && Instructions::trunc(self) == self {
            return f64::INFINITY;
        }
        if self > 0.0 {
            return ln_gamma_of_positive(self);
        }
        if a < 1e-17 {
            return -Logarithm::ln(a);
        }
        // ln |Γ(-x)| = ln(π / |x·sin(πx)|) - ln Γ(x)
        Logarithm::ln(PI / (a * Trigonometry::sin_pi(a)).abs()) - ln_gamma_of_positive(a)
    }
}
