//! Types of fragments' elements, and the products that matrix units make of them.

use gridwright_core::KernelArg;

use crate::arch::{InRegisters, Multiply, SumInRegisters};
use crate::{Bf16, F16};

/// Elements of the factors that matrix units multiply: [`F16`], [`Bf16`], [`Tf32`], `i8`, `u8`, `f64`, and `f16` and
/// `bf16` of the feature `half`.
///
/// ```
/// use gridwright::matrix::{Factor, Tf32};
/// use gridwright::numbers::F16;
///
/// fn bytes_in_memory<T: Factor>() -> usize {
///     size_of::<T::Memory>()
/// }
/// assert_eq!((bytes_in_memory::<F16>(), bytes_in_memory::<Tf32>()), (2, 4));
/// ```
///
/// # Safety
/// Zero bytes are an element that is zero.
pub unsafe trait Factor: Copy + 'static {
    /// The type of a factor's element in memory.
    type Memory: KernelArg;
}

/// `f32` in memory, of which matrix units take the sign, the exponent and 10 bits of the mantissa: NVIDIA's TF32.
///
/// Elements are rounded to the nearest, halves away from zero, when a fragment is loaded, on every device. The sums are
/// `f32`.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::matrix::{Accumulator, MatrixA, MatrixB, Tf32};
///
/// fn product<S: GroupShape>(w: &Warp<'_, S>, a: &Matrix<f32>, b: &Matrix<f32>) -> Accumulator<f32, 16, 16> {
///     let mut sums = Accumulator::filled(0.0);
///     let a: MatrixA<Tf32, 16, 8> = w.load_a(a, 0, 0);
///     let b: MatrixB<Tf32, 8, 16> = w.load_b(b, 0, 0);
///     w.multiply_add(&a, &b, &mut sums);
///     sums
/// }
/// ```
///
/// # From CUDA
/// `wmma::precision::tf32`. No `__float_to_tf32` is needed.
#[derive(Clone, Copy, Debug)]
pub struct Tf32;

/// The bits of an `f32` rounded to TF32.
#[inline(always)]
pub(crate) fn tf32_bits(value: f32) -> u32 {
    let bits = value.to_bits();
    // What is not a number stays one: a carry would run into its exponent.
    if value.is_nan() { bits | 0x7fc0_0000 } else { bits.wrapping_add(0x1000) & !0x1fff }
}

/// Shapes of fragments of factors: `LINES` rows of A, or columns of B, of `K` elements.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::matrix::{FactorShape, MatrixA};
///
/// /// A block of A, whatever its elements are.
/// fn block<S: GroupShape, T: FactorShape<16, K>, const K: usize>(
///     w: &Warp<'_, S>,
///     a: &Matrix<T::Memory>,
/// ) -> MatrixA<T, 16, K> {
///     w.load_a(a, 0, 0)
/// }
/// ```
///
/// # Safety
/// Matrix units, or the software in their place, know it.
#[diagnostic::on_unimplemented(
    message = "matrix units take no fragments of {LINES} rows of A, or columns of B, with {K} elements of `{Self}`",
    label = "no such fragment",
    note = "there are `MatrixA<T, 16, K>` and `MatrixB<T, K, 16>` with K = 16 for `F16` and `Bf16`, 8 for `Tf32`, 32 for `i8` \
            and `u8`, 4 for `f64`"
)]
pub unsafe trait FactorShape<const LINES: usize, const K: usize>: Factor + InRegisters {}

/// Elements of sums of products: `f32`, [`F16`], `i32`, `f64`, and `f16` of the feature `half`.
///
/// ```
/// use gridwright::matrix::Sum;
///
/// fn bytes_of_sums<S: Sum>(rows: usize, cols: usize) -> usize {
///     rows * cols * size_of::<S>()
/// }
/// assert_eq!(bytes_of_sums::<f32>(16, 16), 1024);
/// ```
///
/// # Safety
/// It is a number.
pub unsafe trait Sum: KernelArg + SumInRegisters {}

