//! Angles as multiples of π/2 and a rest.

use super::{INTEGER, fma};
use crate::arch;
use core::f32::consts::FRAC_2_PI;

/// `x` as `n * π/2 + r` with `r` within ±π/4, a little more where it was rounded. Of `n` the last two bits count.
#[inline(always)]
pub(super) fn of(x: f32) -> (f32, u32) {
    // Where the integer needs no more than 17 bits, its products with the parts of π/2 are as good as exact.
    if arch::BRANCHES && x.abs() < 105_615.0 { cody_waite(x) } else { payne_hanek(x) }
}

/// The quadrant and the rest of an angle, by parts of π/2 (Cody and Waite 1980).
#[inline(always)]
fn cody_waite(x: f32) -> (f32, u32) {
    let n = fma(x, FRAC_2_PI, INTEGER);
    let i = n - INTEGER;
    // Each part is below what it stands for, so that the products of zero are -0 and leave an `x` of -0 as it is.
    let r = fma(
        i,
        -5.390_302_5e-15,
        fma(i, -7.549_789_4e-8, fma(i, -core::f32::consts::FRAC_PI_2.next_down(), x)),
    );
    (r, n.to_bits())
}

/// The quadrant and the rest of an angle, by those 96 bits of 2/π that reach them (Payne and Hanek 1983), in
/// integers and without branches.
#[inline(always)]
fn payne_hanek(x: f32) -> (f32, u32) {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as u8;
    let mantissa = u64::from(bits & 0x7f_ffff | 0x80_0000);
    let window = |before: u8| u64::from(WINDOWS[usize::from(exponent.wrapping_sub(before))]);
    // In units of 2^-62 quadrants, modulo 4.
    let product = ((mantissa * window(120)) << 32)
        .wrapping_add(mantissa * window(88))
        .wrapping_add((mantissa * window(56)) >> 32);
    let (high, low) = ((product >> 32) as u32, product as u32);
    let n = high.wrapping_add(1 << 29) >> 30;
    // The rest in two parts. The first is the nearest multiple of 2^-24, so that a rest near zero, of either sign, is the second
    // alone, of which the conversion keeps as many bits as a float has.
    let high = high.wrapping_sub(n << 30);
    let parts = (((high as i32 + 32) >> 6) as f32, (high << 26 | low >> 6) as i32 as f32);
    const PI_2: f32 = core::f32::consts::FRAC_PI_2;
    let r = fma(parts.1, PI_2 * POWER_56, parts.0 * (-4.371_139e-8 * POWER_24));
    let r = fma(parts.0, PI_2 * POWER_24, r);
    let (r, n) = if x < 0.0 { (-r, n.wrapping_neg()) } else { (r, n) };
    // Below, the window would begin before the point.
    let (r, n) = if x.abs() < 0.75 { (x, 0) } else { (r, n) };
    (if x.is_finite() { r } else { f32::NAN }, n)
}

const POWER_24: f32 = f32::from_bits((127 - 24) << 23);
const POWER_56: f32 = f32::from_bits((127 - 56) << 23);

/// The bits of 2/π after the point.
const TWO_OVER_PI: [u32; 8] =
    [0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041, 0xfe51_63ab, 0xdebb_c561];

/// 32 bits of 2/π each, the last of which is as many places after the point as the index says.
static WINDOWS: [u32; 256] = {
    let mut windows = [0; 256];
    let mut last = 1;
    while last < 256 {
        // Two words, of which the first may be before the point.
        let (word, bit) = ((last - 1) / 32, (last - 1) % 32);
        let before = if word == 0 { 0 } else { TWO_OVER_PI[word - 1] as u64 };
        windows[last] = ((before << 32 | TWO_OVER_PI[word] as u64) >> (31 - bit)) as u32;
        last += 1;
    }
    windows
};
