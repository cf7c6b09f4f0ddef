//! The functions of `f32`.
//!
//! Coefficients are minimax fits, by least squares reweighted until the error is even (Lawson's iteration), rounded to `f32`
//! one after another from the lowest, with the rest fitted again each time. Multiplications and additions that
//! belong together are fused explicitly, so that they are on all devices.

mod error_function;
mod exponential;
mod gamma;
mod hyperbolic;
mod logarithm;
mod power;
mod quadrant;
mod remainder;
mod trigonometry;

use crate::arch::Instructions;

/// Number to add so that the nearest integer of a sum that is within ±2²² is its low bits: 1.5 × 2²³.
const INTEGER: f32 = 12_582_912.0;

/// `a * b + c`, rounded once.
#[inline(always)]
fn fma(a: f32, b: f32, c: f32) -> f32 {
    Instructions::mul_add(a, b, c)
}
