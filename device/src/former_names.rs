//! Names of the version before, which call those of today. They go in the next version.
//!
//! *Each* is a word of levels, which call a closure for each thread, warp, tile or group. What a view hands to threads are elements.

use gridwright_core::KernelArg;

use crate::element::ArrayElement;
use crate::per_group::{GroupMap, TileMap};
use crate::per_thread::{OwnMap, OwnShape};
use crate::views::{
    Elements, ElementsMut, InnerMut, Linear, NewMut, OfGroup, OwnMut, Patch, Patches, ReadElements, ReadTile,
    Slots,
};
use crate::warp::{LaneCount, LaneTile, WarpChunks, WarpRow, WarpRows, WarpTiles};
use crate::{
    GridMemory, GridStride, Matrix, PerGroup, PerThread, RowPart, Rows, Segments, Workgroup, WorkgroupMut,
};

/// Methods that were called otherwise: `former => today`.
macro_rules! former {
    ($([$($generics:tt)*] $type:ty {
        $($former:ident, $note:literal => $today:ident [$($of:tt)*]($this:ident: $own:ty $(, $argument:ident: $argument_type:ty)*) $(-> $result:ty)?;)*
    })*) => {$(
        impl<$($generics)*> $type {$(
            #[doc(hidden)]
            #[deprecated(note = $note)]
            #[inline(always)]
            pub fn $former<$($of)*>($this: $own $(, $argument: $argument_type)*) $(-> $result)? {
                $this.$today($($argument),*)
            }
        )*}
    )*};
}

former! {
    ['k, S: ?Sized + Slots] Workgroup<'k, S> {
        each, "it is called `elements` now" => elements [](self: &Self) -> Elements<'_, S>;
        each_mut, "it is called `elements_mut` now" => elements_mut [](self: &mut Self) -> ElementsMut<'_, S>;
    }
    ['k, S: ?Sized + Slots] Workgroup<'k, S> {
        each_warp_mut, "it is called `warp_chunks_mut` now" => warp_chunks_mut [](self: &mut Self, len: usize) -> WarpChunks<'_, S::Element>;
    }
    ['a, T: KernelArg] WorkgroupMut<'a, T> {
        each, "it is called `elements` now" => elements [](self: Self) -> Elements<'a, [T]>;
        each_mut, "it is called `elements_mut` now" => elements_mut [](self: Self) -> ElementsMut<'a, [T]>;
        each_warp_mut, "it is called `warp_chunks_mut` now" => warp_chunks_mut [](self: Self, len: usize) -> WarpChunks<'a, T>;
    }
    ['k, S: ?Sized + OwnShape + 'static, M: OwnMap<S>] PerThread<'k, S, M> {
        each_mut, "it is called `elements_mut` now" => elements_mut [](self: &mut Self) -> OwnMut<'_, S, M>;
    }
    ['k, T: KernelArg] PerThread<'k, [T]> {
        each_new, "it is called `elements_new` now" => elements_new [](self: &mut Self) -> NewMut<'_, T>;
    }
    ['k, T: ArrayElement, const N: usize] PerGroup<'k, [[T; N]]> {
        each_mut, "it is called `elements_mut` now" => elements_mut [](self: &mut Self) -> OfGroup<ElementsMut<'_, [T; N]>>;
    }
    ['k, T: KernelArg] PerGroup<'k, Matrix<T>> {
        each_mut, "it is called `elements_mut` now" => elements_mut [](self: &mut Self) -> OfGroup<OwnMut<'_, Matrix<T>>>;
    }
    ['k, T: KernelArg, M: TileMap + GroupMap<Matrix<T>>] PerGroup<'k, Matrix<T>, M> {
        each_mut, "it is called `patches_mut` now" => patches_mut [const R: usize, const C: usize](self: &mut Self) -> Patches<'_, T, R, C>;
        each_inner_mut, "it is called `inner_elements_mut` now" => inner_elements_mut [](self: &mut Self, margin: usize) -> InnerMut<'_, T>;
        each_warp_mut, "it is called `warp_tiles_mut` now" => warp_tiles_mut [const ROWS: usize, const COLS: usize](self: &mut Self) -> WarpTiles<'_, T, ROWS, COLS>;
    }
    ['k, T: KernelArg, const N: usize] PerGroup<'k, Matrix<T>, Rows<N>> {
        each_warp_rows_mut, "it is called `warp_rows_mut` now" => warp_rows_mut [](self: &mut Self) -> WarpRows<'_, T>;
    }
    ['k, T: KernelArg] PerGroup<'k, Matrix<T>, Rows> {
        each_from_mut, "it is called `elements_from_mut` now" => elements_from_mut [](self: &mut Self, start: usize) -> RowPart<'_, T>;
    }
    ['k, T: KernelArg] PerGroup<'k, Segments<T>> {
        each_from_mut, "it is called `elements_from_mut` now" => elements_from_mut [](self: &mut Self, start: usize) -> RowPart<'_, T>;
    }
    ['i, T: KernelArg] WarpRow<'i, T> {
        each_from_mut, "it is called `elements_from_mut` now" => elements_from_mut [](self: &mut Self, start: usize) -> RowPart<'_, T, true>;
    }
    ['k, T: KernelArg] GridMemory<'k, [T]> {
        each_mut, "it is called `elements_mut` now" => elements_mut [](self: &mut Self) -> OfGroup<OwnMut<'_, [T]>>;
    }
    [T: KernelArg] Matrix<T> {
        each_from, "it is called `elements_from` now" => elements_from [](self: &Self, row: usize, col: usize) -> ReadTile<'_, T>;
        each_of_row, "it is called `elements_of_row` now" => elements_of_row [](self: &Self, row: usize, col: usize) -> ReadTile<'_, T>;
    }
    ['i, T] GridStride<'i, T> {
        each, "it is called `for_each` now" => for_each [](self: Self, body: impl FnMut(usize, &mut T));
    }
    ['i, T, const R: usize, const C: usize] Patch<'i, T, R, C> {
        each, "it is called `for_each` now" => for_each [](self: Self, body: impl FnMut(usize, usize, &mut T));
    }
}

/// The view that is called [`Elements`] now.
#[doc(hidden)]
#[deprecated(note = "it is called `Elements` now")]
pub type Each<'a, S, M = Linear> = Elements<'a, S, M>;

/// The view that is called [`ElementsMut`] now.
#[doc(hidden)]
#[deprecated(note = "it is called `ElementsMut` now")]
pub type EachMut<'a, S, M = Linear> = ElementsMut<'a, S, M>;

/// The view that is called [`ReadElements`] now.
#[doc(hidden)]
#[deprecated(note = "it is called `ReadElements` now")]
pub type ReadEach<'a, T> = ReadElements<'a, T>;

/// The tile of a warp that is called [`LaneTile`] now: a *tile* alone is a rectangle of a matrix.
#[doc(hidden)]
#[deprecated(note = "it is called `LaneTile` now")]
pub type Tile<'w, S, const N: usize> = LaneTile<'w, S, N>;

/// The number of lanes that is called [`LaneCount`] now.
#[doc(hidden)]
#[deprecated(note = "it is called `LaneCount` now")]
pub type TileLanes<const N: usize> = LaneCount<N>;
