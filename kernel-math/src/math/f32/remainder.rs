//! Long division in binary, of mantissas as integers: eight bits of the quotient a step.

use crate::math::Remainder;
use crate::math::remainder::euclid;

/// What the division of finite values leaves, where the divisor isn't zero and is less than twice the other: the rest and the divisor in units of two to the
/// power of the exponent, and whether the quotient is odd. Signs don't count.
#[inline(always)]
fn divide(x: f32, y: f32) -> (u32, u32, i32, bool) {
    let (mut rest, from) = parts(x);
    let (divisor, exponent) = parts(y);
    if from < exponent {
        return (rest, 2 * divisor, exponent - 1, false);
    }
    // By zero it would be a panic.
    let divisor = divisor.max(1);
    let mut places = from - exponent;
    loop {
        // A mantissa of 24 bits leaves room for eight.
        let step = places.min(8);
        let shifted = rest << step;
        // Not by `%`: the quotient of the last step would be a division of its own.
        let quotient = shifted / divisor;
        rest = shifted - quotient * divisor;
        places -= step;
        if places <= 0 {
            return (rest, divisor, exponent, quotient & 1 == 1);
        }
    }
}

/// The float that is so many times two to the power of `exponent`, which is above -152 and below 128.
#[inline(always)]
fn number(mantissa: u32, exponent: i32) -> f32 {
    // In two steps, as the power may be subnormal. Both are exact.
    let half = exponent >> 1;
    let power = |n: i32| f32::from_bits((n.wrapping_add(127) as u32) << 23);
    mantissa as f32 * power(half) * power(exponent.wrapping_sub(half))
}

/// The mantissa and the exponent of its last place.
#[inline(always)]
fn parts(x: f32) -> (u32, i32) {
    let bits = x.to_bits() & 0x7fff_ffff;
    let field = (bits >> 23) as i32;
    // A subnormal number has the exponent of the next ones, and no bit of its own before the point.
    let (hidden, exponent) = if field == 0 { (0, 1) } else { (0x80_0000, field) };
    (bits & 0x7f_ffff | hidden, exponent - 150)
}

/// Whether the quotient isn't defined.
#[inline(always)]
fn is_undefined(x: f32, y: f32) -> bool {
    !x.is_finite() || y.is_nan() || y == 0.0
}

impl Remainder for f32 {
    euclid!();

    #[inline(always)]
    fn rem(self, y: Self) -> Self {
        if is_undefined(self, y) {
            return Self::NAN;
        }
        if self.abs() < y.abs() {
            return self;
        }
        let (rest, _, exponent, _) = divide(self, y);
        Self::copysign(number(rest, exponent), self)
    }

    #[inline(always)]
    fn remainder(self, y: Self) -> Self {
        if is_undefined(self, y) {
            return Self::NAN;
        }
        // Up to half of the divisor nothing is taken away.
        if self.abs() + self.abs() <= y.abs() {
            return self;
        }
        let (rest, divisor, exponent, odd) = divide(self, y);
        let up = 2 * rest > divisor || 2 * rest == divisor && odd;
        let magnitude = if up { divisor - rest } else { rest };
        let result = number(magnitude, exponent);
        Self::copysign(1.0, self) * if up { -result } else { result }
    }
}
