//! Products that neither LLVM nor ptxas fuses with a sum.

unsafe extern "C" {
    #[link_name = "llvm.nvvm.mul.rn.f"]
    safe fn mul_rn_f(a: f32, b: f32) -> f32;
    #[link_name = "llvm.nvvm.mul.rn.d"]
    safe fn mul_rn_d(a: f64, b: f64) -> f64;
}

#[inline(always)]
pub(crate) fn unfused_mul_f32(a: f32, b: f32) -> f32 {
    mul_rn_f(a, b)
}

#[inline(always)]
pub(crate) fn unfused_mul_f64(a: f64, b: f64) -> f64 {
    mul_rn_d(a, b)
}
