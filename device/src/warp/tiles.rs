use core::marker::PhantomData;

use gridwright_core::KernelArg;

use super::{WarpItems, WarpPlace};
use crate::Access;
use crate::arch::element;
use crate::per_thread::MatrixWindow;

/// A view of a group's tile of a matrix that gives each warp a tile of its own, of `ROWS` rows and `COLS` columns.
///
/// [`PerGroup::warp_tiles_mut`](crate::PerGroup::warp_tiles_mut) makes it, for [`Group::each_warp`](crate::Group::each_warp).
///
/// ```
/// # use gridwright::prelude::*;
/// # use gridwright::Accumulator;
/// fn clear_tiles<S: GroupShape>(g: &Group<'_, S>, mut c: PerGroup<'_, Matrix<f32>, Tiles<32, 32>>) {
///     g.each_warp(c.warp_tiles_mut::<16, 16>(), |w, mut tile| {
///         w.store_accumulator(&Accumulator::<f32, 16, 16>::filled(0.0), &mut tile, 0, 0);
///     });
/// }
/// ```
#[derive(Debug)]
pub struct WarpTiles<'a, T, const ROWS: usize, const COLS: usize> {
    pub(crate) pointer: *mut T,
    pub(crate) window: MatrixWindow,
    /// Columns and rows of the group's tile.
    pub(crate) tile: [usize; 2],
    pub(crate) _memory: PhantomData<&'a mut T>,
}

/// A tile of a matrix that a warp owns, as far as the matrix has it.
///
/// [`Warp::store_accumulator`](crate::Warp::store_accumulator) writes it.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::matrix::Accumulator;
/// use gridwright::warp::WarpTile;
///
/// /// Writes ones to a warp's tile.
/// fn ones<S: GroupShape>(w: &Warp<'_, S>, tile: &mut WarpTile<'_, f32>) {
///     w.store_accumulator(&Accumulator::<f32, 16, 16>::filled(1.0), tile, 0, 0);
/// }
/// ```
#[derive(Debug)]
pub struct WarpTile<'i, T> {
    pointer: *mut T,
    /// The window from the tile's first element on.
    window: MatrixWindow,
    /// Rows and columns of the tile.
    sizes: [usize; 2],
    turn: Turn,
    _memory: PhantomData<&'i mut T>,
}

/// The tile of the group's tiles that a warp has.
#[derive(Clone, Copy, Debug)]
struct Turn {
    number: usize,
    /// Number of tiles from one of a warp's tiles to its next: the number of warps.
    warps: usize,
    tiles: usize,
    /// Number of tiles in a row of tiles.
    across: usize,
}

impl<T> WarpTile<'_, T> {
    /// The row and the column of the matrix at which the tile begins. They may be outside the matrix.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 64)]
    /// fn find_origins(g: &Group, mut c: PerGroup<Matrix<f32>, Tiles<32, 16>>) {
    ///     g.each_warp(c.warp_tiles_mut::<16, 16>(), |_, tile| {
    ///         let [row, col] = tile.origin();
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn origin(&self) -> [usize; 2] {
        [self.window.row, self.window.col]
    }

    /// Goes on to the warp's next tile, or returns `false` if the warp has no more tiles.
    ///
    /// Where the group has more tiles than warps, each warp has several. Warps have more threads on some GPUs, so a
    /// kernel for all of them calls this in a loop.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright::Accumulator;
    /// #[gpu_kernel(block = 64)]
    /// fn fill_with_ones(g: &Group, mut c: PerGroup<Matrix<f32>, Tiles<32, 16>>) {
    ///     g.each_warp(c.warp_tiles_mut::<16, 16>(), |w, mut tile| {
    ///         loop {
    ///             w.store_accumulator(&Accumulator::<f32, 16, 16>::filled(1.0), &mut tile, 0, 0);
    ///             if !tile.advance() {
    ///                 break;
    ///             }
    ///         }
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn advance(&mut self) -> bool {
        let Turn { number, warps, tiles, across } = self.turn;
        let next = number + warps;
        if next >= tiles {
            return false;
        }
        let [rows, cols] = self.sizes;
        let MatrixWindow { row, col, .. } = &mut self.window;
        // A place is as far behind the group's tile as before, with the new number's row and column of tiles.
        *row = (*row - number / across * rows).saturating_add(next / across * rows);
        *col = (*col - number % across * cols).saturating_add(next % across * cols);
        self.turn.number = next;
        true
    }

    /// Rows and columns of the tile.
    #[inline(always)]
    pub(crate) fn sizes(&self) -> [usize; 2] {
        self.sizes
    }

    /// A pointer to an element of the tile, if the matrix has it.
    #[inline(always)]
    pub(crate) fn element(&mut self, row: usize, col: usize) -> Option<*mut T> {
        let MatrixWindow { rows, cols, row: first, col: left } = self.window;
        let (row, col) = (first.saturating_add(row), left.saturating_add(col));
        let inside = (row < rows) & (col < cols);
        inside.then(|| self.pointer.wrapping_add(element(row, cols, col)))
    }
}

/// A tile of a warp, before it is lent.
#[derive(Debug)]
pub struct TilePart<T> {
    pointer: *mut T,
    window: MatrixWindow,
    turn: Turn,
}

// SAFETY: warps have different numbers, below that of warps, and their next tiles numbers that are as many further on: no tile
// has two.
unsafe impl<T: KernelArg, const ROWS: usize, const COLS: usize> WarpItems for WarpTiles<'_, T, ROWS, COLS> {
    type Item<'i> = WarpTile<'i, T>;
    type Part = TilePart<T>;
    const ACCESS: Access = Access::WriteGlobal;

    #[inline(always)]
    fn check(&self, _: usize, warps: usize) {
        const { assert!(ROWS > 0 && COLS > 0, "tiles of no rows or columns") };
        let [cols, rows] = self.tile;
        if !(cols.is_multiple_of(COLS) & rows.is_multiple_of(ROWS) & (warps <= (cols / COLS) * (rows / ROWS)))
        {
            too_few_tiles(self.tile, [COLS, ROWS], warps);
        }
    }

    #[inline(always)]
    unsafe fn part(&mut self, warp: WarpPlace) -> TilePart<T> {
        let [cols, rows] = self.tile;
        let across = cols / COLS;
        let MatrixWindow { row, col, .. } = self.window;
        let (row, col) =
            (row.saturating_add(warp.index / across * ROWS), col.saturating_add(warp.index % across * COLS));
        let turn = Turn { number: warp.index, warps: warp.warps, tiles: across * (rows / ROWS), across };
        TilePart { pointer: self.pointer, window: MatrixWindow { row, col, ..self.window }, turn }
    }

    #[inline(always)]
    unsafe fn lend<'i>(part: &'i mut TilePart<T>) -> WarpTile<'i, T> {
        WarpTile {
            pointer: part.pointer,
            window: part.window,
            turn: part.turn,
            sizes: [ROWS, COLS],
            _memory: PhantomData,
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn too_few_tiles([cols, rows]: [usize; 2], [warp_cols, warp_rows]: [usize; 2], warps: usize) -> ! {
    panic!(
        "a tile of {rows} rows and {cols} columns was handed to {warps} warps, {warp_rows} rows and {warp_cols} columns to each"
    )
}
