//! PTX's approximations, with the largest errors that the PTX ISA documents, and what is made of them.

use core::arch::asm;

macro_rules! instruction {
    ($(#[$doc:meta])* $name:ident($($x:ident),*) $text:literal) => {
        $(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name($($x: f32),*) -> f32 {
            let y;
            // SAFETY: arithmetic on registers.
            unsafe { asm!($text, out(reg32) y, $(in(reg32) $x),*, options(pure, nomem, nostack)) };
            y
        }
    };
}

instruction! {
    /// Two to the power of `x`, relative error 2^-22.5. Subnormal results are zero.
    exp2_approximately(x) "ex2.approx.ftz.f32 {}, {};"
}
instruction! {
    /// Two to the power of `x`, with subnormal results.
    exp2(x) "ex2.approx.f32 {}, {};"
}
instruction! {
    /// The logarithm to base 2, absolute error 2^-22 where `x` is from ½ to 2, else relative error 2^-22.
    log2_approximately(x) "lg2.approx.f32 {}, {};"
}
instruction! {
    /// The logarithm to base 2 of what isn't subnormal, as exact as `log2_approximately`.
    log2_of_normal(x) "lg2.approx.ftz.f32 {}, {};"
}
instruction! {
    /// The sine, absolute error 2^-20.9 on ±π.
    sin_approximately(x) "sin.approx.f32 {}, {};"
}
instruction! {
    /// The cosine, absolute error 2^-20.9 on ±π.
    cos_approximately(x) "cos.approx.f32 {}, {};"
}
instruction! {
    /// `1 / x` of what is neither subnormal nor has a subnormal result: within 1 ULP.
    recip(x) "rcp.approx.ftz.f32 {}, {};"
}
instruction! {
    /// `1 / sqrt(x)`: relative error 2^-22.9.
    rsqrt(x) "rsqrt.approx.f32 {}, {};"
}
instruction! {
    /// `1 / sqrt(x)` of what isn't subnormal: relative error 2^-22.9.
    rsqrt_of_normal(x) "rsqrt.approx.ftz.f32 {}, {};"
}
instruction! {
    /// The square root of what isn't subnormal: relative error 2^-23.
    sqrt_approximately(x) "sqrt.approx.ftz.f32 {}, {};"
}
instruction! {
    /// `x * a + b`, towards -∞.
    mul_add_down(x, a, b) "fma.rm.f32 {}, {}, {}, {};"
}
instruction! {
    /// `x * a + b`, at least 0, at most 1; 0 of NaN.
    mul_add_saturated(x, a, b) "fma.rn.sat.f32 {}, {}, {}, {};"
}

/// Two to the power of `x * (high + low) + shift`, for positive factors.
#[inline(always)]
pub(crate) fn exp2_of_product(x: f32, high: f32, low: f32, shift: i32) -> f32 {
    // The integer part of the product, at least -126, at most 126: it saturates at 0 and 1 as a part of that range. It comes as
    // the low bits of the sum with 1.5 × 2²³, where the exponent's offset is added too.
    let n = mul_add_saturated(x, high / 252.0, 0.5);
    let n = mul_add_down(n, 252.0, 12_582_913.0 + shift as f32);
    let f = fma(x, low, fma(x, high, -(n - (12_583_039.0 + shift as f32))));
    f32::from_bits(n.to_bits() << 23) * exp2_approximately(f)
}

#[inline(always)]
fn fma(x: f32, a: f32, b: f32) -> f32 {
    core::intrinsics::fmaf32(x, a, b)
}
