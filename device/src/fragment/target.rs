use gridwright_core::KernelArg;

use super::source::{FragmentSource, check_block};
use crate::warp::WarpTile;
use crate::{Access, WorkgroupMut};

/// Memory of a warp in rows, to which accumulators are stored: a [`WarpTile`](crate::WarpTile) of a matrix, or
/// `WorkgroupMut<[S; N]>`.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::matrix::{Accumulator, FragmentTarget};
///
/// /// Writes zeros, to a tile of a matrix or to a warp's own memory.
/// fn clear<S: GroupShape>(w: &Warp<'_, S>, tile: &mut impl FragmentTarget<f32>) {
///     w.store_accumulator(&Accumulator::<f32, 16, 16>::filled(0.0), tile, 0, 0);
/// }
/// ```
///
/// # Safety
/// `write` is right for each place for which `check` returned. No other warp has the memory.
#[diagnostic::on_unimplemented(
    message = "accumulators of `{S}` aren't stored to `{Self}`",
    note = "they are stored to a `WarpTile<{S}>`, which `each_warp` hands out for `c.warp_tiles_mut::<ROWS, COLS>()` of a \
            `PerGroup<Matrix<{S}>, Tiles<…>>`, and to a `WorkgroupMut<[E; N]>`, which `memory.chunks::<N>()` of a warp's own \
            memory makes"
)]
pub unsafe trait FragmentTarget<S: KernelArg> {
    /// Access of a write to memory that other threads see.
    #[doc(hidden)]
    const ACCESS: Access;

    /// # Panics
    /// Where a block of so many rows and columns isn't in the memory.
    #[doc(hidden)]
    #[track_caller]
    fn check(&mut self, row: usize, col: usize, rows: usize, cols: usize);

    /// Writes an element of the memory, or nothing beyond the edge of a matrix.
    ///
    /// # Safety
    /// It is in a block that was checked.
    #[doc(hidden)]
    unsafe fn write(&mut self, row: usize, col: usize, value: S);
}

// SAFETY: a block was seen to be inside. A row has no padding.
unsafe impl<S: KernelArg, E: KernelArg, const N: usize> FragmentTarget<S> for WorkgroupMut<'_, [E; N]> {
    const ACCESS: Access = Access::Write;

    #[inline(always)]
    fn check(&mut self, row: usize, col: usize, rows: usize, cols: usize) {
        FragmentSource::<S>::check(self, row, col, rows, cols);
    }

    #[inline(always)]
    unsafe fn write(&mut self, row: usize, col: usize, value: S) {
        // SAFETY: the element is in a block that was checked, as this function asks; the memory is borrowed exclusively.
        unsafe { FragmentSource::<S>::address(self, row, col).cast_mut().write(value) };
    }
}

// SAFETY: the tile tests each place itself.
unsafe impl<S: KernelArg> FragmentTarget<S> for WarpTile<'_, S> {
    const ACCESS: Access = Access::Write;

    #[inline(always)]
    fn check(&mut self, row: usize, col: usize, rows: usize, cols: usize) {
        check_block([row, col], [rows, cols], self.sizes());
    }

    #[inline(always)]
    unsafe fn write(&mut self, row: usize, col: usize, value: S) {
        if let Some(element) = self.element(row, col) {
            // SAFETY: it is inside of the matrix and, as the caller says, of the tile, which is the warp's.
            unsafe { element.write(value) };
        }
    }
}
