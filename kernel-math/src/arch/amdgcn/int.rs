//! Integers on AMD: instructions that LLVM doesn't find by itself. What isn't here it does find.

pub(crate) use crate::int::plain::{
    abs_diff_bytes, dot2_signed, dot2_signed_unsigned, dot2_unsigned, dot2_unsigned_signed, dot4_mixed,
    dot4_signed, dot4_unsigned, funnel_left, funnel_left_clamped, funnel_right, funnel_right_clamped,
    mul_hi_i32, mul_hi_i64, mul_hi_u32, mul_hi_u64, signs_of_bytes, signs_of_halves, trailing_zeros_u32,
    trailing_zeros_u64,
};

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.amdgcn.perm"]
    fn perm(high: u32, low: u32, selector: u32) -> u32;
    #[link_name = "llvm.amdgcn.sad.u8"]
    fn sad_u8(a: u32, b: u32, c: u32) -> u32;
}

/// Four bytes of eight; the high bit of each nibble of the selector is 0.
#[inline(always)]
pub(crate) fn byte_permute(low: u32, high: u32, selector: u32) -> u32 {
    // The instruction takes a byte for each of the result's.
    let pairs = (selector | selector << 8) & 0x00ff_00ff;
    let bytes = (pairs | pairs << 4) & 0x0f0f_0f0f;
    // SAFETY: `v_perm_b32`, a function of its operands, which all architectures have.
    unsafe { perm(high, low, bytes) }
}

/// The sum of the distances of four bytes, and `c`; it wraps.
#[inline(always)]
pub(crate) fn sum_abs_diff_bytes(a: u32, b: u32, c: u32) -> u32 {
    // SAFETY: `v_sad_u8`, a function of its operands, which all architectures have.
    unsafe { sad_u8(a, b, c) }
}
