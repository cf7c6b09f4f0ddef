//! Angles that are too large for a product with π/2 in a few floats (Payne and Hanek, "Radian Reduction for Trigonometric
//! Functions", 1983): a product with those bits of 2/π that can matter.

use super::double_double::DoubleDouble;

/// The bits of 2/π behind the point, as many as the largest exponent asks for.
const TWO_OVER_PI: [u64; 19] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

const HALF_PI: DoubleDouble = DoubleDouble::new(1.5707963267948966, 6.123233995736766e-17);

/// The angle from -π/4 to π/4, and the quadrant in the last two bits, of a finite number of at least 2³⁰, signs aside.
#[inline(never)]
pub(super) fn reduce_large(x: f64) -> (DoubleDouble, u64) {
    let bits = x.to_bits();
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    // |x| is the mantissa times two to the power of this; infinities and NaN are kept within the table, and replaced later.
    let exponent = ((bits >> 52 & 0x7ff) as i32 - 1075).min(971);
    // Bits of 2/π before this one make multiples of four quadrants.
    let first = (exponent - 2).max(0) as u32;
    let (word, offset) = ((first / 64) as usize, first % 64);
    let part = |i: usize| {
        let (high, low) = (TWO_OVER_PI[(word + i) % 19], TWO_OVER_PI[(word + i + 1) % 19]);
        if offset == 0 { high } else { high << offset | low >> (64 - offset) }
    };
    let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let (low, middle, high) = (wide(mantissa, part(2)), wide(mantissa, part(1)), wide(mantissa, part(0)));
    let low_middle = (low >> 64) + (middle & u128::from(u64::MAX));
    let above = (low_middle >> 64) + (middle >> 64) + high;
    let below = low_middle << 64 | low & u128::from(u64::MAX);
    // The point is `192 + first - exponent` bits from the end; the quadrant is in the two bits above it, which become the first two.
    let shift = (62 + exponent - first as i32) as u32;
    let turned = above << shift | below >> (128 - shift);
    let fraction = (turned << 2) as i128;
    // From a half on it is the next quadrant's.
    let quadrant = (turned >> 126) as u64 + u64::from(fraction < 0);
    let magnitude = fraction.unsigned_abs();
    let zeros = magnitude.leading_zeros();
    let ones = magnitude << (zeros % 128);
    // The first 53 bits, and as many of the rest, in units of the last bit of the first ones.
    let unit = f64::from_bits(u64::from(1023 - 53 - zeros) << 52);
    let hi = (ones >> 75) as u64 as f64;
    let lo = ((ones >> 22) as u64 & ((1 << 53) - 1)) as f64 / (1_u64 << 53) as f64;
    let angle = DoubleDouble::ordered_sum(hi, lo).mul(HALF_PI);
    let (unit, quadrant) = if (fraction < 0) != (x < 0.0) { (-unit, quadrant) } else { (unit, quadrant) };
    let quadrant = if x < 0.0 { quadrant.wrapping_neg() } else { quadrant };
    (DoubleDouble::new(angle.hi * unit, angle.lo * unit), quadrant)
}
