//! What normal numbers take of mathematics, with the same bits on every device: each operation rounds once, none is approximate, and
//! none is left for a compiler to fuse.
//!
//! Coefficients: weighted least squares over 4000 Chebyshev nodes in 64 bits, reweighted 200 times towards the least greatest relative
//! error (C. L. Lawson), rounded to 32 bits.

use crate::arch::Instructions;

/// The natural logarithm of a positive normal number, within 2 units of the last place.
#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    // x = m * 2^e, m from √½ to √2: to the exponent is added what is above √½.
    let bits = x.to_bits().wrapping_sub(0x3f35_04f3);
    let exponent = (bits as i32 >> 23) as f32;
    let t = f32::from_bits((bits & 0x007f_ffff).wrapping_add(0x3f35_04f3)) - 1.0;
    let mut p = Instructions::mul_add(0.067_466_386, t, -0.116_756_51);
    p = Instructions::mul_add(p, t, 0.118_881_63);
    p = Instructions::mul_add(p, t, -0.124_055_89);
    p = Instructions::mul_add(p, t, 0.142_195_52);
    p = Instructions::mul_add(p, t, -0.166_679_96);
    p = Instructions::mul_add(p, t, 0.200_021_19);
    p = Instructions::mul_add(p, t, -0.250_000_1);
    p = Instructions::mul_add(p, t, 0.333_333_13);
    let square = t * t;
    let cubed = Instructions::mul_add(p, t, -0.5);
    // t + t²·(t·P − ½) + e·ln 2, whose lower part comes first.
    let low = Instructions::mul_add(exponent, -2.121_944_4e-4, square * cubed);
    Instructions::mul_add(exponent, 0.693_359_4, t + low)
}

/// The sine and cosine of a part of a turn: of 2³² words all around.
#[inline(always)]
pub(super) fn sin_cos_of_turn(word: u32) -> (f32, f32) {
    // To the nearest quarter, and the rest, at most an eighth of a turn to either side.
    let quarter = word.wrapping_add(1 << 29) >> 30;
    let rest = word.wrapping_sub(quarter << 30) as i32;
    let y = rest as f32 * (core::f32::consts::TAU / 4_294_967_296.0);
    let z = y * y;
    let s = Instructions::mul_add(
        Instructions::mul_add(Instructions::mul_add(2.718_311_6e-6, z, -1.983_933_5e-4), z, 8.333_329e-3),
        z,
        -0.166_666_67,
    );
    let sin = Instructions::mul_add(s * z, y, y);
    let c = Instructions::mul_add(
        Instructions::mul_add(Instructions::mul_add(-2.721_023_7e-7, z, 2.479_952e-5), z, -1.388_888_3e-3),
        z,
        4.166_666_8e-2,
    );
    let cos = Instructions::mul_add(Instructions::mul_add(c, z, -0.5), z, 1.0);
    let (sin, cos) = if quarter & 1 == 1 { (cos, sin) } else { (sin, cos) };
    let sin = if quarter & 2 == 2 { -sin } else { sin };
    let cos = if quarter.wrapping_add(1) & 2 == 2 { -cos } else { cos };
    (sin, cos)
}
