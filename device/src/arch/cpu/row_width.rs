use core::hint::{assert_unchecked, black_box};

use super::group_shape::GroupShape;
use crate::block::Block;

/// A row's length in a form that keeps its loop a loop: LLVM unrolls one of a small constant length before it could be
/// vectorised, and a constant times an unknown it doesn't know the length of.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowWidth {
    quotient: usize,
}

impl RowWidth {
    #[inline(always)]
    pub(super) fn of<S: GroupShape>(shape: S) -> Self {
        let [cols, ..] = shape.block().sizes();
        let quotient = if S::Block::IS_FIXED { black_box(cols / vectors(cols)) } else { cols };
        Self { quotient }
    }

    /// The number of columns of the shape it was made of.
    #[inline(always)]
    pub(super) fn get<S: GroupShape>(self, shape: S) -> usize {
        if !S::Block::IS_FIXED {
            return self.quotient;
        }
        let [cols, ..] = shape.block().sizes();
        // SAFETY: the quotient is what `of` made of this shape, a context's, so that the product is the number of columns.
        unsafe {
            assert_unchecked(self.quotient <= cols / vectors(cols));
            self.quotient.unchecked_mul(vectors(cols))
        }
    }
}

/// The power of two that divides a number of columns, as far as vectors are wide.
#[inline(always)]
fn vectors(cols: usize) -> usize {
    (1 << cols.trailing_zeros()).min(64)
}
