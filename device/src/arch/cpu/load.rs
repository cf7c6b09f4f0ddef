//! What fills workgroup memory: one value, or a copy, row by row.

use bytemuck::Zeroable;
use gridwright_core::KernelArg;

use super::team::{GroupShape, Team};
use crate::Matrix;

/// # Safety
/// Only this group accesses the elements.
#[inline(always)]
pub(crate) unsafe fn fill<S: GroupShape, T: KernelArg>(_: &Team<'_, S>, to: *mut [T], value: T) {
    // SAFETY: the caller's contract.
    unsafe { &mut *to }.fill(value);
}

/// # Safety
/// `to` is the first of `len` elements that only this group accesses.
#[inline(always)]
pub(crate) unsafe fn load<S: GroupShape, T: KernelArg>(
    _: &Team<'_, S>,
    to: *mut T,
    len: usize,
    from: &[T],
    start: usize,
) {
    let from = from.get(start..).unwrap_or_default();
    let count = from.len().min(len);
    // SAFETY: the caller's contract; `from` has at least `count` elements.
    unsafe {
        to.copy_from_nonoverlapping(from.as_ptr(), count);
        for at in count..len {
            to.add(at).write(Zeroable::zeroed());
        }
    }
}

/// # Safety
/// `to` is the first of `M` rows of `N` elements that only this group accesses.
#[inline(always)]
pub(crate) unsafe fn load_tile<S: GroupShape, T: KernelArg, const N: usize, const M: usize>(
    team: &Team<'_, S>,
    to: *mut T,
    from: &Matrix<T>,
    row: usize,
    col: usize,
) {
    let inside = |at: usize, count: usize, of: usize| at.checked_add(count).is_some_and(|end| end <= of);
    if !(inside(row, M, from.rows()) && inside(col, N, from.cols())) {
        // SAFETY: the caller's contract.
        return unsafe { load_edge::<S, T, N, M>(team, to, from, row, col) };
    }
    for y in 0..M {
        // SAFETY: the caller's contract; the tile was just seen to be inside.
        unsafe { to.add(y * N).copy_from_nonoverlapping(from.at(row + y, col), N) };
    }
}

/// # Safety
/// As for `load_tile`.
#[inline(never)]
unsafe fn load_edge<S: GroupShape, T: KernelArg, const N: usize, const M: usize>(
    _: &Team<'_, S>,
    to: *mut T,
    from: &Matrix<T>,
    row: usize,
    col: usize,
) {
    for y in 0..M {
        for x in 0..N {
            let value = from.get_or(row.saturating_add(y), col.saturating_add(x), Zeroable::zeroed());
            // SAFETY: the caller's contract.
            unsafe { to.add(y * N + x).write(value) };
        }
    }
}
