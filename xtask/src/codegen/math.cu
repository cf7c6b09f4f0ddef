// Each function of 32-bit floats by CUDA's own, under the name of our kernel. What `cargo xtask codegen math` compares with.

#define ONE(name, function)                                                                       \
    extern "C" __global__ void name(const float* __restrict__ x, float* __restrict__ out, unsigned n) { \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                       \
        if (i < n) out[i] = function(x[i]);                                                       \
    }

#define TWO(name, function)                                                                       \
    extern "C" __global__ void name(const float* __restrict__ x, const float* __restrict__ y,     \
                                    float* __restrict__ out, unsigned n) {                        \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                       \
        if (i < n) out[i] = function(x[i], y[i]);                                                 \
    }

#define FIRST(x) (x)
#define SUM(x, y) ((x) + (y))

// What a kernel costs without a function.
ONE(copy_f32, FIRST)
TWO(sum_f32, SUM)

ONE(acos_f32, acosf)
ONE(acosh_f32, acoshf)
ONE(asin_f32, asinf)
ONE(asinh_f32, asinhf)
ONE(atan_f32, atanf)
ONE(atanh_f32, atanhf)
ONE(cbrt_f32, cbrtf)
ONE(cos_f32, cosf)
ONE(cos_pi_f32, cospif)
ONE(cosh_f32, coshf)
ONE(erf_f32, erff)
ONE(erf_inv_f32, erfinvf)
ONE(erfc_f32, erfcf)
ONE(erfc_inv_f32, erfcinvf)
ONE(exp_f32, expf)
ONE(exp_m1_f32, expm1f)
ONE(exp10_f32, exp10f)
ONE(exp2_f32, exp2f)
ONE(gamma_f32, tgammaf)
ONE(ln_1p_f32, log1pf)
ONE(ln_f32, logf)
ONE(ln_gamma_f32, lgammaf)
ONE(log10_f32, log10f)
ONE(log2_f32, log2f)
ONE(norm_cdf_f32, normcdff)
ONE(norm_cdf_inv_f32, normcdfinvf)
ONE(rcbrt_f32, rcbrtf)
ONE(rsqrt_f32, rsqrtf)
ONE(sin_f32, sinf)
ONE(sin_pi_f32, sinpif)
ONE(sinh_f32, sinhf)
ONE(sqrt_f32, sqrtf)
ONE(tan_f32, tanf)
ONE(tanh_f32, tanhf)
TWO(atan2_f32, atan2f)
TWO(hypot_f32, hypotf)
TWO(powf_f32, powf)
TWO(rem_f32, fmodf)
TWO(remainder_f32, remainderf)
