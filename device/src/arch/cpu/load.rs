//! What fills workgroup memory: one value, or a copy, row by row.

use bytemuck::Zeroable;
use gridwright_core::KernelArg;

use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::isa::by_isa;
use super::{Rect, prefetch};
use crate::Matrix;

/// # Safety
/// Only this group accesses the elements.
#[inline(always)]
pub(crate) unsafe fn fill<S: GroupShape, T: KernelArg>(_: &GroupContext<'_, S>, to: *mut [T], value: T) {
    // SAFETY: only this group, one OS thread, accesses the elements, as this function asks; any bits are a value.
    unsafe { &mut *to }.fill(value);
}

/// # Safety
/// `to` is the first of `M` rows of `N` elements that only this group accesses.
#[inline(always)]
pub(crate) unsafe fn fill_with<S: GroupShape, T: KernelArg, const N: usize, const M: usize>(
    _: &GroupContext<'_, S>,
    to: *mut T,
    value: impl Fn(usize, usize) -> T,
) {
    for row in 0..M {
        for col in 0..N {
            // SAFETY: the place is among `M` rows of `N` elements that only this group accesses, as this function asks.
            unsafe { to.add(row * N + col).write(value(row, col)) };
        }
    }
}

/// # Safety
/// `to` is the first of `len` elements that only this group accesses.
#[inline(always)]
pub(crate) unsafe fn load<S: GroupShape, T: KernelArg>(
    _: &GroupContext<'_, S>,
    to: *mut T,
    len: usize,
    from: &[T],
    start: usize,
) {
    // Where it begins before the first element, so many places of `to` are before it.
    let before = start.wrapping_neg();
    let (before, from) =
        if before < len { (before, from) } else { (0, from.get(start..).unwrap_or_default()) };
    let count = from.len().min(len - before);
    // SAFETY: `before + count` is at most `len`, and so many elements are this group's alone, as this function asks. `from` has at
    // least `count` elements, which are borrowed, so that they lie elsewhere.
    unsafe {
        for at in 0..before {
            to.add(at).write(Zeroable::zeroed());
        }
        to.add(before).copy_from_nonoverlapping(from.as_ptr(), count);
        for at in before + count..len {
            to.add(at).write(Zeroable::zeroed());
        }
    }
}

/// # Safety
/// `to` is the first of `M` rows of `N` elements that only this group accesses, of which `COLS`, no more, are written.
#[inline(always)]
pub(crate) unsafe fn load_tile<
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
    let inside = |at: usize, count: usize, of: usize| at.checked_add(count).is_some_and(|end| end <= of);
    if !(inside(row, M, from.rows()) && inside(col, COLS, from.cols())) {
        // SAFETY: `to` is the first of `M` rows of `N` elements of this group's alone, as this function asks.
        return unsafe { load_edge::<S, T, COLS, N, M>(context, to, from, row, col) };
    }
    let (from, stride) = (from.at(row, col), from.cols());
    prefetch::rectangle(from, stride, Rect { rows: 0..M, cols: 0..COLS });
    // SAFETY: `to` has `M` rows of `N` elements, as this function asks, and the tile was just seen to be inside; the shape exists,
    // so this machine has its instruction set.
    unsafe {
        by_isa!(
            S::ISA,
            copy_rows::<T, COLS, N, M>(to, from, stride),
            copy_rows_avx2::<T, COLS, N, M>(to, from, stride),
            copy_rows_avx2::<T, COLS, N, M>(to, from, stride)
        );
    }
}

/// # Safety
/// `to` is the first of `M` rows of `N` elements, and `from` of `M` rows of `COLS` that begin `stride` apart.
#[inline(always)]
unsafe fn copy_rows<T: Copy, const COLS: usize, const N: usize, const M: usize>(
    to: *mut T,
    from: *const T,
    stride: usize,
) {
    for y in 0..M {
        // SAFETY: `y` is below `M`, so both have that row, as this function asks; `COLS` is at most `N`, as `load_tile` asks, whose
        // matrix is borrowed, so that it lies elsewhere.
        unsafe { to.add(y * N).copy_from_nonoverlapping(from.add(y * stride), COLS) };
    }
}

/// # Safety
/// As for `copy_rows`, and this machine has AVX2.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
unsafe fn copy_rows_avx2<T: Copy, const COLS: usize, const N: usize, const M: usize>(
    to: *mut T,
    from: *const T,
    stride: usize,
) {
    // SAFETY: `to` and `from` have the rows that `copy_rows` asks for: this function asks for them, too.
    unsafe { copy_rows::<T, COLS, N, M>(to, from, stride) };
}

/// # Safety
/// As for `load_tile`.
#[inline(never)]
unsafe fn load_edge<S: GroupShape, T: KernelArg, const COLS: usize, const N: usize, const M: usize>(
    _: &GroupContext<'_, S>,
    to: *mut T,
    from: &Matrix<T>,
    row: usize,
    col: usize,
) {
    for y in 0..M {
        for x in 0..COLS {
            let value = from.get_or(row.wrapping_add(y), col.wrapping_add(x), Zeroable::zeroed());
            // SAFETY: `y` is below `M`, and `x` below `COLS`, which is at most `N`: `to` has the element, as this function asks.
            unsafe { to.add(y * N + x).write(value) };
        }
    }
}
