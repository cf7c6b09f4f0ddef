//! The error function and the normal distribution. Away from zero erfc(x) is exp(-x²) times a function that is nearly 1/x
//! (Shepherd and Laframboise, "Chebyshev Approximation of (1 + 2x)exp(x²)erfc x in 0 ≤ x < ∞", 1981).

use super::double_double::DoubleDouble;
use super::error_function_inverse::{erf_inv, erfc_inv};
use super::exponential::{exp_of_sum, scale};
use super::polynomial::polynomial;
use crate::arch::Instructions;
use crate::math::ErrorFunction;

/// erf(x) / x - 1 as a function of x² for |x| ≤ 1, to 2⁻⁵⁴.
const ERF: [f64; 12] = [
    0.12837916709551256,
    -0.3761263890318352,
    0.11283791670944174,
    -0.026866170643109737,
    0.00522397760610386,
    -0.0008548325928596625,
    0.00012055293554964029,
    -1.4924711872393473e-05,
    1.6447126176777278e-06,
    -1.620627177410451e-07,
    1.3710796054345678e-08,
    -7.779119513044025e-10,
];

/// (1 + 2x)·exp(x²)·erfc(x) as a function of (x - 4) / (x + 4) for x from 0 to 28, to 2⁻⁵³.
const ERFCX: [f64; 23] = [
    1.2329951186255526,
    -0.1396211168405629,
    0.015379652102619764,
    0.0680970542547366,
    -0.10103906603630117,
    0.09373283499682385,
    -0.06633036581256382,
    0.03716751556185246,
    -0.016197734048424322,
    0.005031969763568517,
    -0.0007577734048646832,
    -0.00019925556125803114,
    0.0001506224715835822,
    -2.4402941524808125e-05,
    -1.1225283057890334e-05,
    5.717295274305807e-06,
    3.0195640385728963e-07,
    -8.342404193302914e-07,
    6.238911859506473e-08,
    1.1456130347534932e-07,
    -7.778909010118353e-09,
    -1.3386254384513472e-08,
    -1.7176176311957556e-09,
];

const SQRT_HALF: DoubleDouble = DoubleDouble::new(0.7071067811865476, -4.833646656726457e-17);

/// `erf(x)` for |x| ≤ 1.
#[inline(always)]
fn near_zero(x: f64) -> f64 {
    Instructions::mul_add(x, polynomial(x * x, &ERF), x)
}

/// `erfc(x)` of a sum that is not below zero, times two to the power of `extra`.
#[inline(always)]
fn complement(x: DoubleDouble, extra: f64) -> f64 {
    // Beyond, all is zero.
    let is_large = x.hi > 28.0;
    let (a, rest) = if is_large { (28.0, 0.0) } else { (x.hi, x.lo) };
    let square = DoubleDouble::product(a, a);
    let exponent = DoubleDouble::new(-square.hi, Instructions::mul_add(-2.0 * a, rest, -square.lo));
    let (power, n) = exp_of_sum(exponent);
    let factor = polynomial((a - 4.0) / (a + 4.0), &ERFCX) / Instructions::mul_add(2.0, a, 1.0);
    scale(power.hi * factor, n + extra)
}

impl ErrorFunction for f64 {
    #[inline(always)]
    fn erf(self) -> Self {
        let a = self.abs();
        let large = 1.0 - complement(DoubleDouble::new(a, 0.0), 0.0);
        if a < 1.0 { near_zero(self) } else { large.copysign(self) }
    }

    #[inline(always)]
    fn erfc(self) -> Self {
        let a = self.abs();
        let large = complement(DoubleDouble::new(a, 0.0), 0.0);
        let result = if self < 0.0 { 2.0 - large } else { large };
        if a < 0.5 { 1.0 - near_zero(self) } else { result }
    }

    #[inline(always)]
    fn erf_inv(self) -> Self {
        erf_inv(self)
    }

    #[inline(always)]
    fn erfc_inv(self) -> Self {
        erfc_inv(self)
    }

    // ½·erfc(-x/√2)
    #[inline(always)]
    fn norm_cdf(self) -> Self {
        let a = self.abs();
        let x = SQRT_HALF.mul_float(if a > 40.0 { 40.0 } else { a });
        let half = complement(x, -1.0);
        let result = if self > 0.0 { 1.0 - half } else { half };
        let small = 0.5 + 0.5 * near_zero(self * SQRT_HALF.hi);
        if a < 0.7 { small } else { result }
    }

    #[inline(always)]
    fn norm_cdf_inv(self) -> Self {
        // -√2·erfc⁻¹(2x); zero has no sign.
        0.0 - 2.0 * SQRT_HALF.hi * erfc_inv(2.0 * self)
    }
}
