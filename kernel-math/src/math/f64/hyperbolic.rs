//! Hyperbolic functions, by the exponential away from zero and by a polynomial near it; their inverses by the logarithm of 1 + f.

use super::double_double::DoubleDouble;
use super::exponential::exp_scaled;
use super::logarithm::ln_1p_of_sum;
use super::polynomial::polynomial;
use crate::arch::Instructions;
use crate::math::{Hyperbolic, Logarithm};

/// (sinh(x) - x) / x³ as a function of x² for |x| ≤ 1, to 2⁻⁵⁶.
const SINH: [f64; 7] = [
    0.16666666666666666,
    0.008333333333333255,
    0.00019841269841373954,
    2.755731917188986e-06,
    2.5052121176720537e-08,
    1.6057389140549714e-10,
    7.755378272334713e-13,
];

/// (tanh(x) - x) / x³ as a function of x² for |x| ≤ 0.55, to 2⁻⁵⁶.
const TANH: [f64; 11] = [
    -0.3333333333333333,
    0.1333333333333055,
    -0.05396825396537966,
    0.021869488419626788,
    -0.008863233006247482,
    0.00359209497517412,
    -0.001455555952758666,
    0.00058847867300477,
    -0.00023342638598029006,
    8.3328973517085e-05,
    -1.9474674894174536e-05,
];

/// Limit from which on what is below the root of x² + 1 or x² - 1, or beside it, is lost in rounding.
const LARGE: f64 = (1_u64 << 28) as f64;

impl Hyperbolic for f64 {
    #[inline(always)]
    fn sinh(self) -> Self {
        let a = self.abs();
        let z = self * self;
        let small = Instructions::mul_add(self * z, polynomial(z, &SINH), self);
        // Halves, since the whole may be infinite where the result isn't.
        let half = exp_scaled(a, -1.0);
        if a < 1.0 { small } else { (half - 0.25 / half).copysign(self) }
    }

    #[inline(always)]
    fn cosh(self) -> Self {
        let half = exp_scaled(self.abs(), -1.0);
        half + 0.25 / half
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        let a = self.abs();
        let z = self * self;
        let small = Instructions::mul_add(self * z, polynomial(z, &TANH), self);
        // 1 - 2 / (e²ᵃ + 1), with what sum and quotient were rounded by; from 20 on it is 1.
        let below = DoubleDouble::sum(exp_scaled(2.0 * if a > 20.0 { 20.0 } else { a }, 0.0), 1.0);
        let quotient = 2.0 / below.hi;
        let rest = Instructions::mul_add(-quotient, below.hi, 2.0) - quotient * below.lo;
        let large = 1.0 - Instructions::mul_add(0.5 * quotient, rest, quotient);
        let large = if a.is_nan() { a } else { large };
        if a < 0.55 { small.copysign(self) } else { large.copysign(self) }
    }

    // x + √(x² + 1) is 1 + (x + x² / (1 + √(x² + 1))).
    #[inline(always)]
    fn asinh(self) -> Self {
        let a = self.abs();
        let root = Instructions::sqrt(Instructions::mul_add(a, a, 1.0));
        let result = ln_1p_of_sum(DoubleDouble::sum(a, a * a / (1.0 + root)));
        let large = Logarithm::ln(a) + core::f64::consts::LN_2;
        let result = if a > LARGE { large } else { result };
        if a < 1e-17 { self } else { result.copysign(self) }
    }

    // x + √(x² - 1) is 1 + (t + √(t·(t + 2))), where t is x - 1.
    #[inline(always)]
    fn acosh(self) -> Self {
        let t = self - 1.0;
        let root = Instructions::sqrt(t * (t + 2.0));
        let result = ln_1p_of_sum(DoubleDouble::sum(root, t));
        let result = if self > LARGE { Logarithm::ln(self) + core::f64::consts::LN_2 } else { result };
        if self < 1.0 { f64::NAN } else { result }
    }

    // ½·ln((1 + x) / (1 - x)) is ½·ln(1 + 2x / (1 - x)).
    #[inline(always)]
    fn atanh(self) -> Self {
        let a = self.abs();
        let result = 0.5 * ln_1p_of_sum(DoubleDouble::new(2.0 * a / (1.0 - a), 0.0));
        let result = if a == 1.0 { f64::INFINITY } else { result };
        let result = if a > 1.0 { f64::NAN } else { result };
        if a < 1e-17 { self } else { result.copysign(self) }
    }
}
