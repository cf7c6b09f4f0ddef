//! Integers on the CPU: plain code, which vectorises.

pub(crate) use crate::int::plain::{
    abs_diff_bytes, byte_permute, dot2_signed, dot2_signed_unsigned, dot2_unsigned, dot2_unsigned_signed,
    dot4_mixed, dot4_signed, dot4_unsigned, funnel_left, funnel_left_clamped, funnel_right,
    funnel_right_clamped, signs_of_bytes, signs_of_halves, sum_abs_diff_bytes,
};

macro_rules! trailing_zeros {
    ($($name:ident: $integer:ty;)*) => {$(
        #[inline(always)]
        pub(crate) fn $name(value: $integer) -> u32 {
            value.trailing_zeros()
        }
    )*};
}

trailing_zeros! {
    trailing_zeros_u32: u32;
    trailing_zeros_u64: u64;
}

macro_rules! mul_hi {
    ($($name:ident: $integer:ty as $wide:ty;)*) => {$(
        #[inline(always)]
        pub(crate) fn $name(a: $integer, b: $integer) -> $integer {
            ((a as $wide * b as $wide) >> <$integer>::BITS) as $integer
        }
    )*};
}

mul_hi! {
    mul_hi_u32: u32 as u64;
    mul_hi_i32: i32 as i64;
    mul_hi_u64: u64 as u128;
    mul_hi_i64: i64 as i128;
}
