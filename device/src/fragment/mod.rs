//! Matrix units: tensor cores on NVIDIA, matrix cores on AMD. Parts of matrices that a warp holds together, and their
//! product.

mod element;
mod fragments;
mod of_warp;
mod source;
mod target;

pub(crate) use element::tf32_bits;
pub use element::{Factor, FactorShape, Product, Sum, SumShape, Tf32};
pub use fragments::{Accumulator, MatrixA, MatrixB};
pub use source::FragmentSource;
pub use target::FragmentTarget;

/// The factor of a product that a fragment belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The factor A, whose rows are the lines.
    A,
    /// The factor B, whose columns are the lines.
    B,
}

/// The order of a block's elements in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The block's lines are the memory's rows.
    Along,
    /// The block's lines are the memory's columns.
    Across,
}
