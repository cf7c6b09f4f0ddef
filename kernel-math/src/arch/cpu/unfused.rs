//! Products: nothing is fused here.

#[inline(always)]
pub(crate) fn unfused_mul_f32(a: f32, b: f32) -> f32 {
    a * b
}

#[inline(always)]
pub(crate) fn unfused_mul_f64(a: f64, b: f64) -> f64 {
    a * b
}
