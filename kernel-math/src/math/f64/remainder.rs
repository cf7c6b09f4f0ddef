//! What divisions leave, by long division of the mantissas, eleven bits a step.

use crate::math::Remainder;
use crate::math::remainder::euclid;

/// A float's mantissa with its first bit, and the exponent of its last bit above that of the smallest subnormal number.
#[inline(always)]
fn parts(x: f64) -> (u64, u32) {
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as u32, bits & ((1 << 52) - 1));
    if exponent == 0 { (fraction, 0) } else { (fraction | 1 << 52, exponent - 1) }
}

/// The float that is so many times two to the power of `exponent` smallest subnormal numbers. The mantissa is at most 53 bits wide.
#[inline(always)]
fn number(mantissa: u64, exponent: u32) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    // As many places as the first bit lacks, without going below the smallest exponent.
    let places = (mantissa.leading_zeros().saturating_sub(11)).min(exponent);
    let (mantissa, exponent) = (mantissa << places, exponent - places);
    // The first bit of a normal number adds one to the exponent.
    f64::from_bits((u64::from(exponent) << 52) + mantissa)
}

/// The remainder of two positive, finite numbers, and whether the quotient, rounded towards zero, is odd.
#[inline(always)]
fn divide(x: f64, y: f64) -> (f64, bool) {
    let ((mut mantissa, mut exponent), (divisor, divisor_exponent)) = (parts(x), parts(y));
    if exponent < divisor_exponent {
        return (x, false);
    }
    let mut quotient = mantissa / divisor;
    mantissa -= quotient * divisor;
    while exponent > divisor_exponent && mantissa != 0 {
        // A mantissa of 53 bits leaves room for eleven.
        let step = (exponent - divisor_exponent).min(11);
        let shifted = mantissa << step;
        quotient = shifted / divisor;
        mantissa = shifted - quotient * divisor;
        exponent -= step;
    }
    // Nothing is left before the last step: then the quotient has a factor of two.
    let is_odd = exponent == divisor_exponent && quotient & 1 == 1;
    (number(mantissa, divisor_exponent), is_odd)
}

/// Whether a remainder isn't a number.
#[inline(always)]
fn is_undefined(x: f64, y: f64) -> bool {
    !x.is_finite() || y.is_nan() || y == 0.0
}

impl Remainder for f64 {
    euclid!();

    #[inline(always)]
    fn rem(self, y: Self) -> Self {
        if is_undefined(self, y) {
            return f64::NAN;
        }
        if y.is_infinite() {
            return self;
        }
        divide(self.abs(), y.abs()).0.copysign(self)
    }

    #[inline(always)]
    fn remainder(self, y: Self) -> Self {
        if is_undefined(self, y) {
            return f64::NAN;
        }
        if y.is_infinite() {
            return self;
        }
        let y = y.abs();
        let (rest, is_odd) = divide(self.abs(), y);
        // More than half of y, without overflow and without a half that isn't there.
        let other = y - rest;
        let rest = if rest > other || (rest == other && is_odd) { rest - y } else { rest };
        if rest == 0.0 {
            f64::copysign(0.0, self)
        } else if self.is_sign_negative() {
            -rest
        } else {
            rest
        }
    }
}
