//! Integers on the CPU: plain code, which vectorises.

pub(crate) use crate::int::plain::{
    abs_diff_bytes, byte_permute, dot2_signed, dot2_signed_unsigned, dot2_unsigned, dot2_unsigned_signed,
    dot4_mixed, dot4_signed, dot4_unsigned, funnel_left, funnel_left_clamped, funnel_right,
    funnel_right_clamped, mul_hi_i32, mul_hi_i64, mul_hi_u32, mul_hi_u64, signs_of_bytes, signs_of_halves,
    sum_abs_diff_bytes, trailing_zeros_u32, trailing_zeros_u64,
};
