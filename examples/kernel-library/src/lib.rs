//! Kernels that are generic over their users' types and operators.
//!
//! Nothing is compiled for GPUs here: a user's crate makes instances of what it launches, by `instance!`. So this crate has no build
//! script, and its device code is compiled as part of its users'.

pub mod elements;
pub mod levels;
pub mod tiles;
mod total;

#[doc(no_inline)]
pub use elements::map;
#[cfg(not(gridwright_device))]
pub use total::total;
pub use total::{Total, total_of_groups};
