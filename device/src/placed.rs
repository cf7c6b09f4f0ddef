//! Tiles of a matrix at places that the launch says.

use core::marker::PhantomData;

use gridwright_core::{Description, KernelArg, Layout, MatrixExtent, Param, RawMatrix, RawPlaced, Slot};

use crate::arch::{LaunchId, element};
use crate::per_group::{GroupMap, TileMap};
use crate::per_thread::MatrixWindow;
use crate::{Matrix, PerGroup, Tiles};

/// The map by which a group owns a tile of `ROWS` by `COLS` elements of a matrix at a place that the launch says.
///
/// Tiles are on a [`Diagonal`], from an [`Offset`] on, or [`Permuted`]. The map is for algorithms that go over a matrix
/// in several launches, each of which writes some tiles and reads what others hold: a wavefront of dynamic programming
/// goes along diagonals, a factorisation begins one tile further each time. [`unowned`](PerGroup::unowned) reads tiles
/// that the launch doesn't own.
///
/// The methods of [`Tiles`] are there too. A launch passes `matrix.tiles_on_diagonal(d)`, `matrix.tiles_from(row, col)` or
/// `matrix.tiles_by(&numbers)`, which count tiles.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// In how many ways a place is reached from the first one, by steps to the right and down: a tile by one group, which begins
/// /// with what is above and to the left.
/// #[gpu_kernel(block = (4, 4))]
/// fn ways(g: &Group, mut m: PerGroup<Matrix<u32>, PlacedTiles<4, 4, Diagonal>>, mut tile: Workgroup<[[u32; 5]; 5]>) {
///     let [row, col] = m.origin();
///     let before = (row.wrapping_sub(1), col.wrapping_sub(1));
///     g.fill_with(&mut tile, |r, c| {
///         let (row, col) = (before.0.wrapping_add(r), before.1.wrapping_add(c));
///         if r == 0 || c == 0 { m.unowned(row, col).unwrap_or(0) } else { 0 }
///     });
///     for diagonal in 0..7 {
///         g.each(tile.atomic(), |t, tile| {
///             let (r, c) = (t.local().y + 1, t.local().x + 1);
///             if t.local().x + t.local().y == diagonal {
///                 let sum = tile.read(t, (r - 1) * 5 + c) + tile.read(t, r * 5 + c - 1);
///                 let first = row + r == 1 && col + c == 1;
///                 tile.set(t, r * 5 + c, if first { 1 } else { sum });
///             }
///         });
///     }
///     g.each((m.patches_mut::<1, 1>(), tile.shared()), |t, (patch, tile)| {
///         patch.for_each(|_, _, m| *m = tile[t.local().y + 1][t.local().x + 1]);
///     });
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let mut m = stream.alloc_matrix_zeroed(8, 8)?;
/// let kernel = ways::load(&device)?;
/// for diagonal in 0..3 {
///     let groups = LaunchConfig::grid(2 - 1_usize.abs_diff(diagonal), (4, 4));
///     kernel.launch(&stream, groups, (m.tiles_on_diagonal(diagonal),))?;
/// }
/// assert_eq!(stream.download(&m)?[63], 3432);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// A tile's place that is made of `blockIdx` and of what the launch passes, as Rodinia's `needle` and `lud` do.
#[derive(Clone, Copy, Debug)]
pub struct PlacedTiles<const ROWS: usize, const COLS: usize, P>(PhantomData<P>);

/// The placement of [`PlacedTiles`] along a diagonal of tiles, from its upper right end to its lower left one.
///
/// The diagonal *d* is the tiles whose row and column of tiles add up to *d*. The launch's group *i* owns the *i*-th of
/// them. Groups beyond the last of them own nothing.
///
/// ```
/// # use gridwright::prelude::*;
/// # #[gpu_kernel(block = (8, 8))]
/// # fn ones(g: &Group, mut m: PerGroup<Matrix<u32>, PlacedTiles<8, 8, Diagonal>>) {
/// #     g.each(m.patches_mut::<1, 1>(), |_, patch| patch.for_each(|_, _, m| *m = 1));
/// # }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// let mut m = stream.alloc_matrix_zeroed(16, 16)?;
/// ones::load(&device)?.launch(&stream, LaunchConfig::grid(2, (8, 8)), (m.tiles_on_diagonal(1),))?;
/// assert_eq!(stream.download(&m)?[..16], [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Diagonal;

