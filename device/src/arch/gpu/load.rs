//! What fills workgroup memory, one value or a copy, in which all threads take part, neighbours side by side.

use bytemuck::Zeroable;
use gridwright_core::KernelArg;

use super::group_context::{GroupContext, GroupShape};
use crate::Matrix;

/// # Safety
/// Only this group accesses the elements.
#[inline(always)]
pub(crate) unsafe fn fill<S: GroupShape, T: KernelArg>(
    context: &GroupContext<'_, S>,
    to: *mut [T],
    value: T,
) {
    let mut at = context.number() as usize;
    while at < to.len() {
        // SAFETY: only this group accesses the elements, as this function asks; each thread writes its own, all of them inside.
        unsafe { to.cast::<T>().add(at).write(value) };
        at += context.threads();
    }
}

/// # Safety
/// `to` is the first of `M` rows of `N` elements that only this group accesses.
#[inline(always)]
pub(crate) unsafe fn fill_with<S: GroupShape, T: KernelArg, const N: usize, const M: usize>(
    context: &GroupContext<'_, S>,
    to: *mut T,
    value: impl Fn(usize, usize) -> T,
) {
    let mut at = context.number() as usize;
    while at < N * M {
        // SAFETY: only this group accesses the elements, as this function asks; each thread writes its own, all of them inside.
        unsafe { to.add(at).write(value(at / N, at % N)) };
        at += context.threads();
    }
}

/// # Safety
/// `to` is the first of `len` elements that only this group accesses.
#[inline(always)]
pub(crate) unsafe fn load<S: GroupShape, T: KernelArg>(
    context: &GroupContext<'_, S>,
    to: *mut T,
    len: usize,
    from: &[T],
    start: usize,
) {
    let mut at = context.number() as usize;
    while at < len {
        // Not by `Option`s of references: a null pointer would be looked for.
        let from_at = start.wrapping_add(at);
        let value = if from_at < from.len() { from[from_at] } else { Zeroable::zeroed() };
        // SAFETY: only this group accesses the elements, as this function asks; each thread writes its own, all of them inside.
        unsafe { to.add(at).write(value) };
        at += context.threads();
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
    if let Some([x, y]) = context.place_in_block_of(COLS, M) {
        let value = from.get_or(row.wrapping_add(y), col.wrapping_add(x), Zeroable::zeroed());
        // SAFETY: only this group accesses the elements, as this function asks; each thread writes the one at its column and row.
        return unsafe { to.add(y * N + x).write(value) };
    }
    let mut at = context.number() as usize;
    while at < COLS * M {
        let (y, x) = (at / COLS, at % COLS);
        let value = from.get_or(row.wrapping_add(y), col.wrapping_add(x), Zeroable::zeroed());
        // SAFETY: only this group accesses the elements, as this function asks; each thread writes its own, all of them inside.
        unsafe { to.add(if COLS == N { at } else { y * N + x }).write(value) };
        at += context.threads();
    }
}

/// Memory that the phase after the next one may read: none is fetched before a thread asks for it.
#[derive(Clone, Copy, Debug)]
pub struct Ahead;

impl Ahead {
    pub(crate) const NOTHING: Self = Self;

    #[inline(always)]
    pub(crate) fn of<T>(_: *const [T], _: usize) -> Self {
        Self
    }
}

/// Elements that a later phase may read: while a warp waits for its own, others run.
#[inline(always)]
pub(crate) fn read_ahead<T>(_: *const [T], _: usize) {}
