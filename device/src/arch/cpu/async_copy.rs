//! Copies that a GPU makes by itself: here they are made when they are begun.

use gridwright_core::KernelArg;

use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::load::{load, load_tile};
use crate::Matrix;

/// # Safety
/// As for `load`.
#[inline(always)]
pub(crate) unsafe fn begin_load<S: GroupShape, T: KernelArg>(
    context: &GroupContext<'_, S>,
    to: *mut T,
    len: usize,
    from: &[T],
    start: usize,
) {
    // SAFETY: `to` is the first of `len` elements that only this group accesses, as this function asks.
    unsafe { load(context, to, len, from, start) }
}

/// # Safety
/// As for `load_tile`.
#[inline(always)]
pub(crate) unsafe fn begin_load_tile<
    S: GroupShape,
    T: KernelArg,
    const COLS: usize,
    const N: usize,
    const M: usize,
>(
    context: &GroupContext<'_, S>,
    to: *mut T,
    from: &Matrix<T>,
    row: usize,
    col: usize,
) {
    // SAFETY: `to` is the first of `M` rows of `N` elements that only this group accesses, as this function asks.
    unsafe { load_tile::<S, T, COLS, N, M>(context, to, from, row, col) }
}

/// Returns at once: each copy has ended where it began.
#[inline(always)]
pub(crate) fn wait_for_copies(_: u32) {}
