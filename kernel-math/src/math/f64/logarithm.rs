//! Logarithms: the exponent of two, and the logarithm of what is left, by a series in s = f / (2 + f), of which ln(1 + f) is
//! 2·artanh(s) (Tang, "Table-Driven Implementation of the Logarithm Function", 1990, without the table).

use super::double_double::DoubleDouble;
use super::exponential::LN_2;
use super::polynomial::polynomial;
use crate::arch::Instructions;
use crate::math::Logarithm;

/// (2·artanh(s) - 2s) / s³ as a function of s² for a logarithm from -ln(2)/2 to ln(2)/2, to 2⁻⁵⁸.
const LN: [f64; 7] = [
    0.6666666666666666,
    0.39999999999779456,
    0.28571428672487986,
    0.22222204963270603,
    0.18183262091073057,
    0.15321192368145875,
    0.14729234870150684,
];

/// (2·artanh(s) - 2s - 2s³/3) / s⁵ as a function of s², to 2⁻⁶⁶.
const LN_LONG: [f64; 8] = [
    0.4,
    0.28571428571431035,
    0.22222222220790674,
    0.18181818495510457,
    0.15384580694426137,
    0.13335467008628968,
    0.11690802480916423,
    0.11865847761363156,
];

const TWO_THIRDS: DoubleDouble = DoubleDouble::new(0.6666666666666666, 3.700743415417188e-17);
const LOG2_E: DoubleDouble = DoubleDouble::new(1.4426950408889634, 2.0355273740931033e-17);
const LOG10_E: DoubleDouble = DoubleDouble::new(0.4342944819032518, 1.098319650216765e-17);
const LOG10_2: DoubleDouble = DoubleDouble::new(0.3010299956639812, -2.8037281277851704e-18);

/// `x` as `2^k * (1 + f)`, where `1 + f` is from √½ to √2: `k` and `f`. What isn't positive and finite gives anything.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    // The bits of 1 less those of √½, which is added so that the exponent changes at √2.
    const OFFSET: u64 = 0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd;
    const TWO_52: f64 = (1_u64 << 52) as f64;
    const TWO_54: f64 = (1_u64 << 54) as f64;
    let is_subnormal = x < f64::MIN_POSITIVE;
    let bits = if is_subnormal { x * TWO_54 } else { x }.to_bits();
    let biased = bits.wrapping_add(OFFSET) >> 52;
    let zero = if is_subnormal { TWO_52 + 1023.0 + 54.0 } else { TWO_52 + 1023.0 };
    let k = f64::from_bits(TWO_52.to_bits() | biased) - zero;
    let fraction = f64::from_bits(bits.wrapping_sub(biased << 52).wrapping_add(1023 << 52));
    (k, fraction - 1.0)
}

/// `k * ln(2) + ln(1 + f) + rest`.
#[inline(always)]
fn ln_of_parts(k: f64, f: f64, rest: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    let half_square = 0.5 * f * f;
    let series = z * polynomial(z, &LN);
    let small = Instructions::mul_add(s, half_square + series, Instructions::mul_add(k, LN_2.lo, rest));
    let sum = DoubleDouble::sum(k * LN_2.hi, f);
    sum.hi + (sum.lo + (small - half_square))
}

/// `ln(1 + f)` for a sum `f` from √½ - 1 to √2 - 1, to about 2⁻⁶⁵.
#[inline(always)]
fn long_ln_of_fraction(f: DoubleDouble) -> DoubleDouble {
    let below = DoubleDouble::ordered_sum(2.0, f.hi);
    let s = f.div(DoubleDouble::new(below.hi, below.lo + f.lo));
    let z = s.mul(s);
    let cubic = s.mul(z).mul(TWO_THIRDS);
    let rest = s.hi * z.hi * z.hi * polynomial(z.hi, &LN_LONG);
    let twice = DoubleDouble::new(2.0 * s.hi, 2.0 * s.lo);
    let sum = DoubleDouble::ordered_sum(twice.hi, cubic.hi);
    DoubleDouble::ordered_sum(sum.hi, sum.lo + (twice.lo + cubic.lo + rest))
}

/// `ln(x)` of a sum that is positive and finite, to about 2⁻⁶⁵ of it.
#[inline(always)]
pub(super) fn long_ln(x: DoubleDouble) -> DoubleDouble {
    let (k, f) = split(x.hi);
    // What is added to the fraction: the rest in units of the first part.
    let lo = x.lo / x.hi * (1.0 + f);
    let fraction = long_ln_of_fraction(DoubleDouble::ordered_sum(f, lo));
    let whole = DoubleDouble::sum(k * LN_2.hi, fraction.hi);
    DoubleDouble::ordered_sum(whole.hi, whole.lo + Instructions::mul_add(k, LN_2.lo, fraction.lo))
}

/// `ln(1 + f)` of a sum above -1.
#[inline(always)]
pub(super) fn ln_1p_of_sum(f: DoubleDouble) -> f64 {
    let one = DoubleDouble::sum(1.0, f.hi);
    let (k, reduced) = split(one.hi);
    // ln(u + c) is ln(u) + c / u. Where 1 + f isn't scaled, f itself is at hand, without what rounding took.
    let rest = (one.lo + f.lo) / one.hi;
    ln_of_parts(k, reduced, rest)
}

/// The result of a logarithm of zero, of what is below zero, of infinity and of NaN, in place of others.
#[inline(always)]
fn or_special(x: f64, result: f64) -> f64 {
    let result = if x < f64::INFINITY { result } else { x };
    let result = if x == 0.0 { f64::NEG_INFINITY } else { result };
    if x < 0.0 { f64::NAN } else { result }
}

impl Logarithm for f64 {
    #[inline(always)]
    fn log(self, base: Self) -> Self {
        Logarithm::ln(self) / Logarithm::ln(base)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        let (k, f) = split(self);
        or_special(self, ln_of_parts(k, f, 0.0))
    }

    #[inline(always)]
    fn log2(self) -> Self {
        let (k, f) = split(self);
        let fraction = long_ln_of_fraction(DoubleDouble::new(f, 0.0)).mul(LOG2_E);
        let sum = DoubleDouble::sum(k, fraction.hi);
        or_special(self, sum.hi + (sum.lo + fraction.lo))
    }

    #[inline(always)]
    fn log10(self) -> Self {
        let (k, f) = split(self);
        let fraction = long_ln_of_fraction(DoubleDouble::new(f, 0.0)).mul(LOG10_E);
        or_special(self, LOG10_2.mul_float(k).add(fraction).value())
    }

    #[inline(always)]
    fn ln_1p(self) -> Self {
        let result = or_special(1.0 + self, ln_1p_of_sum(DoubleDouble::new(self, 0.0)));
        if self.abs() < 1e-17 { self } else { result }
    }
}
