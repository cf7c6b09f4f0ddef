use core::f32::consts::{FRAC_1_PI, PI};

/// What the hardware does to floats by one instruction, exactly or rounded once. Where the instruction set lacks one, it is a
/// call, with the same result.
pub(crate) trait Instructions: Sized {
    fn mul_add(self, a: Self, b: Self) -> Self;
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;
    fn round_ties_even(self) -> Self;
}

macro_rules! instructions {
    ($float:ident) => {
        impl Instructions for $float {
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                $float::mul_add(self, a, b)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                $float::sqrt(self)
            }

            #[inline(always)]
            fn floor(self) -> Self {
                $float::floor(self)
            }

            #[inline(always)]
            fn ceil(self) -> Self {
                $float::ceil(self)
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                $float::trunc(self)
            }

            #[inline(always)]
            fn round_ties_even(self) -> Self {
                $float::round_ties_even(self)
            }
        }
    };
}

instructions!(f32);
instructions!(f64);

/// Whether threads that take different branches cost no more than their branches. Here they don't: a loop of threads with a
/// branch in it isn't vectorised.
pub(crate) const BRANCHES: bool = false;

/// Whether a polynomial is faster in parts that don't wait for each other, for an operation or two more. Not much else is in reach
/// of the processor while it waits.
pub(crate) const SPLIT_POLYNOMIALS: bool = true;

/// Number to add so that the integer part of a sum that is within ±2²² is its low bits: 1.5 × 2²³.
const INTEGER: f32 = 12_582_912.0;

/// Limits beyond which the power of two is 0 and ∞, with whatever is added to the exponent here.
const LEAST: f32 = -160.0;
const MOST: f32 = 140.0;

/// Two to the power of `x * (high + low) + shift`, for positive factors: within 1 ULP.
#[inline(always)]
pub(crate) fn exp2_of_product(x: f32, high: f32, low: f32, shift: i32) -> f32 {
    let x = x.clamp(LEAST / high, MOST / high);
    let n = x.mul_add(high, INTEGER);
    let f = x.mul_add(low, x.mul_add(high, -(n - INTEGER)));
    exp2_of_sum(n, f, shift)
}

/// Two to the power of `x`: within 1 ULP.
#[inline(always)]
pub(crate) fn exp2(x: f32) -> f32 {
    let x = x.clamp(LEAST, MOST);
    let n = x + INTEGER;
    exp2_of_sum(n, x - (n - INTEGER), 0)
}

/// Two to the power of `n - INTEGER + f + shift`, for a fraction of at most ±½ or so.
#[inline(always)]
pub(crate) fn exp2_of_sum(n: f32, f: f32, shift: i32) -> f32 {
    // All but the last nine bits, which alone become an exponent, are those of `INTEGER`. It is even.
    let n = n.to_bits().wrapping_add(shift as u32);
    // In two steps, of which the first is exact, as the power may be subnormal.
    let half = n >> 1;
    let power = |n: u32| f32::from_bits((n << 23).wrapping_add(127 << 23));
    exp2_of_fraction(f) * power(half) * power(n.wrapping_sub(half))
}

/// Two to the power of a fraction: minimax in the relative error, 2^-28.3 on ±½, coefficients rounded one
/// after another.
#[inline(always)]
fn exp2_of_fraction(f: f32) -> f32 {
    // The upper part in two that don't wait for each other. The last steps, whose roundings count, are one after another.
    let s = f * f;
    let fifth = 1.532_927_9e-4_f32.mul_add(f, 0.001_339_097);
    let third = 0.009_618_499_f32.mul_add(f, 0.055_503_596);
    let p = fifth.mul_add(s, third).mul_add(f, 0.240_226_48);
    p.mul_add(f, core::f32::consts::LN_2).mul_add(f, 1.0)
}

/// `1 / x` of what is neither subnormal nor has a subnormal result.
#[inline(always)]
pub(crate) fn recip(x: f32) -> f32 {
    1.0 / x
}

/// `1 / sqrt(x)`: within 2 ULP.
#[inline(always)]
pub(crate) fn rsqrt(x: f32) -> f32 {
    1.0 / x.sqrt()
}

