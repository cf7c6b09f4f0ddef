//! Signs of zero, comparisons with what is no number, and conversions of floats.

use gridwright::math;

use crate::probe::probes;

#[inline(always)]
fn f(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

/// The bits, and 1 for what is no number: those bits are up to the machine.
#[inline(always)]
fn bits(x: f32) -> u64 {
    if x.is_nan() { 1 } else { x.to_bits() as u64 }
}

#[inline(always)]
fn wide_bits(x: f64) -> u64 {
    if x.is_nan() { 1 } else { x.to_bits() }
}

/// A float that isn't small enough for chips to take it as zero.
#[inline(always)]
fn normal(x: u64) -> f32 {
    let x = f(x);
    if x.is_normal() { x } else { 0.0_f32.copysign(x) }
}

probes! {
    all_floats:
    fn zero_minus_times(a, b) { let (x, y) = (normal(a), normal(b)); bits((0.0 - x) * y.clamp(-4.0, 4.0)) }
    fn zero_minus(a, b) { bits(0.0 - normal(a)) }
    fn zero_minus_max(a, b) { bits((0.0 - normal(a)).max(normal(b).abs() + 1.0)) ^ bits((0.0 - normal(a)).min(-1.0)) << 32 }
    fn zero_minus_copysign(a, b) { bits(1.0_f32.copysign(0.0 - normal(a))) }
    fn zero_minus_fma(a, b) { bits(math::mul_add(0.0 - normal(a), 0.5, 0.0)) }
    fn zero_minus_factor(a, b) { bits(math::mul_add(normal(b).clamp(-2.0, 2.0), 0.0 - normal(a).clamp(-2.0, 2.0), -0.0)) }
    fn zero_minus_divided(a, b) { bits(1.0 / (0.0 - normal(a))) }
    fn zero_minus_sum(a, b) { bits((0.0 - normal(a)) + -0.0) }
    fn zero_minus_product(a, b) { bits((0.0 - normal(a) * 0.5) * 2.0) }
    fn zero_minus_common(a, b, n) { let x = if n & 1 == 1 { 0.0 } else { 2.0 }; bits((0.0 - x * normal(a).signum()) * 0.5) }
    fn zero_minus_wide(a, b) {
        let (x, y) = (normal(a) as f64, normal(b) as f64);
        wide_bits((0.0 - x) * y)
    }
    fn negated_plus_zero(a, b) { bits((-normal(a) + 0.0) * 2.0) }
    fn zero_plus(a, b) { bits((normal(a) + 0.0) * -1.0) }
    fn minus_zero_minus(a, b) { bits((-0.0 - normal(a)) * 0.5) }
    fn minus_zero(a, b) { bits((normal(a) - 0.0) * 0.5) ^ bits(normal(b) + -0.0) }
    fn times_minus_one(a, b) { bits(normal(a) * -1.0 + 0.0) }
    fn product_with_zero(a, b) { bits(normal(a) * 0.0) ^ bits(normal(b) * -0.0) }
    fn negated(a, b) { (-f(a)).to_bits() as u64 }
    fn absolute(a, b) { f(a).abs().to_bits() as u64 | ((-f(b).abs()).to_bits() as u64) << 32 }
    fn signs_copied(a, b) { f(a).copysign(f(b)).to_bits() as u64 }
    fn sign_bit(a, b) { f(a).is_sign_negative() as u64 | (f(b).is_sign_positive() as u64) << 1 }
    fn absolute_wide(a, b) { f64::from_bits(a).abs().to_bits() ^ (-f64::from_bits(b)).to_bits() }
    fn chosen_unless_equal(a, b) {
        let (x, k, other) = (f(a), 1.5, f(b));
        bits(if x < k || x > k { other } else { k })
    }
    fn chosen_if_less_or_greater(a, b) { let (x, y) = (f(a), f(b)); if x < y || x > y { a } else { b } }
    fn chosen_if_not_equal(a, b) { let (x, y) = (f(a), f(b)); (if x != y { a } else { 7 }) ^ (if x == y { 9 } else { b }) }
    fn chosen_if_not_less(a, b) { let (x, y) = (f(a), f(b)); (if !(x < y) { 1 } else { 2 }) | (if !(x >= y) { 4 } else { 8 }) }
    fn chosen_constant_unless_equal(a, b) {
        let x = f(a);
        bits(if x != 0.0 { x } else { 0.0 }) ^ bits(if x == 2.0 { 2.0 } else { x })
    }
    fn chosen_zero(a, b) { let x = normal(a); bits(if x == 0.0 { 0.0 } else { x }) ^ bits(if x == -0.0 { -0.0 } else { x }) << 1 }
    fn orders(a, b) {
        let (x, y) = (f(a), f(b));
        let order = |x: f32, y: f32| x.partial_cmp(&y).map_or(3, |order| order as i8 + 1) as u64;
        order(x, y) | order(y, x.abs()) << 4 | (x.total_cmp(&y) as i8 as u8 as u64) << 8
    }
    fn larger_of_absolute(a, b) { bits(normal(a).max(normal(a).abs()) + 0.0) }
    fn smaller_of_negated_absolute(a, b) { bits(normal(a).min(-normal(a).abs()) + 0.0) }
    fn larger(a, b) {
        let (x, y) = (normal(a), normal(b));
        // Which zero it is isn't promised.
        bits(x.max(y) + 0.0) ^ bits(x.min(y) + 0.0) << 1
    }
    fn clamped(a, b) { let x = f(a); if x.is_nan() { 1 } else { bits(x.clamp(-1.0, 1.0) + 0.0) } }
    fn clamped_by_comparisons(a, b) { let x = f(a); bits(if x < 0.0 { 0.0 } else if x > 1.0 { 1.0 } else { x }) }
    fn clamped_by_min_max(a, b) {
        // Not of -0.0: which zero it becomes isn't promised.
        let x = if f(a) == 0.0 { 0.25 } else { f(a) };
        bits(x.max(0.0).min(1.0)) ^ bits(x.min(1.0).max(0.0)) << 1
    }
    fn clamped_after_one_of_two_ways(a, b, n) {
        // A NaN that comes by the other way is no minimum's.
        let x = if n & 1 == 0 { f(a).min(1.0) } else { f(b) };
        bits(x.max(0.0) + 0.0)
    }
    fn middle_of_three(a, b) { let (x, y) = (normal(a), normal(b)); bits(x.max(y).min(x.min(y).max(0.5)) + 0.0) }
    fn by_bits_chosen(a, b, n) {
        let mut v = 1.0_f32.to_bits();
        if n != 42 + (a & 1) { v = !0; }
        v as u64
    }
    fn to_integers(a, b) { f(a) as i32 as u32 as u64 | (f(a) as u32 as u64) << 32 }
    fn to_wide_integers(a, b) { f(a) as i64 as u64 ^ (f(b) as u64).rotate_left(3) }
    fn to_small_integers(a, b) {
        let x = f(a);
        (x as u8 as u64) | (x as i8 as u8 as u64) << 8 | (x as u16 as u64) << 16 | (x as i16 as u16 as u64) << 32
    }
    fn wide_to_integers(a, b) { let x = f64::from_bits(a); x as i64 as u64 ^ (x as u64).rotate_left(1) ^ (x as i32 as u32 as u64).rotate_left(2) }
    fn of_integers(a, b) { bits(a as u32 as f32) ^ bits(b as i32 as f32) << 32 }
    fn of_wide_integers(a, b) { bits(a as f32) ^ bits(b as i64 as f32) << 32 }
    fn of_wide_integers_wide(a, b) { wide_bits(a as f64) ^ wide_bits(b as i64 as f64).rotate_left(1) }
    fn of_small_integers(a, b) { bits(a as u8 as f32 * b as i8 as f32) ^ bits(a as i16 as f32 + b as u16 as f32) << 32 }
    fn of_bytes(a, b) {
        let [w, x, y, z] = (a as u32).to_le_bytes().map(f32::from);
        bits(w + 256.0 * x) ^ bits(y * 0.5 - z) << 32
    }
    fn of_signed_shift(a, b) { bits(((a as i16) >> 8) as f32) ^ bits(((a as i32) >> 24) as f32 * 0.5) << 32 }
    fn of_bool(a, b) { bits((a < b) as u32 as f32 + 0.5) ^ bits(if a & 1 == 1 { 1.0 } else { 0.0 }) << 32 }
    fn rounded(a, b) { let x = f(a); bits(math::round_ties_even(x)) ^ bits(math::trunc(x)) << 1 ^ bits(math::floor(x)) << 2 ^ bits(math::ceil(x)) << 3 }
    fn reciprocal_root(a, b) { let x = (a as u32 & 0xffff) as f32 + 1.0; bits(math::sqrt(x)) ^ bits(1.0 / x) << 32 }
    fn quotient(a, b) { bits((a as i16 as f32) / (b as i16 as f32)) }
    fn quotient_wide(a, b) { wide_bits((a as i32 as f64) / (b as i32 as f64)) }
    fn fused(a, b) { let (x, y) = (a as i16 as f32, b as i16 as f32); bits(math::mul_add(x, y, -x * y)) ^ bits(math::mul_add(x, y, 0.1)) << 32 }
    fn sum_and_difference(a, b) { let (x, y) = (a as i32 as f32, b as i32 as f32); bits(x + y) ^ bits(x - y) << 32 }
    fn products_and_sums(a, b) {
        let (x, y) = (a as i16 as f32, b as i16 as f32);
        let (p, q) = (x * 0.5 + y * 0.25, x * 0.125 - y);
        let (p, q) = (p * q + x, q * x - p);
        bits(p) ^ bits(q) << 32
    }
    fn pairs_of_chains(a, b) {
        // Independent chains, which are issued two at a time.
        let mut x = [a as i16 as f32, b as i16 as f32, a as i8 as f32, b as i8 as f32];
        for i in 0..8 {
            let k = i as f32 * 0.125 + 0.5;
            x = [x[0] * k + 1.0, x[1] * -k + 2.0, x[2] * k - x[0], x[3] + k * x[1]];
        }
        bits(x[0]) ^ bits(x[1]) << 9 ^ bits(x[2]) << 18 ^ bits(x[3]) << 27
    }
}
