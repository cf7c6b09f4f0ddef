//! Words to numbers of a distribution.

use super::elementary::{ln, sin_cos_of_turn};
use crate::arch::Instructions;

/// A number at least 0 and below 1, of a random word: a multiple of 2⁻²⁴.
///
/// ```
/// use gridwright::random::unit_f32;
///
/// assert_eq!((unit_f32(0), unit_f32(1 << 31)), (0.0, 0.5));
/// assert!(unit_f32(u32::MAX) < 1.0);
/// ```
#[inline(always)]
pub fn unit_f32(word: u32) -> f32 {
    (word >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// A number above 0 and at most 1, of a random word: a multiple of 2⁻²⁴. For logarithms.
///
/// ```
/// use gridwright::random::unit_f32_above_zero;
///
/// assert_eq!(unit_f32_above_zero(u32::MAX), 1.0);
/// assert!(unit_f32_above_zero(0) > 0.0);
/// ```
#[inline(always)]
pub fn unit_f32_above_zero(word: u32) -> f32 {
    ((word >> 8) + 1) as f32 * (1.0 / 16_777_216.0)
}

/// A number at least 0 and below 1, of 64 random bits: a multiple of 2⁻⁵³.
///
/// ```
/// use gridwright::random::unit_f64;
///
/// assert_eq!((unit_f64(0), unit_f64(1 << 63)), (0.0, 0.5));
/// assert!(unit_f64(u64::MAX) < 1.0);
/// ```
#[inline(always)]
pub fn unit_f64(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

/// A number above 0 and at most 1, of 64 random bits: a multiple of 2⁻⁵³.
///
/// ```
/// use gridwright::random::unit_f64_above_zero;
///
/// assert_eq!(unit_f64_above_zero(u64::MAX), 1.0);
/// assert!(unit_f64_above_zero(0) > 0.0);
/// ```
#[inline(always)]
pub fn unit_f64_above_zero(bits: u64) -> f64 {
    ((bits >> 11) + 1) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

/// Two independent numbers of the normal distribution with mean 0 and variance 1, of two random words.
///
/// Their distance from the origin is made of the first word, their direction of the second. All bits of both are used: the farthest
/// that a number gets is 6.77. Source: G. E. P. Box and M. E. Muller, A note on the generation of random normal deviates, Ann. Math.
/// Statist. 29 (1958).
///
/// ```
/// use gridwright::random::normal_pair;
///
/// let (x, y) = normal_pair(0, 0);
/// assert!(x > 6.76 && y == 0.0);
/// ```
#[inline(always)]
pub fn normal_pair(first: u32, second: u32) -> (f32, f32) {
    // The middle of the first of 2³² parts is above 0. The last one's is rounded to 1, of which the logarithm is 0.
    let part = 1.0 / 4_294_967_296.0;
    let distance = Instructions::sqrt(-2.0 * ln(Instructions::mul_add(first as f32, part, 0.5 * part)));
    let (sin, cos) = sin_cos_of_turn(second);
    (distance * cos, distance * sin)
}
