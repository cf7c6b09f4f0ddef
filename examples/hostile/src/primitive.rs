//! Types that are others.

pub use ::core::primitive::{bool, char, f32, f64, i8, i16, i32, i64, isize, str, u8, u16, u64, u128, usize};

/// Half of it.
#[allow(non_camel_case_types)]
pub type u32 = u16;
