//! Elements that threads read and write where they are, which the CPU copies into the order of its loops.

use gridwright_core::KernelArg;

use super::FirstElement;
use super::group_context::{GroupContext, GroupShape};
use super::pointer::{Readable, readable, readable_pointer};
use crate::Keep;
use crate::per_thread::SliceWindow;

/// Elements that a group's threads read, each its own: it was loaded when they were asked for, and is in registers in every phase.
#[derive(Clone, Copy, Debug)]
pub struct DeinterleavedWords<'g, T> {
    elements: &'g [T],
    start: FirstElement,
    /// This thread's number in the group.
    number: usize,
    /// The element of that number.
    own: Option<T>,
}

/// The argument of a phase with such elements.
pub type DeinterleavedPlace<'a, T> = Readable<'a, DeinterleavedWords<'a, T>>;

impl<'g, T: KernelArg> DeinterleavedWords<'g, T> {
    #[inline(always)]
    pub(crate) fn new<'k, S: GroupShape>(
        context: &GroupContext<'k, S>,
        elements: &'g [T],
        start: FirstElement,
    ) -> Self
    where
        'k: 'g,
    {
        let number = context.number() as usize;
        Self { elements, start, number, own: start.of_thread(elements, number) }
    }

    #[inline(always)]
    pub(crate) fn place(&self) -> DeinterleavedPlace<'_, T> {
        // SAFETY: nobody writes what is borrowed to be read.
        unsafe { readable(self) }
    }

    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        0
    }

    #[inline(always)]
    pub(crate) fn check(&self, _: usize) {}

    /// The element of the thread of a number, if there is one.
    ///
    /// # Safety
    /// The argument is that of elements that live.
    #[inline(always)]
    pub(crate) unsafe fn element(
        place: &DeinterleavedPlace<'_, T>,
        _: usize,
        _: usize,
        number: usize,
    ) -> Option<T> {
        // SAFETY: they live, as this function asks, and nobody writes them.
        let DeinterleavedWords { elements, start, number: own_number, own } =
            unsafe { *readable_pointer(place) };
        // In a phase of a warp threads have other numbers.
        if number == own_number { own } else { start.of_thread(elements, number) }
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
