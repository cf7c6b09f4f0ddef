//! Copies from global to workgroup memory that the hardware makes by itself, where it can; else the threads make them.

use gridwright_core::KernelArg;

use super::group_context::{GroupContext, GroupShape};
use super::load::{load, load_tile};
use crate::Matrix;
use crate::arch::hardware;

/// Bytes that the hardware copies at once where it can.
pub(super) const WIDEST: usize = 16;

/// Rows of bytes in global memory.
struct Source {
    /// Pointer into that memory, if there is any of it.
    base: *const u8,
    /// Pointer to the first byte that is asked for, which need not be there.
    first: *const u8,
    /// Bytes from a row's first one to the next row's.
    pitch: usize,
    /// Which rows are there, and which bytes of each: the rest of what is asked for is zero.
    rows: Part,
    bytes: Part,
}

/// The part that is there of something that is asked for.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) before: usize,
    pub(super) len: usize,
}

impl Part {
    /// The part that is there of `wanted` ones from `start` on, where there are `len`. A start below zero is
    /// one in `usize`'s arithmetic.
    #[inline(always)]
    pub(super) fn of(start: usize, wanted: usize, len: usize) -> Self {
        let before = if start > isize::MAX as usize { start.wrapping_neg().min(wanted) } else { 0 };
        let first = start.wrapping_add(before).min(len);
        Self { before, len: (len - first).min(wanted - before) }
    }

    #[inline(always)]
    fn has(self, at: usize) -> bool {
        at.wrapping_sub(self.before) < self.len
    }

    #[inline(always)]
    fn times(self, size: usize) -> Self {
        Self { before: self.before * size, len: self.len * size }
    }
}

/// Rows of bytes in workgroup memory, which are all written.
struct Target {
    first: *mut u8,
    rows: usize,
    row_bytes: usize,
    /// Bytes from a row's first one to the next row's.
    pitch: usize,
}

/// # Safety
/// `to` is the first of `len` elements that only this group accesses, until the copies were waited for. Nobody writes
/// `from` until then.
#[inline(always)]
pub(crate) unsafe fn begin_load<S: GroupShape, T: KernelArg>(
    context: &GroupContext<'_, S>,
    to: *mut T,
    len: usize,
    from: &[T],
    start: usize,
) {
    let source = Source {
        base: from.as_ptr().cast(),
        first: from.as_ptr().wrapping_add(start).cast(),
        pitch: 0,
        rows: Part { before: 0, len: 1 },
        bytes: Part::of(start, len, from.len()).times(size_of::<T>()),
    };
    // SAFETY: only this group accesses the `len` elements until the copies were waited for, and nobody writes `from`, as this
    // function asks; of `from` the part that is there is read.
    unsafe {
        let row_bytes = len * size_of::<T>();
        let target = Target { first: to.cast(), rows: 1, row_bytes, pitch: row_bytes };
        if !begin::<S, T>(context, &target, &source) {
            load(context, to, len, from, start);
        }
    }
    hardware::commit_copies();
}

/// # Safety
/// `to` is the first of `M` rows of `N` elements that only this group accesses, until the copies were waited for, of which
/// `COLS`, no more, are written. Nobody writes `from` until then.
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
    let cols = from.cols();
    let first = row.wrapping_mul(cols).wrapping_add(col);
    let source = Source {
        base: from.at(0, 0).cast(),
        first: from.at(0, 0).wrapping_add(first).cast(),
        pitch: cols * size_of::<T>(),
        rows: Part::of(row, M, from.rows()),
        bytes: Part::of(col, COLS, cols).times(size_of::<T>()),
    };
    // SAFETY: only this group accesses the rows, no shorter than `COLS`, until the copies were waited for, and nobody writes
    // `from`, as this function asks; of `from` the part that is there is read.
    unsafe {
        let target =
            Target { first: to.cast(), rows: M, row_bytes: COLS * size_of::<T>(), pitch: N * size_of::<T>() };
        if !begin::<S, T>(context, &target, &source) {
            load_tile::<S, T, COLS, N, M>(context, to, from, row, col);
        }
    }
    hardware::commit_copies();
}

/// Has the hardware copy rows of bytes, or says that it can't.
///
/// # Safety
/// As for the above. The rows that there are, and as many bytes of each, can be read.
#[inline(always)]
unsafe fn begin<S: GroupShape, T>(context: &GroupContext<'_, S>, target: &Target, source: &Source) -> bool {
    // Memory that isn't global, such as an array of the thread's own, the hardware can't copy.
    if !hardware::copies_by_itself() || !hardware::is_global(source.base) {
        return false;
    }
    let places = target.first as usize
        | target.row_bytes
        | target.pitch
        | source.first as usize
        | source.pitch
        | source.bytes.before
        | source.bytes.len;
    // SAFETY: the rows can be read and written, as this function asks; elements lie at multiples of their alignment, and take a
    // multiple of it.
    unsafe {
        match align_of::<T>() {
            WIDEST.. => copy::<S, WIDEST>(context, target, source),
            _ if places % WIDEST == 0 => copy::<S, WIDEST>(context, target, source),
            4 => copy::<S, 4>(context, target, source),
            8 => copy::<S, 8>(context, target, source),
            _ => return false,
        }
    }
    true
}

/// # Safety
/// As for `begin`; what is copied, and where to, begins at multiples of `WIDTH` bytes, and so many there are.
#[inline(always)]
unsafe fn copy<S: GroupShape, const WIDTH: usize>(
    context: &GroupContext<'_, S>,
    target: &Target,
    source: &Source,
) {
    // Workgroup memory has fewer bytes than a `u32` counts.
    let pieces = (target.row_bytes / WIDTH) as u32;
    let all = pieces * target.rows as u32;
    let mut at = context.number();
    while at < all {
        // With one row there is nothing to divide.
        let (row, piece) = if target.rows == 1 { (0, at) } else { (at / pieces, at % pieces) };
        let offset = piece as usize * WIDTH;
        let is_there = source.rows.has(row as usize) & source.bytes.has(offset);
        // Nothing is read of what isn't there.
        let from = source.first.wrapping_add(row as usize * source.pitch).wrapping_add(offset);
        // Rows without room between them need no multiplication.
        let is_whole = target.pitch == target.row_bytes;
        let to = if is_whole { at as usize * WIDTH } else { row as usize * target.pitch + offset };
        // SAFETY: the piece is inside `target`, this thread's until it was waited for, and can be read if it is there; both places
        // are multiples of `WIDTH`, as this function asks.
        unsafe { hardware::copy::<WIDTH>(target.first.add(to), from, is_there) };
        at += context.threads() as u32;
    }
}

/// Waits until all copies that this thread began have ended, but for the last so many.
#[inline(always)]
pub(crate) fn wait_for_copies(but: u32) {
    hardware::wait_for_copies(but);
}
