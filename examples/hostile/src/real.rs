//! What the names of [`names`](super::names) are elsewhere.

pub use ::core::option::Option as Maybe;
pub use ::core::primitive::{f32 as Float, u32 as Word, usize as Size};
