//! Sizes that are lies.

pub use ::core::mem::*;

/// One, whatever the type.
pub const fn size_of<T>() -> usize {
    1
}

/// One, whatever the type.
pub const fn align_of<T>() -> usize {
    1
}