/// `1 / sqrt(x)` of a positive number that isn't subnormal: within 2 ULP. Products and sums, of which a processor computes several at a
/// time, where it has one unit for roots and quotients.
#[inline(always)]
pub(crate) fn rsqrt_of_normal(x: f32) -> f32 {
    // Minus half the exponent, and with it roughly of the logarithm: off by 3.5 %.
    let y = f32::from_bits(0x5f37_5000_u32.wrapping_sub(x.to_bits() >> 1));
    // y (1 - d)^(-1/2), minimax in the relative error of 2^-25.4 on ±0.0685. Not y², which may be subnormal.
    let d = (x * y).mul_add(-y, 1.0);
    let p = 0.274_839_14_f32.mul_add(d, 0.313_937_8).mul_add(d, 0.374_998_04).mul_add(d, 0.499_998_33);
    (y * d).mul_add(p, y)
}

/// The square root of what isn't subnormal.
#[inline(always)]
pub(crate) fn sqrt_approximately(x: f32) -> f32 {
    x.sqrt()
}

/// Two to the power of `x`: within 1 ULP. Subnormal results are zero.
#[inline(always)]
pub(crate) fn exp2_approximately(x: f32) -> f32 {
    let x = x.clamp(-127.0, 128.0);
    let n = x + INTEGER;
    // The exponent's field is 0 at the lower limit, and that of ∞ at the upper one.
    let power = f32::from_bits(n.to_bits().wrapping_add(127) << 23);
    exp2_of_fraction(x - (n - INTEGER)) * power
}

/// The square of [`rcbrt_approximately`].
#[inline(always)]
pub(crate) fn rcbrt_squared_approximately(x: f32) -> f32 {
    let r = rcbrt_approximately(x);
    r * r
}

/// One over the cube root of a positive number that isn't subnormal: relative error 2^-15.
#[inline(always)]
pub(crate) fn rcbrt_approximately(x: f32) -> f32 {
    // Minus a third of the exponent, and with it roughly of the logarithm: 1/4 + 1/16 + 1/64 and so on.
    let third = (x.to_bits() >> 2) + (x.to_bits() >> 4);
    let third = third + (third >> 4);
    let third = third + (third >> 8);
    let y = f32::from_bits(0x54a2_fa8c - third);
    // y (1 - d)^(-1/3) by its series.
    let d = (x * y).mul_add(-(y * y), 1.0);
    let series = (14.0_f32 / 81.0).mul_add(d, 2.0 / 9.0).mul_add(d, 1.0 / 3.0);
    (series * d).mul_add(y, y)
}

/// The square root of what isn't subnormal.
#[inline(always)]
pub(crate) fn sqrt_nearly(x: f32) -> f32 {
    x.sqrt()
}

/// The logarithm to base 2.
#[inline(always)]
pub(crate) fn log2_approximately(x: f32) -> f32 {
    crate::math::log2(x)
}

/// The sine of what is within ±10⁵ or so: absolute error 2^-20.
#[inline(always)]
pub(crate) fn sin_approximately(x: f32) -> f32 {
    let n = x.mul_add(FRAC_1_PI, INTEGER);
    half_turns(x, n - INTEGER, n)
}

/// The cosine of what is within ±10⁵ or so: absolute error 2^-20.
#[inline(always)]
pub(crate) fn cos_approximately(x: f32) -> f32 {
    // It is the sine a quarter of a turn on.
    let n = x.mul_add(FRAC_1_PI, 0.5) + INTEGER;
    half_turns(x, n - INTEGER - 0.5, n)
}

/// The sine of `x - turns * π`, with the other sign if the last bit of `n` is set.
#[inline(always)]
fn half_turns(x: f32, turns: f32, n: f32) -> f32 {
    // Of large angles the rest is anything: the sine of something, then.
    let r = turns.mul_add(8.742_278e-8, turns.mul_add(-PI, x)).clamp(-2.0, 2.0);
    let s = r * r;
    // Minimax in the absolute error, 2^-20.1 on ±π/2.
    let p = (-1.849_203_8e-4_f32).mul_add(s, 0.008_312_361).mul_add(s, -0.166_656_8);
    let y = (p * s).mul_add(r, r);
    f32::from_bits(y.to_bits() ^ n.to_bits() << 31)
}
