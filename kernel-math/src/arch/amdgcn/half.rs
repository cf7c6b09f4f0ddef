//! Floats of 16 bits on AMD: what its `f16` leaves, and `bf16`, for which most have no instructions.

use crate::half_float::plain;
pub(crate) use crate::half_float::plain::PlainBrain as Brain;

/// The bits of the next `f16` towards zero.
#[inline(always)]
pub(crate) fn f16_from_f32_towards_zero(value: f32) -> u16 {
    plain::f16_from_f32_towards_zero(value)
}
