use gridwright_core::{ByValue, KernelArg, RawMatrix, RawParts, RawPlaced, RawSlice, RawVolume, ReadSlice};

use super::thread_view::Anywhere;
use super::{LaunchId, Rect, prefetch};
use crate::atomic::{AtomicElement, AtomicSlice};
use crate::per_group::{GroupMap, GroupMatrix, GroupSlice, GroupTiles, GroupWindow, OriginMap};
use crate::per_thread::{MatrixWindow, OwnAnywhere, OwnMap, OwnMatrix, OwnSlice, SliceWindow};
use crate::placed::{GroupAt, GroupPlaced, PlacedTiles, Placement};
use crate::segments::{GroupSegments, ReadSegments};
use crate::volume::ReadVolume;
use crate::{Atomic, Matrix, PerGroup, PerThread, ReadMatrix, Segments, Volume};

/// How a passing becomes a parameter of a group's body, on the CPU.
///
/// # Safety
/// What an item gives a group's threads to write is the group's own.
#[diagnostic::on_unimplemented(
    message = "a parameter of this type can't be passed to a group's kernel",
    label = "`{Self}` is none of its parameters",
    note = "raw pointers are for kernels that are an `unsafe fn`"
)]
pub unsafe trait GroupView {
    /// What crosses from the host for a parameter.
    type Raw: Copy;
    /// What is kept while the body runs.
    type Held;
    /// The parameter that the group gets.
    type GroupItem<'k>;

    /// What is kept for a group.
    ///
    /// # Safety
    /// `raw` points at live memory that has its kind of access while the body runs.
    unsafe fn of_group(raw: &Self::Raw, place: &GroupPlace) -> Self::Held;

    /// The parameter, of what is kept.
    ///
    /// # Safety
    /// Once for each group; `held` outlives 'k.
    unsafe fn group_item<'k>(held: &Self::Held) -> Self::GroupItem<'k>;
}

/// Place of a group, as far as its parameters ask.
#[derive(Clone, Copy, Debug)]
pub struct GroupPlace {
    pub(super) group: usize,
    /// The column of the group's first thread, in one dimension its index.
    pub(super) first: usize,
    /// Threads in a row.
    pub(super) cols: usize,
    /// The row of the group's first thread, and how many rows the group has.
    pub(super) row: usize,
    pub(super) rows: usize,
    /// Columns of the launch.
    pub(super) launch_cols: usize,
    pub(super) launch: LaunchId,
}

// SAFETY: a value is nobody's.
unsafe impl<T: KernelArg> GroupView for ByValue<T> {
    type Raw = T;
    type Held = T;
    type GroupItem<'k> = T;

    #[inline(always)]
    unsafe fn of_group(raw: &T, _: &GroupPlace) -> T {
        *raw
    }

    #[inline(always)]
    unsafe fn group_item<'k>(held: &T) -> Self::GroupItem<'k> {
        *held
    }
}

// SAFETY: it is only read.
unsafe impl<T: KernelArg> GroupView for ReadSlice<T> {
    type Raw = RawSlice<T>;
    type Held = RawSlice<T>;
    type GroupItem<'k> = &'k [T];

    #[inline(always)]
    unsafe fn of_group(raw: &RawSlice<T>, _: &GroupPlace) -> RawSlice<T> {
        *raw
    }

    #[inline(always)]
    unsafe fn group_item<'k>(held: &RawSlice<T>) -> &'k [T] {
        // SAFETY: the elements are live, and nobody writes them while the body runs, as `of_group` asks.
        unsafe { core::slice::from_raw_parts(held.pointer, held.len) }
    }
}

// SAFETY: it is only read.
unsafe impl<T: KernelArg> GroupView for ReadMatrix<T> {
    type Raw = RawMatrix<T>;
    type Held = Matrix<T>;
    type GroupItem<'k> = &'k Matrix<T>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawMatrix<T>, _: &GroupPlace) -> Matrix<T> {
        // SAFETY: there are `rows * cols` live elements, which nobody writes while the body runs, as this function asks.
        unsafe { Matrix::from_raw(raw.pointer, raw.rows, raw.cols) }
    }

    #[inline(always)]
    unsafe fn group_item<'k>(held: &Matrix<T>) -> &'k Matrix<T> {
        let pointer: *const _ = held;
        // SAFETY: the matrix outlives 'k, as this function asks, and nobody changes it.
        unsafe { &*pointer }
    }
}

