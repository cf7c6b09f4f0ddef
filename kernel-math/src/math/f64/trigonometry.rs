//! Sine, cosine and tangent: an angle from -π/4 to π/4 and its quadrant (Cody and Waite, in sums of two floats), and a
//! polynomial each.

use super::double_double::DoubleDouble;
use super::inverse_trigonometry::{acos, asin, atan, atan2};
use super::large_angle::reduce_large;
use super::polynomial::polynomial;
use crate::arch::Instructions;
use crate::math::Trigonometry;

/// (sin(x) - x) / x³ as a function of x² for |x| ≤ π/4, to 2⁻⁵⁶.
const SIN: [f64; 6] = [
    -0.16666666666666666,
    0.008333333333329014,
    -0.0001984126983415809,
    2.7557314987461677e-06,
    -2.505093702950139e-08,
    1.5906118411583938e-10,
];

/// (cos(x) - 1 + x²/2) / x⁴ as a function of x², to 2⁻⁵⁹.
const COS: [f64; 6] = [
    0.041666666666666664,
    -0.0013888888888885413,
    2.4801587296161574e-05,
    -2.7557316158310627e-07,
    2.087595165499842e-09,
    -1.1370619755619682e-11,
];

/// π/2 in three floats.
const HALF_PI: [f64; 3] = [1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33];
const PI: DoubleDouble = DoubleDouble::new(3.141592653589793, 1.2246467991473532e-16);

/// Limit up to which the quadrant is exact in a float, and its products with parts of π/2 are exact in two.
const LARGE: f64 = (1_u64 << 30) as f64;

/// An angle from -π/4 to π/4, and the quadrant, of which the last two bits count.
struct Reduced {
    angle: DoubleDouble,
    quadrant: u64,
}

#[inline(always)]
fn reduce(x: f64) -> Reduced {
    const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
    if x.abs() >= LARGE {
        let (angle, quadrant) = reduce_large(x);
        return Reduced { angle, quadrant };
    }
    let rounded = Instructions::mul_add(x, core::f64::consts::FRAC_2_PI, ROUND);
    let n = rounded - ROUND;
    let (first, second) = (DoubleDouble::product(n, HALF_PI[0]), DoubleDouble::product(n, HALF_PI[1]));
    // Exact, as the two are within a factor of two of each other, or the second is zero (Sterbenz).
    let rest = DoubleDouble::sum(x - first.hi, -first.lo);
    let next = DoubleDouble::sum(rest.hi, -second.hi);
    let lo = rest.lo + next.lo - Instructions::mul_add(n, HALF_PI[2], second.lo);
    Reduced { angle: DoubleDouble::ordered_sum(next.hi, lo), quadrant: rounded.to_bits() }
}

/// Sine and cosine of an angle from -π/4 to π/4.
#[inline(always)]
fn sin_cos_of(angle: DoubleDouble) -> (f64, f64) {
    let DoubleDouble { hi, lo } = angle;
    let z = hi * hi;
    let half = 0.5 * z;
    // The derivative of the sine is about 1 - z/2, that of the cosine -hi.
    let sin = hi + Instructions::mul_add(hi * z, polynomial(z, &SIN), lo * (1.0 - half));
    let rounded = 1.0 - half;
    let rest = (1.0 - rounded) - half;
    let cos = rounded + (rest + Instructions::mul_add(z * z, polynomial(z, &COS), -hi * lo));
    (sin, cos)
}

/// Sine and cosine with the quadrant.
#[inline(always)]
fn sin_cos_in(reduced: &Reduced) -> (f64, f64) {
    let (sin, cos) = sin_cos_of(reduced.angle);
    let (is_odd, is_second_half) = (reduced.quadrant & 1 == 1, reduced.quadrant & 2 == 2);
    let (sin, cos) = if is_odd { (cos, -sin) } else { (sin, cos) };
    if is_second_half { (-sin, -cos) } else { (sin, cos) }
}

/// The angle `π * x` and its quadrant.
#[inline(always)]
fn reduce_half_turns(x: f64) -> Reduced {
    let n = Instructions::round_ties_even(x + x);
    let of_turn = Instructions::mul_add(-4.0, Instructions::floor(0.25 * n), n);
    let angle = PI.mul_float(Instructions::mul_add(-0.5, n, x));
    Reduced { angle, quadrant: of_turn as u32 as u64 }
}

impl Trigonometry for f64 {
    #[inline(always)]
    fn sin(self) -> Self {
        Trigonometry::sin_cos(self).0
    }

    #[inline(always)]
    fn cos(self) -> Self {
        Trigonometry::sin_cos(self).1
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = sin_cos_in(&reduce(self));
        if !self.is_finite() {
            return (f64::NAN, f64::NAN);
        }
        // Products would lose the sign of a zero.
        (if self.abs() < 1e-9 { self } else { sin }, cos)
    }

    #[inline(always)]
    fn tan(self) -> Self {
        let reduced = reduce(self);
        let (sin, cos) = sin_cos_of(reduced.angle);
        let result = if reduced.quadrant & 1 == 1 { -cos / sin } else { sin / cos };
        let result = if self.is_finite() { result } else { f64::NAN };
        if self.abs() < 1e-9 { self } else { result }
    }

    #[inline(always)]
    fn sin_pi(self) -> Self {
        if !self.is_finite() {
            return f64::NAN;
        }
        let (sin, _) = sin_cos_in(&reduce_half_turns(self));
        // IEEE 754: the zeros of integers have their sign.
        if Instructions::trunc(self) == self { f64::copysign(0.0, self) } else { sin }
    }

    #[inline(always)]
    fn cos_pi(self) -> Self {
        if !self.is_finite() {
            return f64::NAN;
        }
        // From 2⁵³ on all floats are even integers.
        let x = if self.abs() < (1_u64 << 53) as f64 { self } else { 0.0 };
        let (_, cos) = sin_cos_in(&reduce_half_turns(x));
        // Adding makes the zeros between integers positive.
        cos + 0.0
    }

    #[inline(always)]
    fn asin(self) -> Self {
        asin(self)
    }

    #[inline(always)]
    fn acos(self) -> Self {
        acos(self)
    }

    #[inline(always)]
    fn atan(self) -> Self {
        atan(self)
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        atan2(self, x)
    }
}