/// The placement of [`PlacedTiles`] in order, as [`Tiles`] are, but from a row and a column of tiles on.
///
/// ```
/// # use gridwright::prelude::*;
/// # #[gpu_kernel(block = (2, 2))]
/// # fn ones(g: &Group, mut m: PerGroup<Matrix<u32>, PlacedTiles<2, 2, Offset>>) {
/// #     g.each(m.patches_mut::<1, 1>(), |_, patch| patch.for_each(|_, _, m| *m = 1));
/// # }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// let mut m = stream.alloc_matrix_zeroed(4, 4)?;
/// ones::load(&device)?.launch(&stream, LaunchConfig::grid(1, (2, 2)), (m.tiles_from(1, 1),))?;
/// assert_eq!(stream.download(&m)?[8..], [0, 0, 1, 1, 0, 0, 1, 1]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Offset;

/// The placement of [`PlacedTiles`] by a list: group *i* owns the tile whose number is the *i*-th of the list.
///
/// Tiles are numbered row after row. The list is a `DistinctIndices`: the upload checked that no number is in it twice.
///
/// ```
/// # use gridwright::prelude::*;
/// # #[gpu_kernel(block = (2, 2))]
/// # fn number(g: &Group, mut m: PerGroup<Matrix<u32>, PlacedTiles<2, 2, Permuted>>) {
/// #     let number = g.index() as u32;
/// #     g.each(m.patches_mut::<1, 1>(), |_, patch| patch.for_each(|_, _, m| *m = number));
/// # }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// let mut m = stream.upload_matrix(2, 6, &[9; 12])?;
/// let order = stream.upload_distinct(&[2, 0])?;
/// number::load(&device)?.launch(&stream, LaunchConfig::grid(2, (2, 2)), (m.tiles_by(&order),))?;
/// assert_eq!(stream.download(&m)?[..6], [1, 1, 9, 9, 0, 0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Permuted;

/// The row and the column by which a launch places tiles.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct TilePlace {
    row: usize,
    col: usize,
}

/// A launch's list of the numbers of tiles.
#[derive(Clone, Copy, Debug)]
pub struct TileList {
    pub(crate) numbers: *const u32,
    pub(crate) count: usize,
}

/// Placements of tiles: [`Diagonal`], [`Offset`] or [`Permuted`].
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::ownership::Placement;
///
/// /// Zeroes a group's tile, wherever it is.
/// fn clear<S: GroupShape, P: Placement>(g: &Group<'_, S>, m: &mut PerGroup<'_, Matrix<f32>, PlacedTiles<16, 16, P>>) {
///     g.each(m.patches_mut::<1, 1>(), |_, patch| patch.for_each(|_, _, m| *m = 0.0));
/// }
/// ```
///
/// # Safety
/// Groups of a launch get different tiles, or none.
pub unsafe trait Placement: Send + Sync + 'static {
    #[doc(hidden)]
    const NAME: &'static str;

    /// The row and the column of tiles at which a group's tile is, or `None` if the group has no tile.
    ///
    /// # Safety
    /// The list has so many numbers, all different.
    #[doc(hidden)]
    unsafe fn tile(place: TilePlace, list: TileList, group: GroupAt, across: usize) -> Option<[usize; 2]>;
}

/// The place of a group in the launch: its index, and its column and row in the grid.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct GroupAt {
    pub(crate) index: usize,
    pub(crate) col: usize,
    pub(crate) row: usize,
}