/// Shapes of accumulators: `M` rows and `N` columns of sums.
///
/// ```
/// use gridwright::matrix::{Accumulator, SumShape};
///
/// fn all<S: SumShape<16, 16>>(value: S) -> Accumulator<S, 16, 16> {
///     Accumulator::filled(value)
/// }
/// ```
///
/// # Safety
/// As for [`FactorShape`].
#[diagnostic::on_unimplemented(
    message = "matrix units have no accumulators of {M} by {N} elements of `{Self}`",
    label = "no such accumulator",
    note = "there are `Accumulator<S, 16, 16>` of `f32`, `F16`, `i32` and `f64`"
)]
pub unsafe trait SumShape<const M: usize, const N: usize>: Sum {}

/// Products that matrix units make: `M` by `K` elements times `K` by `N` elements, added up in `S`.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::matrix::{Accumulator, FactorShape, MatrixA, MatrixB, Product, SumShape};
///
/// /// One step of a product, whatever its elements are.
/// fn step<S: GroupShape, T, Z, const K: usize>(
///     w: &Warp<'_, S>,
///     a: &MatrixA<T, 16, K>,
///     b: &MatrixB<T, K, 16>,
///     sums: &mut Accumulator<Z, 16, 16>,
/// ) where
///     T: Product<Z, 16, 16, K> + FactorShape<16, K>,
///     Z: SumShape<16, 16>,
/// {
///     w.multiply_add(a, b, sums);
/// }
/// ```
///
/// # Safety
/// As for [`FactorShape`].
#[diagnostic::on_unimplemented(
    message = "matrix units don't multiply {M} by {K} and {K} by {N} elements of `{Self}` and add to `{S}`",
    label = "no such product",
    note = "`F16` is added up in `f32` or `F16`, `Bf16` and `Tf32` in `f32`, `i8` and `u8` in `i32`, `f64` in `f64`, each 16 by \
            16, with K = 16 for `F16` and `Bf16`, 8 for `Tf32`, 32 for `i8` and `u8`, 4 for `f64`"
)]
pub unsafe trait Product<S, const M: usize, const N: usize, const K: usize>:
    Factor + Multiply<S>
where
    S: Sum,
{
}

macro_rules! factors {
    ($($(#[$attribute:meta])* $factor:ty, $memory:ty, $k:literal;)*) => {$(
        $(#[$attribute])*
        // SAFETY: zero bytes are zero.
        unsafe impl Factor for $factor {
            type Memory = $memory;
        }

        $(#[$attribute])*
        // SAFETY: each target implements it.
        unsafe impl FactorShape<16, $k> for $factor {}
    )*};
}

factors! {
    F16, F16, 16;
    Bf16, Bf16, 16;
    #[cfg(feature = "half")] half::f16, half::f16, 16;
    #[cfg(feature = "half")] half::bf16, half::bf16, 16;
    Tf32, f32, 8;
    i8, i8, 32;
    u8, u8, 32;
    f64, f64, 4;
}

macro_rules! products {
    ($($(#[$attribute:meta])* $factor:ty, $k:literal => $sum:ty;)*) => {$(
        $(#[$attribute])*
        // SAFETY: each target implements it.
        unsafe impl Product<$sum, 16, 16, $k> for $factor {}
    )*};
}

products! {
    F16, 16 => f32;
    F16, 16 => F16;
    Bf16, 16 => f32;
    #[cfg(feature = "half")] half::f16, 16 => f32;
    #[cfg(feature = "half")] half::f16, 16 => half::f16;
    #[cfg(feature = "half")] half::bf16, 16 => f32;
    Tf32, 8 => f32;
    i8, 32 => i32;
    u8, 32 => i32;
    f64, 4 => f64;
}

macro_rules! sums {
    ($($(#[$attribute:meta])* $sum:ty;)*) => {$(
        $(#[$attribute])*
        // SAFETY: it is.
        unsafe impl Sum for $sum {}

        $(#[$attribute])*
        // SAFETY: each target implements it.
        unsafe impl SumShape<16, 16> for $sum {}
    )*};
}

sums! {
    f32;
    F16;
    #[cfg(feature = "half")] half::f16;
    i32;
    f64;
}