// SAFETY: it is only read.
unsafe impl<T: KernelArg> GroupView for ReadVolume<T> {
    type Raw = RawVolume<T>;
    type Held = Volume<T>;
    type GroupItem<'k> = &'k Volume<T>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawVolume<T>, _: &GroupPlace) -> Volume<T> {
        // SAFETY: there are `planes * rows * cols` live elements, which nobody writes while the body runs, as this function asks.
        unsafe { Volume::from_raw(raw.pointer, [raw.planes, raw.rows, raw.cols]) }
    }

    #[inline(always)]
    unsafe fn group_item<'k>(held: &Volume<T>) -> &'k Volume<T> {
        let pointer: *const _ = held;
        // SAFETY: the volume outlives 'k, as this function asks, and nobody changes it.
        unsafe { &*pointer }
    }
}

// SAFETY: it is only read.
unsafe impl<T: KernelArg> GroupView for ReadSegments<T> {
    type Raw = RawParts<T>;
    type Held = Segments<T>;
    type GroupItem<'k> = &'k Segments<T>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawParts<T>, _: &GroupPlace) -> Segments<T> {
        // SAFETY: nobody writes the slice or the offsets while the body runs, as this function asks; the host saw that the offsets
        // ascend, and end in the slice.
        unsafe { Segments::from_raw(raw.pointer, raw.indices, raw.count) }
    }

    #[inline(always)]
    unsafe fn group_item<'k>(held: &Segments<T>) -> &'k Segments<T> {
        let pointer: *const _ = held;
        // SAFETY: the segments outlive 'k, as this function asks, and nobody changes them.
        unsafe { &*pointer }
    }
}

// SAFETY: updates are atomic.
unsafe impl<T: AtomicElement> GroupView for AtomicSlice<T> {
    type Raw = RawSlice<T>;
    type Held = RawSlice<T>;
    type GroupItem<'k> = Atomic<'k, [T]>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawSlice<T>, _: &GroupPlace) -> RawSlice<T> {
        *raw
    }

    #[inline(always)]
    unsafe fn group_item<'k>(held: &RawSlice<T>) -> Atomic<'k, [T]> {
        // SAFETY: the elements are live, and the launch's threads access them atomically only, as `of_group` asks.
        unsafe { Atomic::from_raw(held.pointer, held.len) }
    }
}

// SAFETY: the window is the part that the group's threads own, in a launch of one dimension.
unsafe impl<T: KernelArg> GroupView for OwnSlice<T> {
    type Raw = RawSlice<T>;
    type Held = (*mut T, SliceWindow, LaunchId);
    type GroupItem<'k> = PerThread<'k, [T]>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawSlice<T>, place: &GroupPlace) -> Self::Held {
        let start = place.first.min(raw.len);
        let owned = place.cols.min(raw.len - start);
        let window = SliceWindow { start: place.first, owned, len: raw.len };
        (raw.pointer.wrapping_add(start), window, place.launch)
    }

    #[inline(always)]
    unsafe fn group_item<'k>(&(pointer, window, launch): &Self::Held) -> PerThread<'k, [T]> {
        // SAFETY: the window is this group's own.
        unsafe { PerThread::from_raw(pointer, window, launch) }
    }
}

// SAFETY: a thread's row and column are its own in a launch of up to two dimensions.
unsafe impl<T: KernelArg> GroupView for OwnMatrix<T> {
    type Raw = RawMatrix<T>;
    type Held = (RawMatrix<T>, LaunchId);
    type GroupItem<'k> = PerThread<'k, Matrix<T>>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawMatrix<T>, place: &GroupPlace) -> Self::Held {
        if place.rows > 1 {
            let rows = place.row..raw.rows.min(place.row + place.rows);
            let cols = place.first..raw.cols.min(place.first + place.cols);
            prefetch::rectangle(raw.pointer, raw.cols, Rect { rows, cols });
        }
        (*raw, place.launch)
    }

    #[inline(always)]
    unsafe fn group_item<'k>(&(held, launch): &Self::Held) -> PerThread<'k, Matrix<T>> {
        let window = MatrixWindow { row: 0, col: 0, rows: held.rows, cols: held.cols };
        // SAFETY: it gives threads their own elements only.
        unsafe { PerThread::from_raw(held.pointer, window, launch) }
    }
}

// SAFETY: the map gives threads elements of their own.
unsafe impl<S: ?Sized + Anywhere + 'static, M: OwnMap<S> + 'static> GroupView for OwnAnywhere<S, M> {
    type Raw = S::Raw;
    type Held = (*mut S::Element, S::Window, LaunchId);
    type GroupItem<'k> = PerThread<'k, S, M>;

    #[inline(always)]
    unsafe fn of_group(raw: &S::Raw, place: &GroupPlace) -> Self::Held {
        let (pointer, window) = S::whole(raw, place.launch_cols);
        (pointer, window, place.launch)
    }

    #[inline(always)]
    unsafe fn group_item<'k>(&(pointer, window, launch): &Self::Held) -> PerThread<'k, S, M> {
        // SAFETY: it gives threads their own elements only.
        unsafe { PerThread::from_raw(pointer, window, launch) }
    }
}

