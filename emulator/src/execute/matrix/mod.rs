//! Operations on matrices that a warp's lanes hold together.

mod element;
mod fragment;
mod moves;
mod multiply;
mod warpgroup;

use super::state::ActiveLanes;
use crate::instruction::Matrix;
use crate::machine::Done;

impl ActiveLanes<'_> {
    /// Executes an operation on matrices, by all lanes of the warp.
    pub(super) fn matrix_operation(&mut self, matrix: &Matrix, mask: u32) -> Done {
        match matrix {
            Matrix::Multiply(multiply) => {
                self.multiply_matrices(multiply, mask);
                Ok(())
            }
            Matrix::MultiplyByWarpgroup(multiply) => self.multiply_by_warpgroup(multiply, mask),
            Matrix::CommitProducts => {
                self.commit_products();
                Ok(())
            }
            Matrix::AwaitProducts(but) => {
                self.await_products(*but, mask);
                Ok(())
            }
            Matrix::Load(load) => self.load_matrices(load, mask),
            Matrix::Store(store) => self.store_matrices(store, mask),
            Matrix::LoadFragment(load) => self.load_fragment(load, mask),
            Matrix::StoreFragment(store) => self.store_fragment(store, mask),
            Matrix::Transpose { d, a } => {
                self.transpose_matrix(*d, *a, mask);
                Ok(())
            }
        }
    }
}
