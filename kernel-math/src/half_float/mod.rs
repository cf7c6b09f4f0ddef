//! Floats of 16 bits and pairs of them.
//!
//! `format` says what the two formats share: arithmetic in 32 bits, rounded once more, which targets replace by their instructions.
//! `plain` has the conversions of targets without instructions for them. `scalar` and `pair` are the types, `num_traits` another crate's
//! traits.
//!
//! They are types of ours rather than those of the crate `half`, because only a type of ours can have operators that are instructions:
//! `half`'s own convert in software, in some 170 instructions of PTX for a product. What is in memory is the same, so that one is taken for
//! the other without cost.

mod format;
#[cfg(feature = "num-traits")]
mod num_traits;
mod pair;
pub(crate) mod plain;
mod scalar;
mod vectors;

pub(crate) use format::Format;
pub use pair::{Bf16x2, F16x2};
pub use scalar::{Bf16, F16};

#[cfg(test)]
mod tests;