// SAFETY: a group's index is its own in every launch.
unsafe impl<T: KernelArg> GroupView for GroupSlice<T> {
    type Raw = RawSlice<T>;
    type Held = (*mut T, GroupWindow, LaunchId);
    type GroupItem<'k> = PerGroup<'k, [T]>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawSlice<T>, place: &GroupPlace) -> Self::Held {
        (raw.pointer, GroupWindow { group: place.group, len: raw.len }, place.launch)
    }

    #[inline(always)]
    unsafe fn group_item<'k>(&(pointer, window, launch): &Self::Held) -> PerGroup<'k, [T]> {
        // SAFETY: it gives this group's element only.
        unsafe { PerGroup::from_raw(pointer, window, launch) }
    }
}

// SAFETY: a group's threads have rows and columns of their own in a launch of up to two dimensions.
unsafe impl<T: KernelArg> GroupView for GroupMatrix<T> {
    type Raw = RawMatrix<T>;
    type Held = (RawMatrix<T>, LaunchId);
    type GroupItem<'k> = PerGroup<'k, Matrix<T>>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawMatrix<T>, place: &GroupPlace) -> Self::Held {
        (*raw, place.launch)
    }

    #[inline(always)]
    unsafe fn group_item<'k>(&(held, launch): &Self::Held) -> PerGroup<'k, Matrix<T>> {
        let window = MatrixWindow { row: 0, col: 0, rows: held.rows, cols: held.cols };
        // SAFETY: it gives this group's tile only.
        unsafe { PerGroup::from_raw(held.pointer, window, launch) }
    }
}

// SAFETY: a group's column and row in the grid are its own in a launch of up to two dimensions.
unsafe impl<T, M> GroupView for GroupTiles<T, M>
where
    T: KernelArg,
    M: OriginMap + GroupMap<Matrix<T>, Place = ()> + 'static,
{
    type Raw = RawMatrix<T>;
    type Held = (*mut T, MatrixWindow, LaunchId);
    type GroupItem<'k> = PerGroup<'k, Matrix<T>, M>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawMatrix<T>, place: &GroupPlace) -> Self::Held {
        // Launches of groups are of whole ones.
        let across = place.launch_cols / place.cols;
        let [row, col] = M::origin([place.group % across, place.group / across, 0], [across, 1]);
        (raw.pointer, MatrixWindow { row, col, rows: raw.rows, cols: raw.cols }, place.launch)
    }

    #[inline(always)]
    unsafe fn group_item<'k>(&(pointer, window, launch): &Self::Held) -> PerGroup<'k, Matrix<T>, M> {
        // SAFETY: it gives this group's tile only.
        unsafe { PerGroup::from_raw(pointer, window, launch) }
    }
}

// SAFETY: a group's index is its own in every launch, and segments don't overlap.
unsafe impl<T: KernelArg> GroupView for GroupSegments<T> {
    type Raw = RawParts<T>;
    type Held = (RawParts<T>, usize, LaunchId);
    type GroupItem<'k> = PerGroup<'k, Segments<T>>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawParts<T>, place: &GroupPlace) -> Self::Held {
        (*raw, place.group, place.launch)
    }

    #[inline(always)]
    unsafe fn group_item<'k>(&(raw, group, launch): &Self::Held) -> PerGroup<'k, Segments<T>> {
        // SAFETY: it gives this group's segment only.
        unsafe { PerGroup::<Segments<T>>::of_group(&raw, group, launch) }
    }
}

// SAFETY: a placement gives groups tiles of their own in a launch of up to two dimensions.
unsafe impl<T: KernelArg, const ROWS: usize, const COLS: usize, P: Placement> GroupView
    for GroupPlaced<T, PlacedTiles<ROWS, COLS, P>>
{
    type Raw = RawPlaced<T>;
    type Held = (RawPlaced<T>, GroupAt, LaunchId);
    type GroupItem<'k> = PerGroup<'k, Matrix<T>, PlacedTiles<ROWS, COLS, P>>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawPlaced<T>, place: &GroupPlace) -> Self::Held {
        // Launches of groups are of whole ones.
        let across = place.launch_cols / place.cols;
        let at = GroupAt { index: place.group, col: place.group % across, row: place.group / across };
        (*raw, at, place.launch)
    }

    #[inline(always)]
    unsafe fn group_item<'k>(&(raw, at, launch): &Self::Held) -> Self::GroupItem<'k> {
        // SAFETY: it gives this group's tile only.
        unsafe { PerGroup::<Matrix<T>, PlacedTiles<ROWS, COLS, P>>::of_group(&raw, at, launch) }
    }
}
