//! Numbers on the CPU: plain code without branches and calls, which becomes SIMD code in the loop that it is inlined into.

mod float;
pub(crate) mod int;
mod unfused;

pub(crate) use crate::half_float::plain::{PlainBrain as Brain, PlainIeee as Ieee};
pub(crate) use float::{
    BRANCHES, Instructions, SPLIT_POLYNOMIALS, cos_approximately, exp2, exp2_approximately, exp2_of_product,
    exp2_of_sum, log2_approximately, rcbrt_approximately, rcbrt_squared_approximately, recip, rsqrt,
    rsqrt_of_normal, sin_approximately, sqrt_approximately, sqrt_nearly,
};
pub(crate) use unfused::{unfused_mul_f32, unfused_mul_f64};
