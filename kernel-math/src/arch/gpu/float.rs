use super::super::hardware::float::log2_of_normal;
pub(crate) use super::super::hardware::float::{
    cos_approximately, exp2, exp2_approximately, exp2_of_product, log2_approximately, recip, rsqrt,
    rsqrt_of_normal, sin_approximately, sqrt_approximately,
};
use core::intrinsics as llvm;

/// Whether threads that take different branches cost no more than their branches.
pub(crate) const BRANCHES: bool = true;

/// Whether a polynomial is faster in parts that don't wait for each other, for an operation or two more. Other threads fill the
/// time.
pub(crate) const SPLIT_POLYNOMIALS: bool = false;

/// What the hardware does to floats by one instruction, exactly or rounded once.
pub(crate) trait Instructions: Sized {
    fn mul_add(self, a: Self, b: Self) -> Self;
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;
    fn round_ties_even(self) -> Self;
}

macro_rules! instructions {
    ($float:ty: $fma:ident $sqrt:ident $floor:ident $ceil:ident $trunc:ident $round:ident) => {
        impl Instructions for $float {
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                llvm::$fma(self, a, b)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                llvm::$sqrt(self)
            }

            #[inline(always)]
            fn floor(self) -> Self {
                llvm::$floor(self)
            }

            #[inline(always)]
            fn ceil(self) -> Self {
                llvm::$ceil(self)
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                llvm::$trunc(self)
            }

            #[inline(always)]
            fn round_ties_even(self) -> Self {
                llvm::$round(self)
            }
        }
    };
}

instructions!(f32: fmaf32 sqrtf32 floorf32 ceilf32 truncf32 round_ties_even_f32);
instructions!(f64: fmaf64 sqrtf64 floorf64 ceilf64 truncf64 round_ties_even_f64);

/// Two to the power of `n + f + shift`, for a fraction of at most ±1 or so and an integer to which 1.5 × 2²³ was added.
#[inline(always)]
pub(crate) fn exp2_of_sum(n: f32, f: f32, shift: i32) -> f32 {
    let n = (n.to_bits() as i32).wrapping_sub(12_582_912.0_f32.to_bits() as i32).wrapping_add(shift);
    // In two steps, of which the first is exact, as the power may be subnormal.
    let half = n >> 1;
    let power = |n: i32| f32::from_bits((n.wrapping_add(127) as u32) << 23);
    exp2_approximately(f) * power(half) * power(n.wrapping_sub(half))
}

/// One over the cube root of a positive number that isn't subnormal: relative error 2^-16.
#[inline(always)]
pub(crate) fn rcbrt_approximately(x: f32) -> f32 {
    exp2_approximately(log2_of_normal(x) * (-1.0 / 3.0))
}

/// The square of one over the cube root: relative error 2^-15.
#[inline(always)]
pub(crate) fn rcbrt_squared_approximately(x: f32) -> f32 {
    exp2_approximately(log2_of_normal(x) * (-2.0 / 3.0))
}

/// The square root of what isn't subnormal, rounded to nearest but for few.
#[inline(always)]
pub(crate) fn sqrt_nearly(x: f32) -> f32 {
    let r = rsqrt_of_normal(x);
    let y = x * r;
    let y = Instructions::mul_add(Instructions::mul_add(-y, y, x), 0.5 * r, y);
    if x == 0.0 { x } else { y }
}
