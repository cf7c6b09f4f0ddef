//! Numbers on AMD, by the instructions that LLVM doesn't find by itself.

pub(super) mod float;
pub(crate) mod half;
pub(crate) mod int;
mod unfused;

pub(crate) use unfused::{unfused_mul_f32, unfused_mul_f64};
