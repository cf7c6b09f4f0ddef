//! Powers and roots.

use super::double_double::DoubleDouble;
use super::exponential::{exp_of_sum, scale};
use super::logarithm::long_ln;
use crate::arch::Instructions;
use crate::math::{Arithmetic, Power};

/// `1 / cbrt(x)` for a normal number above zero, within a few units.
///
/// A first guess is the bits of x divided by three, and two steps of the iteration that has the error to the power of four
/// (Moroz and others, "Fast calculation of cube and inverse cube roots using a magic constant", 2021; without a division).
#[inline(always)]
fn reciprocal_cube_root(x: f64) -> f64 {
    const GUESS: u32 = 0x553e_f0ff;
    let mut root = f64::from_bits(u64::from(GUESS - (x.to_bits() >> 32) as u32 / 3) << 32);
    let mut step = 0;
    while step < 2 {
        let error = Instructions::mul_add(-x * root, root * root, 1.0);
        let series = Instructions::mul_add(error, 14.0 / 81.0, 2.0 / 9.0);
        root = Instructions::mul_add(root * error, Instructions::mul_add(error, series, 1.0 / 3.0), root);
        step += 1;
    }
    root
}

/// The absolute value as a normal number from 2⁻⁹⁷⁰ to 2⁹⁷⁰, and what its cube root is to be multiplied by.
#[inline(always)]
fn moderate(x: f64) -> (f64, f64) {
    const CUBE: f64 = f64::from_bits((1023 + 99) << 52);
    const ROOT: f64 = f64::from_bits((1023 + 33) << 52);
    let a = x.abs();
    let (is_tiny, is_huge) = (a < 1e-290, a > 1e290);
    let (by, root) = if is_tiny { (CUBE, 1.0 / ROOT) } else { (1.0, 1.0) };
    let (by, root) = if is_huge { (1.0 / CUBE, ROOT) } else { (by, root) };
    (a * by, root)
}

/// Whether a float is an odd integer.
#[inline(always)]
fn is_odd(x: f64) -> bool {
    let half = 0.5 * x;
    Instructions::trunc(x) == x && Instructions::trunc(half) != half
}

impl Power for f64 {
    #[inline(always)]
    fn powf(self, y: Self) -> Self {
        let a = self.abs();
        // The logarithm of a subnormal number and its product with a large one stay within what the exponential takes.
        let of_e =
            long_ln(DoubleDouble::new(a, 0.0)).mul_float(if y.abs() > 1e20 { y.signum() * 1e20 } else { y });
        let (hi, lo) = if of_e.hi > 1000.0 { (1000.0, 0.0) } else { (of_e.hi, of_e.lo) };
        let (hi, lo) = if hi < -1000.0 { (-1000.0, 0.0) } else { (hi, lo) };
        let (power, n) = exp_of_sum(DoubleDouble::new(hi, lo));
        let result = scale(power.hi, n);

        // Zero and infinity become one of the two.
        let is_end = a == 0.0 || a == f64::INFINITY;
        let end = if (a == 0.0) == (y > 0.0) { 0.0 } else { f64::INFINITY };
        let result = if is_end { end } else { result };
        let is_negative = self.is_sign_negative();
        let result = if is_negative && is_odd(y) { -result } else { result };
        let is_root = self < 0.0 && a != f64::INFINITY && Instructions::trunc(y) != y;
        let result = if is_root { f64::NAN } else { result };

        let grows = (a > 1.0) == (y > 0.0);
        let of_infinity = if grows { f64::INFINITY } else { 0.0 };
        let of_infinity = if a == 1.0 { 1.0 } else { of_infinity };
        let result = if y.is_infinite() { of_infinity } else { result };
        let result = if self.is_nan() || y.is_nan() { f64::NAN } else { result };
        if y == 0.0 || self == 1.0 { 1.0 } else { result }
    }

    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        let (mut left, mut square, mut product) = (n.unsigned_abs(), self, 1.0);
        while left != 0 {
            if left & 1 == 1 {
                product *= square;
            }
            square *= square;
            left >>= 1;
        }
        if n < 0 { 1.0 / product } else { product }
    }

    #[inline(always)]
    fn cbrt(self) -> Self {
        let (a, by) = moderate(self);
        let inverse = reciprocal_cube_root(a);
        let root = a * inverse * inverse;
        // One step of Newton's, with what the cube lacks computed exactly enough.
        let square = DoubleDouble::product(root, root);
        let lacking = Instructions::mul_add(-square.lo, root, Instructions::mul_add(-square.hi, root, a));
        let root = Instructions::mul_add(lacking, inverse * inverse * (1.0 / 3.0), root);
        if self == 0.0 || !self.is_finite() { self } else { (root * by).copysign(self) }
    }

    #[inline(always)]
    fn hypot(self, y: Self) -> Self {
        const UP: f64 = f64::from_bits((1023 + 600) << 52);
        let (a, b) = (self.abs(), y.abs());
        let (larger, smaller) = if a > b { (a, b) } else { (b, a) };
        let by = if larger > 1e150 { 1.0 / UP } else { 1.0 };
        let by = if larger < 1e-150 { UP } else { by };
        let (larger, smaller) = (larger * by, smaller * by);
        let root = Instructions::sqrt(Instructions::mul_add(larger, larger, smaller * smaller)) * (1.0 / by);
        let result = if a == f64::INFINITY || b == f64::INFINITY { f64::INFINITY } else { root };
        if result <= f64::INFINITY { result } else { f64::NAN }
    }

    // With what the root and its reciprocal lack to first order.
    #[inline(always)]
    fn rsqrt(self) -> Self {
        // Where the root's square would be subnormal in part, the number is taken 2²⁰⁰ times.
        const UP: f64 = f64::from_bits((1023 + 200) << 52);
        const ROOT: f64 = f64::from_bits((1023 + 100) << 52);
        let is_tiny = self < 1e-250;
        let x = if is_tiny { self * UP } else { self };
        let root = Arithmetic::sqrt(x);
        let inverse = 1.0 / root;
        let lacking = Instructions::mul_add(-root, root, x) * inverse * inverse;
        let error = Instructions::mul_add(-0.5, lacking, Instructions::mul_add(-root, inverse, 1.0));
        let result = Instructions::mul_add(inverse, error, inverse);
        let result = if is_tiny { result * ROOT } else { result };
        let result = if self == f64::INFINITY { 0.0 } else { result };
        if self == 0.0 { f64::INFINITY.copysign(self) } else { result }
    }

    #[inline(always)]
    fn rcbrt(self) -> Self {
        let (a, by) = moderate(self);
        let inverse = reciprocal_cube_root(a);
        let (square, product) = (DoubleDouble::product(inverse, inverse), DoubleDouble::product(a, inverse));
        let error = Instructions::mul_add(-product.hi, square.hi, 1.0)
            - Instructions::mul_add(product.hi, square.lo, product.lo * square.hi);
        let inverse = Instructions::mul_add(inverse * error, 1.0 / 3.0, inverse) * (1.0 / by);
        let result = inverse.copysign(self);
        let result = if self.is_infinite() { f64::copysign(0.0, self) } else { result };
        let result = if self == 0.0 { f64::INFINITY.copysign(self) } else { result };
        if self.is_nan() { self } else { result }
    }
}
