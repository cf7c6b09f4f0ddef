//! The functions of `f32`.

use gridwright::math;
use gridwright::prelude::*;

use crate::kernels::functions;

functions! { f32 one: {
    acos_f32 = math::acos, f64::acos, -1.0..=1.0, 2.0, 2.0;
    acosh_f32 = math::acosh, f64::acosh, 1.0..=4.0, 4.0, 4.0;
    asin_f32 = math::asin, f64::asin, -1.0..=1.0, 2.0, 2.0;
    asinh_f32 = math::asinh, f64::asinh, -4.0..=4.0, 3.0, 3.0;
    atan_f32 = math::atan, f64::atan, -4.0..=4.0, 2.0, 2.0;
    atanh_f32 = math::atanh, f64::atanh, -1.0..=1.0, 3.0, 3.0;
    cbrt_f32 = math::cbrt, f64::cbrt, 0.5..=16.0, 1.0, 1.0;
    cos_f32 = math::cos, f64::cos, -100.0..=100.0, 2.0, 2.0;
    cos_pi_f32 = math::cos_pi, narrow::cos_pi, -5.0..=5.0, 1.5, 1.0;
    cosh_f32 = math::cosh, f64::cosh, -3.0..=3.0, 2.5, 2.0;
    erf_f32 = math::erf, narrow::erf, -4.0..=4.0, 2.0, 2.0;
    erf_inv_f32 = math::erf_inv, narrow::erf_inv, -1.0..=1.0, 2.5, 2.0;
    erfc_f32 = math::erfc, narrow::erfc, -4.0..=10.5, 4.0, 4.0;
    erfc_inv_f32 = math::erfc_inv, narrow::erfc_inv, 0.0..=2.0, 4.0, 4.0;
    exp_f32 = math::exp, f64::exp, -104.0..=89.0, 1.5, 1.0;
    exp_m1_f32 = math::exp_m1, f64::exp_m1, -2.0..=2.0, 1.5, 1.0;
    exp10_f32 = math::exp10, narrow::exp10, -46.0..=39.0, 2.0, 2.0;
    exp2_f32 = math::exp2, f64::exp2, -150.0..=128.0, 2.0, 2.0;
    gamma_f32 = math::gamma, narrow::gamma, -40.0..=36.0, 5.0, 5.0;
    ln_1p_f32 = math::ln_1p, f64::ln_1p, -0.9..=2.0, 1.5, 1.0;
    ln_f32 = math::ln, f64::ln, 0.5..=2.0, 1.5, 1.0;
    // As CUDA's: there are zeros in the range.
    ln_gamma_f32 = math::ln_gamma, narrow::ln_gamma, -2.2..=12.0, 6.5, 6.0, except -10.001..=-2.264;
    log10_f32 = math::log10, f64::log10, 0.5..=2.0, 2.5, 2.0;
    log2_f32 = math::log2, f64::log2, 0.5..=2.0, 1.5, 1.0;
    norm_cdf_f32 = math::norm_cdf, narrow::norm_cdf, -14.5..=6.0, 5.0, 5.0;
    norm_cdf_inv_f32 = math::norm_cdf_inv, narrow::norm_cdf_inv, 0.0..=1.0, 5.0, 5.0;
    rcbrt_f32 = math::rcbrt, narrow::rcbrt, 0.5..=16.0, 1.5, 1.0;
    rsqrt_f32 = math::rsqrt, narrow::rsqrt, 0.5..=4.0, 2.0, 2.0;
    sin_f32 = math::sin, f64::sin, -100.0..=100.0, 2.0, 2.0;
    sin_cos_cos_f32 = |x| math::sin_cos(x).1, f64::cos, -100.0..=100.0, 2.0, 2.0;
    sin_cos_sin_f32 = |x| math::sin_cos(x).0, f64::sin, -100.0..=100.0, 2.0, 2.0;
    sin_pi_f32 = math::sin_pi, narrow::sin_pi, -5.0..=5.0, 1.5, 1.0;
    sinh_f32 = math::sinh, f64::sinh, -3.0..=3.0, 3.0, 3.0;
    sqrt_f32 = math::sqrt, f64::sqrt, 0.5..=4.0, 0.5, 0.0;
    tan_f32 = math::tan, f64::tan, -10.0..=10.0, 4.0, 4.0;
    tanh_f32 = math::tanh, f64::tanh, -3.0..=3.0, 2.0, 2.0;

} two: {
    atan2_f32 = math::atan2, f64::atan2, [-3.0..=3.0, -3.0..=3.0], 3.0, 3.0;
    hypot_f32 = math::hypot, f64::hypot, [-3.0..=3.0, -3.0..=3.0], 2.0, 3.0;
    powf_f32 = math::powf, f64::powf, [0.0..=100.0, -20.0..=20.0], 4.0, 4.0;
    rem_f32 = math::rem, narrow::rem, [-100.0..=100.0, -3.0..=3.0], 0.0, 0.0;
    remainder_f32 = math::remainder, narrow::remainder, [-100.0..=100.0, -3.0..=3.0], 0.0, 0.0;
} }

/// What a kernel costs without a function: `cargo xtask codegen math` takes it off.
#[gpu_kernel(requires = x.len() == out.len())]
fn copy_f32(t: Thread, x: &[f32], mut out: PerThread<[f32]>) {
    if let Some(out) = out.get_mut(t) {
        *out = x[t.index()];
    }
}

/// What a kernel of two arguments costs without a function.
#[gpu_kernel(requires = x.len() == out.len() && y.len() == out.len())]
fn sum_f32(t: Thread, x: &[f32], y: &[f32], mut out: PerThread<[f32]>) {
    if let Some(out) = out.get_mut(t) {
        *out = x[t.index()] + y[t.index()];
    }
}
