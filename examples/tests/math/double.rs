//! The functions of `f64`.

use gridwright::math;
use gridwright::prelude::*;

use crate::kernels::functions;

functions! { f64 one: {
    acos_f64 = math::acos, wide::acos, -1.0..=1.0, 1.5, 2.0;
    acosh_f64 = math::acosh, wide::acosh, 1.0..=4.0, 2.0, 3.0;
    asin_f64 = math::asin, wide::asin, -1.0..=1.0, 2.5, 2.0;
    asinh_f64 = math::asinh, wide::asinh, -4.0..=4.0, 2.0, 3.0;
    atan_f64 = math::atan, wide::atan, -4.0..=4.0, 2.0, 2.0;
    atanh_f64 = math::atanh, wide::atanh, -1.0..=1.0, 2.0, 2.0;
    cbrt_f64 = math::cbrt, wide::cbrt, 0.5..=16.0, 0.75, 1.0;
    cos_f64 = math::cos, wide::cos, -100.0..=100.0, 1.0, 2.0;
    cos_pi_f64 = math::cos_pi, wide::cos_pi, -5.0..=5.0, 1.0, 2.0;
    cosh_f64 = math::cosh, wide::cosh, -3.0..=3.0, 1.5, 1.0;
    erf_f64 = math::erf, wide::erf, -6.0..=6.0, 1.5, 2.0;
    erf_inv_f64 = math::erf_inv, wide::erf_inv, -1.0..=1.0, 4.0, 5.0;
    erfc_f64 = math::erfc, wide::erfc, -6.0..=27.0, 4.0, 5.0;
    erfc_inv_f64 = math::erfc_inv, wide::erfc_inv, 0.0..=2.0, 4.0, 6.0;
    exp_f64 = math::exp, wide::exp, -750.0..=712.0, 1.0, 1.0;
    exp_m1_f64 = math::exp_m1, wide::exp_m1, -2.0..=2.0, 1.5, 1.0;
    exp10_f64 = math::exp10, wide::exp10, -326.0..=310.0, 1.0, 1.0;
    exp2_f64 = math::exp2, wide::exp2, -1080.0..=1025.0, 1.0, 1.0;
    gamma_f64 = math::gamma, wide::gamma, -20.0..=172.0, 5.0, 10.0;
    ln_1p_f64 = math::ln_1p, wide::ln_1p, -0.9..=2.0, 1.0, 1.0;
    ln_f64 = math::ln, wide::ln, 0.5..=2.0, 1.0, 1.0;
    // As CUDA's: there are zeros in the range.
    ln_gamma_f64 = math::ln_gamma, wide::ln_gamma, -2.2..=12.0, 4.5, 4.0, except -23.0001..=-2.2637;
    log10_f64 = math::log10, wide::log10, 0.5..=2.0, 0.75, 1.0;
    log2_f64 = math::log2, wide::log2, 0.5..=2.0, 0.75, 1.0;
    norm_cdf_f64 = math::norm_cdf, wide::norm_cdf, -38.5..=8.0, 4.5, 5.0;
    norm_cdf_inv_f64 = math::norm_cdf_inv, wide::norm_cdf_inv, 0.0..=1.0, 5.0, 8.0;
    rcbrt_f64 = math::rcbrt, wide::rcbrt, 0.5..=16.0, 0.75, 1.0;
    rsqrt_f64 = math::rsqrt, wide::rsqrt, 0.5..=4.0, 0.75, 1.0;
    sin_f64 = math::sin, wide::sin, -100.0..=100.0, 1.0, 2.0;
    sin_cos_cos_f64 = |x| math::sin_cos(x).1, wide::cos, -100.0..=100.0, 1.0, 2.0;
    sin_cos_sin_f64 = |x| math::sin_cos(x).0, wide::sin, -100.0..=100.0, 1.0, 2.0;
    sin_pi_f64 = math::sin_pi, wide::sin_pi, -5.0..=5.0, 1.25, 2.0;
    sinh_f64 = math::sinh, wide::sinh, -3.0..=3.0, 2.0, 2.0;
    sqrt_f64 = math::sqrt, wide::sqrt, 0.5..=4.0, 0.5, 0.0;
    tan_f64 = math::tan, wide::tan, -10.0..=10.0, 2.5, 2.0;
    tanh_f64 = math::tanh, wide::tanh, -3.0..=3.0, 1.25, 1.0;

} two: {
    atan2_f64 = math::atan2, wide::atan2, [-3.0..=3.0, -3.0..=3.0], 2.0, 2.0;
    hypot_f64 = math::hypot, wide::hypot, [-3.0..=3.0, -3.0..=3.0], 1.25, 2.0;
    powf_f64 = math::powf, wide::powf, [0.0..=100.0, -160.0..=160.0], 1.0, 2.0;
    rem_f64 = math::rem, wide::rem, [-100.0..=100.0, -3.0..=3.0], 0.0, 0.0;
    remainder_f64 = math::remainder, wide::remainder, [-100.0..=100.0, -3.0..=3.0], 0.0, 0.0;
} }