/// Placements that tell of each tile whether a group of the launch may own the tile.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::ownership::{KnownPlacement, Placement};
///
/// /// The element above the group's tile, where no group of the launch owns it.
/// fn above<P: KnownPlacement>(m: &PerGroup<'_, Matrix<f32>, PlacedTiles<16, 16, P>>) -> Option<f32> {
///     let [row, col] = m.origin();
///     m.unowned(row.checked_sub(1)?, col)
/// }
/// ```
///
/// # Safety
/// A tile of which `may_own` is false is no group's.
#[diagnostic::on_unimplemented(
    message = "of tiles that are `{Self}`, a kernel can't tell which ones the launch owns",
    note = "`unowned` is there for `Diagonal` and `Offset`; of a permutation's tiles, pass what is read as another argument"
)]
pub unsafe trait KnownPlacement: Placement {
    #[doc(hidden)]
    fn may_own(place: TilePlace, tile: [usize; 2]) -> bool;
}

// SAFETY: the row is that of the group's index behind the first one.
unsafe impl Placement for Diagonal {
    const NAME: &'static str = "PlacedTiles Diagonal";

    #[inline(always)]
    unsafe fn tile(place: TilePlace, _: TileList, group: GroupAt, _: usize) -> Option<[usize; 2]> {
        // A row of tiles is below 2³², and a launch has at most 2⁶³ groups.
        (group.index <= place.col).then(|| [place.row + group.index, place.col - group.index])
    }
}

// SAFETY: row and column of all tiles that a group has add up to the same.
unsafe impl KnownPlacement for Diagonal {
    #[inline(always)]
    fn may_own(place: TilePlace, [row, col]: [usize; 2]) -> bool {
        row + col == place.row + place.col
    }
}

// SAFETY: as of tiles without an offset, in launches of up to two dimensions.
unsafe impl Placement for Offset {
    const NAME: &'static str = "PlacedTiles Offset";

    #[inline(always)]
    unsafe fn tile(place: TilePlace, _: TileList, group: GroupAt, _: usize) -> Option<[usize; 2]> {
        Some([place.row + group.row, place.col + group.col])
    }
}

// SAFETY: groups have tiles from the first one on.
unsafe impl KnownPlacement for Offset {
    #[inline(always)]
    fn may_own(place: TilePlace, [row, col]: [usize; 2]) -> bool {
        (row >= place.row) & (col >= place.col)
    }
}

// SAFETY: numbers of the list differ.
unsafe impl Placement for Permuted {
    const NAME: &'static str = "PlacedTiles Permuted";

    #[inline(always)]
    unsafe fn tile(_: TilePlace, list: TileList, group: GroupAt, across: usize) -> Option<[usize; 2]> {
        if group.index >= list.count || across == 0 {
            return None;
        }
        // SAFETY: the index was just seen to be in the list.
        let number = unsafe { *list.numbers.add(group.index) } as usize;
        Some([number / across, number % across])
    }
}

// SAFETY: groups of a launch get different tiles, as `Placement` asks, and tiles don't overlap.
#[diagnostic::do_not_recommend]
unsafe impl<T, const ROWS: usize, const COLS: usize, P> GroupMap<Matrix<T>> for PlacedTiles<ROWS, COLS, P>
where
    T: KernelArg,
    P: Placement,
{
    type Place = TilePlace;
}

// SAFETY: the sizes are those of the tiles.
unsafe impl<const ROWS: usize, const COLS: usize, P: Placement> TileMap for PlacedTiles<ROWS, COLS, P> {
    const ROWS: usize = <Tiles<ROWS, COLS> as TileMap>::ROWS;
    const COLS: usize = <Tiles<ROWS, COLS> as TileMap>::COLS;
}

/// The passing of a `PerGroup<Matrix<T>, M>` of placed tiles: each group owns a tile of the matrix, where the launch
/// says.
#[derive(Debug)]
pub struct GroupPlaced<T, M>(PhantomData<T>, PhantomData<M>);

// SAFETY: the extent is the matrix's; tiles of groups differ in launches of up to two dimensions.
unsafe impl<T, const ROWS: usize, const COLS: usize, P> Param
    for PerGroup<'static, Matrix<T>, PlacedTiles<ROWS, COLS, P>>
