//! Tiles of a matrix that groups own, larger than their blocks.

mod matmul;
mod patches;
