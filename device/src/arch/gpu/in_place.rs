//! Elements that threads read and write where they are, which the CPU copies into the order of its loops.

use gridwright_core::KernelArg;

use super::group_context::{GroupContext, GroupShape};
use crate::Keep;
use crate::per_thread::SliceWindow;

/// Elements that a group's threads read where they are, in one access each.
#[derive(Clone, Copy, Debug)]
pub struct DeinterleavedWords<'g, T>(&'g [T]);

impl<'g, T: KernelArg> DeinterleavedWords<'g, T> {
    #[inline(always)]
    pub(crate) fn new<'k, S: GroupShape>(_: &GroupContext<'k, S>, elements: &'g [T]) -> Self
    where
        'k: 'g,
    {
        Self(elements)
    }

    /// A pointer to the elements, and how many there are.
    #[inline(always)]
    pub(crate) fn place(&self) -> (*const T, usize) {
        (self.0.as_ptr(), self.0.len())
    }

    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        0
    }

    #[inline(always)]
    pub(crate) fn check(&self, _: usize) {}

    /// # Safety
    /// There is one of that number.
    #[inline(always)]
    pub(crate) unsafe fn element(first: *const T, _: usize, number: usize) -> T {
        // SAFETY: there is an element of that number, as this function asks; nobody writes what is borrowed to be read.
        unsafe { *first.add(number) }
    }
}

/// Whether copies are made of tiles of such elements, with columns as rows: never.
pub(crate) const fn is_transposed<T>() -> bool {
    false
}

/// The tile itself, of which there is no copy.
///
/// # Safety
/// Nobody writes the tile meanwhile. It has a row for each column of the group, and a column for each row.
#[inline(always)]
pub(crate) unsafe fn transposed<S: GroupShape, T, const N: usize, const M: usize>(
    _: &GroupContext<'_, S>,
    tile: *const [[T; N]; M],
) -> (*const [[T; N]; M], ()) {
    (tile, ())
}

/// Whether a phase keeps its results until it ends: never.
#[inline(always)]
pub(crate) fn keeps_new<T, const DEINTERLEAVED: bool>(_: &SliceWindow, _: usize) -> bool {
    false
}

/// Where a phase writes its results: the pointer and the window that are given. No words are apart, and nothing is written back.
///
/// # Safety
/// From `pointer` on there are the elements that the window has. The phase owns them exclusively.
#[inline(always)]
pub(crate) unsafe fn keep_new<'g, S: GroupShape, T: KernelArg, const DEINTERLEAVED: bool>(
    _: &GroupContext<'g, S>,
    pointer: *mut T,
    window: SliceWindow,
) -> (*mut T, SliceWindow, usize, impl Keep + use<'g, S, T, DEINTERLEAVED>) {
    (pointer, window, 0, ())
}

/// Writes a result.
///
/// # Safety
/// `first` is what [`keep_new`] gave. The window that it gave has the position, which nobody else writes.
#[inline(always)]
pub(crate) unsafe fn store_new<T: KernelArg, const DEINTERLEAVED: bool>(
    element: T,
    first: *mut T,
    _: usize,
    position: usize,
) {
    // SAFETY: the element is inside, and this thread's own, as this function asks.
    unsafe { *first.add(position) = element };
}
