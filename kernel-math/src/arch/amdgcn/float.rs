//! AMD's approximations, with the largest errors that the instruction sets document, and what is made of them.

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.amdgcn.exp2.f32"]
    fn exp2_f32(x: f32) -> f32;
    #[link_name = "llvm.amdgcn.log.f32"]
    fn log_f32(x: f32) -> f32;
    #[link_name = "llvm.amdgcn.sin.f32"]
    fn sin_f32(x: f32) -> f32;
    #[link_name = "llvm.amdgcn.cos.f32"]
    fn cos_f32(x: f32) -> f32;
    #[link_name = "llvm.amdgcn.fract.f32"]
    fn fract_f32(x: f32) -> f32;
    #[link_name = "llvm.amdgcn.rcp.f32"]
    fn rcp_f32(x: f32) -> f32;
    #[link_name = "llvm.amdgcn.rsq.f32"]
    fn rsq_f32(x: f32) -> f32;
    #[link_name = "llvm.amdgcn.sqrt.f32"]
    fn sqrt_f32(x: f32) -> f32;
}

/// Two to the power of `x`: within 1 ULP. Subnormal results are zero.
#[inline(always)]
pub(crate) fn exp2_approximately(x: f32) -> f32 {
    // SAFETY: arithmetic on registers.
    unsafe { exp2_f32(x) }
}

/// Two to the power of `x`, with subnormal results.
#[inline(always)]
pub(crate) fn exp2(x: f32) -> f32 {
    let small = x < -126.0;
    exp2_approximately(if small { x + 64.0 } else { x })
        * if small { f32::from_bits((127 - 64) << 23) } else { 1.0 }
}

/// The logarithm to base 2: within 1 ULP, but for the neighbourhood of 1.
#[inline(always)]
pub(crate) fn log2_approximately(x: f32) -> f32 {
    let small = x < f32::MIN_POSITIVE;
    // SAFETY: arithmetic on registers.
    unsafe { log_f32(if small { x * 4_294_967_296.0 } else { x }) - if small { 32.0 } else { 0.0 } }
}

/// The logarithm to base 2 of what isn't subnormal, as exact as `log2_approximately`.
#[inline(always)]
pub(crate) fn log2_of_normal(x: f32) -> f32 {
    // SAFETY: arithmetic on registers.
    unsafe { log_f32(x) }
}

/// The sine. The hardware takes turns.
#[inline(always)]
pub(crate) fn sin_approximately(x: f32) -> f32 {
    // SAFETY: arithmetic on registers.
    unsafe { sin_f32(fract_f32(x * (0.5 * core::f32::consts::FRAC_1_PI))) }
}

/// The cosine.
#[inline(always)]
pub(crate) fn cos_approximately(x: f32) -> f32 {
    // SAFETY: arithmetic on registers.
    unsafe { cos_f32(fract_f32(x * (0.5 * core::f32::consts::FRAC_1_PI))) }
}

/// `1 / x` of what is neither subnormal nor has a subnormal result: within 1 ULP.
#[inline(always)]
pub(crate) fn recip(x: f32) -> f32 {
    // SAFETY: arithmetic on registers.
    unsafe { rcp_f32(x) }
}

/// `1 / sqrt(x)`: within 1 ULP.
#[inline(always)]
pub(crate) fn rsqrt(x: f32) -> f32 {
    let small = x < f32::MIN_POSITIVE;
    // SAFETY: arithmetic on registers.
    unsafe { rsq_f32(if small { x * 16_777_216.0 } else { x }) * if small { 4096.0 } else { 1.0 } }
}

/// `1 / sqrt(x)` of what isn't subnormal: within 1 ULP.
#[inline(always)]
pub(crate) fn rsqrt_of_normal(x: f32) -> f32 {
    // SAFETY: arithmetic on registers.
    unsafe { rsq_f32(x) }
}

/// The square root of what isn't subnormal: within 1 ULP.
#[inline(always)]
pub(crate) fn sqrt_approximately(x: f32) -> f32 {
    // SAFETY: arithmetic on registers.
    unsafe { sqrt_f32(x) }
}

/// Two to the power of `x * (high + low) + shift`, for positive factors.
#[inline(always)]
pub(crate) fn exp2_of_product(x: f32, high: f32, low: f32, shift: i32) -> f32 {
    /// Number to add so that the integer part of a sum is its low bits: 1.5 × 2²³.
    const INTEGER: f32 = 12_582_912.0;
    // As far as it and the shift are a normal number's exponent. What is beyond, where results are subnormal or infinite, stays in the
    // fraction, which the instruction takes.
    let n = (x * high).clamp((-126 - shift) as f32, (127 - shift) as f32) + INTEGER;
    let f = fma(x, low, fma(x, high, -(n - INTEGER)));
    f32::from_bits(n.to_bits().wrapping_add((127 + shift) as u32) << 23) * exp2_approximately(f)
}

#[inline(always)]
fn fma(x: f32, a: f32, b: f32) -> f32 {
    core::intrinsics::fmaf32(x, a, b)
}
