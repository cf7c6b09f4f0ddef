//! Numbers on a GPU: its instructions, and what is made of them.

mod float;
mod half;

pub(crate) use super::hardware::half::Brain;
pub(crate) use super::hardware::{int, unfused_mul_f32, unfused_mul_f64};
pub(crate) use float::{
    BRANCHES, Instructions, SPLIT_POLYNOMIALS, cos_approximately, exp2, exp2_approximately, exp2_of_product,
    exp2_of_sum, log2_approximately, rcbrt_approximately, rcbrt_squared_approximately, recip, rsqrt,
    rsqrt_of_normal, sin_approximately, sqrt_approximately, sqrt_nearly,
};
pub(crate) use half::Ieee;
