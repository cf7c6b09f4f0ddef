//! Matrix units: products of small matrices, which a warp computes together.
//!
//! | to | see |
//! |---|---|
//! | hold the factors of a product, and its sums | [`MatrixA`], [`MatrixB`], [`Accumulator`] |
//! | load them and store the sums | [`FragmentSource`], [`FragmentTarget`] |
//! | name what they are made of | [`Factor`], [`Sum`], [`Tf32`]; halves of floats are in [`numbers`](crate::numbers) |
//! | write a helper for any shape | [`FactorShape`], [`SumShape`], [`Product`] |
//!
//! [`Warp::multiply_add`](crate::warp::Warp::multiply_add) multiplies, and [`WarpTile`](crate::warp::WarpTile) is the part of a matrix to
//! which sums are stored.
//!
//! ```
//! use gridwright::matrix::{Accumulator, MatrixA, MatrixB};
//! use gridwright::numbers::F16;
//! use gridwright::prelude::*;
//!
//! /// Adds the product of the first tiles of two matrices.
//! fn step<S: GroupShape>(
//!     w: &Warp<'_, S>,
//!     a: &Matrix<F16>,
//!     b: &Matrix<F16>,
//!     sums: &mut Accumulator<f32, 16, 16>,
//! ) {
//!     let a: MatrixA<F16, 16, 16> = w.load_a(a, 0, 0);
//!     let b: MatrixB<F16, 16, 16> = w.load_b(b, 0, 0);
//!     w.multiply_add(&a, &b, sums);
//! }
//! ```

pub use gridwright_device::{
    Accumulator, Factor, FactorShape, FragmentSource, FragmentTarget, MatrixA, MatrixB, Product, Sum,
    SumShape, Tf32,
};