where
    T: KernelArg,
    P: Placement,
{
    type Raw = RawPlaced<T>;
    type Extent = MatrixExtent;
    type Passing = GroupPlaced<T, PlacedTiles<ROWS, COLS, P>>;
    const RANK: u32 = 2;
    const TILE: Option<[usize; 2]> =
        Some([<Tiles<ROWS, COLS> as TileMap>::COLS, <Tiles<ROWS, COLS> as TileMap>::ROWS]);

    fn extent(raw: &RawPlaced<T>) -> MatrixExtent {
        MatrixExtent { rows: raw.matrix.rows, cols: raw.matrix.cols }
    }

    fn describe(raw: &RawPlaced<T>) -> Description {
        Description::Matrix { rows: raw.matrix.rows, cols: raw.matrix.cols }
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "PerGroup<Matrix<_>, PlacedTiles<_>>";
    const MAP: &'static str = P::NAME;

    fn slots(raw: &RawPlaced<T>, slot: impl FnMut(Slot)) {
        raw.slots(slot);
    }
}

impl<'k, T, const ROWS: usize, const COLS: usize, P> PerGroup<'k, Matrix<T>, PlacedTiles<ROWS, COLS, P>>
where
    T: KernelArg,
    P: Placement,
{
    /// # Safety
    /// The matrix is there, and its tiles, so placed, are those of that launch's groups alone.
    #[inline(always)]
    pub(crate) unsafe fn of_group(raw: &RawPlaced<T>, group: GroupAt, launch: LaunchId) -> Self {
        let (matrix, place) = (raw.matrix, TilePlace { row: raw.row, col: raw.col });
        let (tile_rows, tile_cols) =
            (<PlacedTiles<ROWS, COLS, P> as TileMap>::ROWS, <PlacedTiles<ROWS, COLS, P> as TileMap>::COLS);
        let list = TileList { numbers: raw.numbers, count: raw.count };
        // SAFETY: the host saw that the list's numbers differ.
        let tile = unsafe { P::tile(place, list, group, matrix.cols.div_ceil(tile_cols)) };
        // What is beyond the matrix is at its end, so that no position in it overflows.
        let at = |tile: usize, size: usize, end: usize| tile.saturating_mul(size).min(end);
        let RawMatrix { rows, cols, .. } = matrix;
        let [row, col] =
            tile.map_or([rows, cols], |[row, col]| [at(row, tile_rows, rows), at(col, tile_cols, cols)]);
        let window = MatrixWindow { row, col, rows, cols };
        // SAFETY: the matrix is there, and the tile so placed is that of the launch's group alone, as this function asks.
        unsafe { Self::placed(matrix.pointer, window, place, launch) }
    }
}

impl<T, const ROWS: usize, const COLS: usize, P> PerGroup<'_, Matrix<T>, PlacedTiles<ROWS, COLS, P>>
where
    T: KernelArg,
    P: Placement,
{
    /// The element at a row and a column of the matrix, if no group of the launch may own the element's tile.
    ///
    /// It is what an earlier launch wrote. The result is `None` beyond the matrix, and in tiles that a group of the
    /// launch may own, where a read would be a race.
    ///
    /// With a [`Diagonal`], all other diagonals can be read. With an [`Offset`], all tiles that are above it or to the
    /// left of it can be read.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn element_above_tile(m: PerGroup<Matrix<u32>, PlacedTiles<16, 16, Diagonal>>) -> u32 {
    ///     let [row, col] = m.origin();
    ///     m.unowned(row.wrapping_sub(1), col).unwrap_or(0)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// A read of what a launch before this one wrote to the same matrix.
    #[inline(always)]
    pub fn unowned(&self, row: usize, col: usize) -> Option<T>
    where
        P: KnownPlacement,
    {
        let &MatrixWindow { rows, cols, .. } = self.window();
        let inside = (row < rows) & (col < cols);
        if !inside || P::may_own(*self.place(), [row / ROWS, col / COLS]) {
            return None;
        }
        // SAFETY: the element is inside, and no group of the launch writes it.
        Some(unsafe { self.pointer().add(element(row, cols, col)).read() })
    }
}
