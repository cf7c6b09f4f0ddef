//! Quicker functions of `f32`, with larger errors: on GPUs an instruction or a few, on the CPU short polynomials or, where
//! these wouldn't be quicker, the exact ones.
//!
//! On GPUs subnormal arguments may count as zero, and results that would be subnormal may be zero. Bounds are those of NVIDIA's
//! and AMD's documents for their instructions, in ULP from the correctly rounded result.

use crate::arch;
use core::f32::consts::{LN_2, LOG2_10, LOG2_E, LOG10_2};

/// e to the power of `x`: within `2 + |1.2 x|` ULP.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::exp(0.0), 1.0);
/// ```
///
/// # From CUDA
/// `__expf`.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    arch::exp2_approximately(x * LOG2_E)
}

/// Two to the power of `x`: within 2 ULP.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::exp2(3.0), 8.0);
/// ```
///
/// # From CUDA
/// `exp2f` with `-use_fast_math`.
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    arch::exp2_approximately(x)
}

/// Ten to the power of `x`: within `2 + |3 x|` ULP.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::exp10(0.0), 1.0);
/// ```
///
/// # From CUDA
/// `__exp10f`.
#[inline(always)]
pub fn exp10(x: f32) -> f32 {
    arch::exp2_approximately(x * LOG2_10)
}

/// The natural logarithm: from ½ to 2 within 2^-21.4, elsewhere within 3 ULP.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::ln(1.0), 0.0);
/// ```
///
/// # From CUDA
/// `__logf`.
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    arch::log2_approximately(x) * LN_2
}

/// The logarithm to base 2: from ½ to 2 within 2^-22, elsewhere within 2 ULP.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::log2(8.0), 3.0);
/// ```
///
/// # From CUDA
/// `__log2f`.
#[inline(always)]
pub fn log2(x: f32) -> f32 {
    arch::log2_approximately(x)
}

/// The logarithm to base 10: from ½ to 2 within 2^-23, elsewhere within 3 ULP.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::log10(1.0), 0.0);
/// ```
///
/// # From CUDA
/// `__log10f`.
#[inline(always)]
pub fn log10(x: f32) -> f32 {
    arch::log2_approximately(x) * LOG10_2
}

/// The sine of an angle in radians: within 2^-20 on ±π. Further out it is worse, and of large angles useless.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::sin(0.0), 0.0);
/// ```
///
/// # From CUDA
/// `__sinf`.
#[inline(always)]
pub fn sin(x: f32) -> f32 {
    arch::sin_approximately(x)
}

/// The cosine of an angle in radians: as [`sin`].
///
/// ```
/// use gridwright::math;
///
/// assert!(math::fast::cos(0.0) > 0.999_999);
/// ```
///
/// # From CUDA
/// `__cosf`.
#[inline(always)]
pub fn cos(x: f32) -> f32 {
    arch::cos_approximately(x)
}

/// The sine and the cosine of an angle in radians: [`sin`] and [`cos`].
///
/// ```
/// use gridwright::math;
///
/// assert!(math::fast::sin_cos(0.0).0 == 0.0);
/// ```
///
/// # From CUDA
/// `__sincosf`.
#[inline(always)]
pub fn sin_cos(x: f32) -> (f32, f32) {
    (sin(x), cos(x))
}

/// The tangent of an angle in radians: [`sin`] over [`cos`].
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::tan(0.0), 0.0);
/// ```
///
/// # From CUDA
/// `__tanf`.
#[inline(always)]
pub fn tan(x: f32) -> f32 {
    div(sin(x), cos(x))
}

/// The hyperbolic tangent: within 2^-21.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::tanh(100.0), 1.0);
/// ```
///
/// # From CUDA
/// `__tanhf` of newer toolkits.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    1.0 - 2.0 * arch::recip(exp(2.0 * x) + 1.0)
}

/// `x` to the power of `y`, for `x` that is not below zero: `exp2(y * log2(x))`, with an error that grows with that product.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::pow(2.0, 3.0), 8.0);
/// ```
///
/// # From CUDA
/// `__powf`.
#[inline(always)]
pub fn pow(x: f32, y: f32) -> f32 {
    arch::exp2_approximately(y * arch::log2_approximately(x))
}

/// `x / y`: within 2 ULP where `y` is from 2^-126 to 2^126.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::div(1.0, 4.0), 0.25);
/// ```
///
/// # From CUDA
/// `__fdividef`.
#[inline(always)]
pub fn div(x: f32, y: f32) -> f32 {
    x * arch::recip(y)
}

/// `1 / x`: within 1 ULP where `x` is from 2^-126 to 2^126.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::recip(4.0), 0.25);
/// ```
///
/// # From CUDA
/// `1 / x` with `-use_fast_math`.
#[inline(always)]
pub fn recip(x: f32) -> f32 {
    arch::recip(x)
}

/// `1 / sqrt(x)`: within 2 ULP where `x` is from 2^-126 up and finite. Of other numbers the result depends on the device.
///
/// On the CPU it is a guess by the exponent and a polynomial, which takes no division.
///
/// ```
/// use gridwright::math;
///
/// assert!((math::fast::rsqrt(4.0) - 0.5).abs() < 1e-7);
/// ```
///
/// # From CUDA
/// `rsqrtf` with `-use_fast_math`.
#[inline(always)]
pub fn rsqrt(x: f32) -> f32 {
    arch::rsqrt_of_normal(x)
}

/// The square root: within 1 ULP.
///
/// ```
/// use gridwright::math;
///
/// assert_eq!(math::fast::sqrt(4.0), 2.0);
/// ```
///
/// # From CUDA
/// `sqrtf` with `-use_fast_math`.
#[inline(always)]
pub fn sqrt(x: f32) -> f32 {
    arch::sqrt_approximately(x)
}
