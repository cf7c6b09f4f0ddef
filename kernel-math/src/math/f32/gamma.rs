//! The gamma function by Stirling's formula from 3 on, and below by the recurrence or polynomials around the
//! zeros of the logarithm. By reflection below zero.

use super::power::log2_in_parts;
use super::{INTEGER, fma};
use crate::arch::{self, Instructions};
use crate::math::{Gamma, Logarithm, Trigonometry};
use core::f32::consts::{FRAC_1_PI, LOG2_E, PI};

/// `ln(gamma(x))` for `x` above zero.
#[inline(always)]
fn ln_gamma_of_positive(x: f32) -> f32 {
    // Around 2: minimax in the relative error, 2^-25.9 from 1.5 to 3. Below by the recurrence.
    let (t, divisor) = if x < 0.5 {
        (x, fma(x, x, x))
    } else if x < 1.5 {
        (x - 1.0, x)
    } else {
        (x - 2.0, 1.0)
    };
    let p = fma(fma(5.646_56e-5, t, -2.283_421_5e-4), t, 5.318_495_7e-4);
    let p = fma(fma(fma(p, t, -0.001_193_209), t, 0.002_886_796), t, -0.007_386_781_3);
    let p = fma(fma(fma(p, t, 0.020_581_096), t, -0.067_352_04), t, 0.322_467_03);
    let p = fma(p, t, 0.422_784_33);
    let large = x >= 3.0;
    let logarithm = Logarithm::ln(if large { x } else { divisor });
    // Stirling's series, its remainder minimax: 2^-22 of it from 3 on.
    let z = arch::recip(x);
    let s = z * z;
    let q = fma(fma(7.092_540_6e-4, s, -0.002_774_459), s, 0.083_333_31);
    let stirling = fma(x - 0.5, logarithm - 1.0, fma(q, z, HALF_LN_2_PI_LESS_HALF));
    if large { stirling } else { fma(t, p, -logarithm) }
}

/// `(ln(2π) - 1) / 2`.
const HALF_LN_2_PI_LESS_HALF: f32 = 0.418_938_53;

impl Gamma for f32 {
    #[inline(always)]
    fn gamma(self) -> Self {
        let reflected = self < -0.5;
        let a = if reflected { -self } else { self };
        // gamma(a) = gamma(a + 3) / (a (a + 1) (a + 2))
        let small = a < 3.0;
        let x = if small { a + 3.0 } else { a };
        let rest = if small { a - (x - 3.0) } else { 0.0 };
        let z = arch::recip(x);
        // sqrt(2π) x^(x - ½) e^-x, with 2^-80 where all else would be too large. What was rounded off `x` counts by the
        // derivative of the logarithm.
        let (high, low) = log2_in_parts(x);
        let power = x - 0.5;
        let product = power * high;
        let low = fma(power, low, fma(power, high, -product));
        let low = fma(rest, fma(z, -0.5 * LOG2_E, high), low);
        let exponential = x * LOG2_E;
        let low = fma(-x, 1.925_963e-8, low) - fma(x, LOG2_E, -exponential);
        let sum = Self::clamp(product - exponential + low, -200.0, 200.0);
        let n = sum + INTEGER;
        // Exact, whatever is taken off makes smaller: below 3 the power may be less than ½.
        let whole = n - INTEGER;
        let f = ((product - Self::max(whole, 0.0)) - (exponential + Self::min(whole, 0.0))) + low;
        // Stirling's series times sqrt(2π): minimax in the relative error, 2^-30.1 from 2.5 on.
        let p = fma(fma(fma(0.001_211_069_4, z, -1.390_743_6e-4), z, -0.006_816_412_3), z, 0.008_712_273);
        let p = fma(fma(p, z, 0.208_885_43), z, 2.506_628_3);
        let power = arch::exp2_of_sum(n, f, -80);
        let gamma = power * p;
        let polynomial = fma(a, x, 2.0);
        let sin = a.sin_pi();
        // What roundings left of the product and of the polynomial, and below of what is divided and of what by.
        let gamma_low = fma(power, p, -gamma);
        let polynomial_low = fma(a, rest, fma(a, x, 2.0 - polynomial));
        // Either the quotient by the polynomial, whose reciprocal mustn't be subnormal, or π / (-a sin(π a) gamma(a)).
        let (by, by_low) = if small { (polynomial, polynomial_low) } else { (1.0, 0.0) };
        let (numerator, numerator_low, divisor, divisor_low, scale) = if reflected {
            let numerator = -PI * by;
            let numerator_low = fma(-PI, by_low, fma(-PI_LOW, by, fma(-PI, by, -numerator)));
            let product = gamma * sin;
            let product_low = fma(gamma_low, sin, fma(gamma, sin, -product));
            let a = if small { 1.0 } else { a };
            let divisor = product * a;
            let divisor_low = fma(product_low, a, fma(product, a, -divisor));
            (numerator, numerator_low, divisor, divisor_low, 1.0 / POWER_80)
        } else {
            let a = if small { a * POWER_40 } else { POWER_40 };
            let divisor = a * by;
            (gamma, gamma_low, divisor, fma(a, by_low, fma(a, by, -divisor)), POWER_120)
        };
        let r = arch::recip(divisor);
        let quotient = numerator * r;
        let rest = fma(-quotient, divisor, numerator) + fma(-quotient, divisor_low, numerator_low);
        let y = fma(rest, r, quotient) * scale;
        let y = if self >= 36.0 { Self::INFINITY } else { y };
        let y = if self < -45.0 { Self::copysign(0.0, -sin) } else { y };
        let y = if self == 0.0 { Self::copysign(Self::INFINITY, self) } else { y };
        if self < 0.0 && Instructions::trunc(self) == self || self.is_nan() { Self::NAN } else { y }
    }

    #[inline(always)]
    fn ln_gamma(self) -> Self {
        let a = self.abs();
        let y = ln_gamma_of_positive(a);
        // π / (a sin(π a) gamma(a)); near zero that is nearly gamma(a), and its parts would be subnormal.
        let sin = a.sin_pi().abs();
        let product = a * sin;
        let of_pi = product * FRAC_1_PI;
        // What roundings left of it counts by the derivative of the logarithm.
        let low = fma(
            fma(a, sin, -product),
            FRAC_1_PI,
            fma(product, FRAC_1_PI_LOW, fma(product, FRAC_1_PI, -of_pi)),
        );
        let reflected = -(Logarithm::ln(of_pi) + y) - low * arch::recip(of_pi);
        let y = if self < -1e-9 { reflected } else { y };
        let infinite = a == Self::INFINITY || self <= 0.0 && Instructions::trunc(self) == self;
        if infinite { Self::INFINITY } else { y }
    }
}

/// What `PI` lacks of π.
const PI_LOW: f32 = -8.742_278e-8;

/// What `FRAC_1_PI` lacks of 1/π.
const FRAC_1_PI_LOW: f32 = 1.284_127_6e-8;

const POWER_40: f32 = f32::from_bits((127 + 40) << 23);
const POWER_80: f32 = f32::from_bits((127 + 80) << 23);
const POWER_120: f32 = f32::from_bits((127 + 120) << 23);
