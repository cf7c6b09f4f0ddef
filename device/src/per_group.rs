use core::fmt;
use core::marker::PhantomData;

use gridwright_core::{
    Description, KernelArg, Layout, MatrixExtent, Param, RawMatrix, RawSlice, SliceExtent, Slot,
};

use crate::arch::{GroupShape, LaunchId};
use crate::element::ArrayElement;
use crate::per_thread::MatrixWindow;
use crate::views::{ElementsMut, InnerMut, Linear, OfGroup, OwnMut, Patches, check_launch};
use crate::{Group, Matrix, WarpTiles};

/// Global memory of which every workgroup owns a part.
///
/// `PerGroup<[T]>` gives the group of index *i* the element *i*, `PerGroup<[[T; N]]>` the *i*-th array of `N`
/// neighbours, and `PerGroup<Matrix<T>>` the tile that its threads cover. `PerGroup<Matrix<T>, Tiles<ROWS, COLS>>` gives it
/// a tile of `ROWS` rows and `COLS` columns, of which each thread gets a patch. The group writes its part, or its phases hand
/// the part out (see *Glossary* in the book: view, tile).
///
/// ```
/// use gridwright::prelude::*;
///
/// /// The greatest element of each group's.
/// #[gpu_kernel]
/// fn maxima(g: &Group, x: &[u32], mut out: PerGroup<[u32]>) {
///     let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
///     out.set(g, g.reduce(&mine, u32::max));
/// }
/// ```
///
/// # From CUDA
/// A `T*` argument of which each block writes the element at `blockIdx.x`, or the tile at `blockIdx`.
pub struct PerGroup<'k, S: ?Sized + GroupOwned, M: GroupMap<S> = Linear> {
    pointer: *mut S::Element,
    window: S::Window,
    /// Data of the map beside the window.
    place: M::Place,
    launch: LaunchId,
    _owned: Owned<'k, <S as GroupOwned>::Element, M>,
}

/// Marker of elements that are written, by a map.
type Owned<'k, T, M> = PhantomData<(&'k mut T, fn() -> M)>;

// SAFETY: groups own what they write; only the group's phases and its leading thread get to it.
unsafe impl<S: ?Sized + GroupOwned, M: GroupMap<S>> Send for PerGroup<'_, S, M> {}
// SAFETY: threads that share it get nothing to write.
unsafe impl<S: ?Sized + GroupOwned, M: GroupMap<S>> Sync for PerGroup<'_, S, M> {}

/// The map by which a group owns a tile of `ROWS` by `COLS` elements of a matrix, however many threads it has: the second
/// parameter of `PerGroup<Matrix<T>, Tiles<ROWS, COLS>>`.
///
/// The group in column *x* and row *y* of the grid has the tile that begins at row *y* × `ROWS` and column *x* × `COLS`.
/// `LaunchConfig::for_matrix` then counts tiles: a group for each.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// Scales a matrix, in tiles of 64 by 64: each of the 16 by 16 threads has a patch of 4 by 4.
/// #[gpu_kernel(block = (16, 16))]
/// fn scale(g: &Group, by: f32, mut m: PerGroup<Matrix<f32>, Tiles<64, 64>>) {
///     g.each(m.patches_mut::<4, 4>(), |_, patch| patch.for_each(|_, _, element| *element *= by));
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let mut m = stream.upload_matrix(100, 70, &[2.0; 7000])?; // 2 by 2 tiles, of which three are cut short
/// scale::load(&device)?.launch(&stream, LaunchConfig::for_matrix(100, 70), (3.0, &mut m))?;
/// assert_eq!(stream.download(&m)?, [6.0; 7000]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tiles<const ROWS: usize, const COLS: usize>;

/// Maps that say which part of memory of shape `S` a group owns: [`Linear`], by its threads or its index, [`Tiles`],
/// [`PlacedTiles`](crate::PlacedTiles) or [`Rows`](crate::Rows).
///
/// ```
/// # use gridwright::prelude::*;
/// /// `Tiles` is a map: each group has 16 by 16 elements, of which its 8 by 8 threads have 2 by 2.
/// #[gpu_kernel(block = (8, 8))]
/// fn clear(g: &Group, mut m: PerGroup<Matrix<f32>, Tiles<16, 16>>) {
///     g.each(m.patches_mut::<2, 2>(), |_, patch| patch.for_each(|_, _, element| *element = 0.0));
/// }
/// ```
///
/// # Safety
/// No two groups of a launch own one element.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a map by which groups own `{S}`",
    note = "`Tiles<ROWS, COLS>`, `PlacedTiles<ROWS, COLS, _>` and `Rows` are maps of `Matrix<T>`; elements of `[T]` are owned by the \
            group's index, without one"
)]
pub unsafe trait GroupMap<S: ?Sized + GroupOwned> {
    /// A launch's data of where the groups' parts are.
    #[doc(hidden)]
    type Place: Copy + Send + Sync;
}

// SAFETY: a group's index is its own, as are its threads' rows and columns in launches of as many dimensions.
unsafe impl<S: ?Sized + GroupOwned> GroupMap<S> for Linear {
    type Place = ();
}

// SAFETY: a group's row and column in the grid are its own, and tiles don't overlap.
#[diagnostic::do_not_recommend]
unsafe impl<T: KernelArg, const ROWS: usize, const COLS: usize> GroupMap<Matrix<T>> for Tiles<ROWS, COLS> {
    type Place = ();
}

/// Maps by which a group's part begins at a row and a column of a matrix: [`Tiles`] and [`Rows`](crate::Rows).
///
/// # Safety
/// What begins there is of no other group.
#[doc(hidden)]
pub unsafe trait OriginMap {
    /// The row and the column at which a group's part begins. `group` is the group's place in the grid, and `groups`
    /// the grid's sizes along x and y.
    fn origin(group: [usize; 3], groups: [usize; 2]) -> [usize; 2];
}

// SAFETY: tiles don't overlap.
unsafe impl<const ROWS: usize, const COLS: usize> OriginMap for Tiles<ROWS, COLS> {
    #[inline(always)]
    fn origin([x, y, _]: [usize; 3], _: [usize; 2]) -> [usize; 2] {
        [y.saturating_mul(<Self as TileMap>::ROWS), x.saturating_mul(<Self as TileMap>::COLS)]
    }
}

/// Maps by tiles whose sizes are constants: [`Tiles`] and [`PlacedTiles`](crate::PlacedTiles).
///
/// # Safety
/// The sizes are those of the tiles, and not zero.
pub unsafe trait TileMap {
    /// Number of a tile's rows.
    const ROWS: usize;
    /// Number of a tile's columns.
    const COLS: usize;
}

// SAFETY: they are, or the kernel doesn't compile.
unsafe impl<const ROWS: usize, const COLS: usize> TileMap for Tiles<ROWS, COLS> {
    const ROWS: usize = {
        assert!(ROWS > 0, "tiles of no rows");
        ROWS
    };
    const COLS: usize = {
        assert!(COLS > 0, "tiles of no columns");
        COLS
    };
}

/// Shapes of memory of which groups can own a part: `[T]`, [`Segments<T>`](crate::Segments) and [`Matrix<T>`].
///
/// ```
/// # use gridwright::prelude::*;
/// #[gpu_kernel(block = (8, 8))]
/// fn ones(g: &Group, mut m: PerGroup<Matrix<f32>>) { // `Matrix<f32>` is a `GroupOwned`
///     g.each(m.elements_mut(), |_, element| {
///         if let Some(element) = element {
///             *element = 1.0;
///         }
///     });
/// }
/// ```
///
/// # Safety
/// What a window gives one group, it gives no other.
#[diagnostic::on_unimplemented(
    message = "`PerGroup<{Self}>` isn't a kernel parameter",
    note = "`PerGroup<[T]>`, `PerGroup<[[T; N]]>`, `PerGroup<Segments<T>>`, `PerGroup<Matrix<T>>`, `PerGroup<Matrix<T>, \
            Tiles<ROWS, COLS>>` and `PerGroup<Matrix<T>, Rows>` are, with `T` a `KernelArg`"
)]
pub unsafe trait GroupOwned {
    /// The type of the memory's elements.
    type Element;
    /// The memory's sizes, and the place of the group's part.
    type Window: Copy + Send + Sync;
}

/// The window of a slice that is one group's element.
#[derive(Clone, Copy, Debug)]
pub struct GroupWindow {
    pub(crate) group: usize,
    pub(crate) len: usize,
}

// SAFETY: a group's index is its own in every launch.
unsafe impl<T: KernelArg> GroupOwned for [T] {
    type Element = T;
    type Window = GroupWindow;
}

// SAFETY: a group's threads have rows and columns of their own in a launch of up to two dimensions.
unsafe impl<T: KernelArg> GroupOwned for Matrix<T> {
    type Element = T;
    type Window = MatrixWindow;
}

impl<S: ?Sized + GroupOwned, M: GroupMap<S>> PerGroup<'_, S, M> {
    #[inline(always)]
    pub(crate) fn pointer(&self) -> *mut S::Element {
        self.pointer
    }

    #[inline(always)]
    pub(crate) fn window(&self) -> &S::Window {
        &self.window
    }

    #[inline(always)]
    pub(crate) fn launch(&self) -> LaunchId {
        self.launch
    }

    #[inline(always)]
    pub(crate) fn place(&self) -> &M::Place {
        &self.place
    }

    /// # Safety
    /// The pointer is at memory with that window, of which nobody else accesses the part of a group so placed, of that launch.
    #[inline(always)]
    pub(crate) unsafe fn placed(
        pointer: *mut S::Element,
        window: S::Window,
        place: M::Place,
        launch: LaunchId,
    ) -> Self {
        Self { pointer, window, place, launch, _owned: PhantomData }
    }
}

impl<S: ?Sized + GroupOwned, M: GroupMap<S, Place = ()>> PerGroup<'_, S, M> {
    /// # Safety
    /// The pointer is at memory with that window, of which nobody else accesses the group's part, of that launch.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(pointer: *mut S::Element, window: S::Window, launch: LaunchId) -> Self {
        // SAFETY: the memory has that window, and nobody else accesses the group's part, as this function asks.
        unsafe { Self::placed(pointer, window, (), launch) }
    }
}

#[allow(clippy::len_without_is_empty)] // a kernel launched over nothing doesn't run
impl<T: KernelArg> PerGroup<'_, [T]> {
    /// The number of elements of the memory, of all groups together.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn number_of_groups(out: PerGroup<[f32]>) -> usize {
    ///     out.len()
    /// }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.window.len
    }

    /// Writes the group's element, or nothing where the memory has no element for the group.
    ///
    /// # Panics
    /// With a group of another launch, which owns nothing of it.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn answer(g: &Group, mut out: PerGroup<[u32]>) {
    ///     out.set(g, 42);
    /// }
    /// ```
    #[inline(always)]
    pub fn set<S: GroupShape>(&mut self, g: &Group<'_, S>, value: T) {
        check_launch(g.context.launch(), self.launch);
        let GroupWindow { group, len } = self.window;
        if group < len && g.context.leads() {
            // SAFETY: the element is inside and this group's own, and one thread writes it.
            unsafe { self.pointer.add(group).write(value) };
        }
    }
}

impl<T: ArrayElement, const N: usize> PerGroup<'_, [[T; N]]> {
    /// A view that gives each thread a slot of the group's array to write: `&mut T`.
    ///
    /// # Panics
    /// Where the memory has no array for the group.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 64)]
    /// fn write_partial_counts(g: &Group, mut partial: PerGroup<[[u32; 64]]>, bins: Workgroup<[u32; 64]>) {
    ///     g.each((partial.elements_mut(), bins.elements()), |_, (partial, bin)| *partial = *bin);
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn elements_mut(&mut self) -> OfGroup<ElementsMut<'_, [T; N]>> {
        let GroupWindow { group, len } = self.window;
        assert!(group < len, "group {group} has no element in memory of {len}");
        // SAFETY: the array is inside and this group's own.
        let pointer = unsafe { self.pointer.add(group) };
        let view = ElementsMut { pointer, _memory: PhantomData, _map: PhantomData };
        OfGroup { view, launch: self.launch }
    }
}

impl<T: KernelArg, M: GroupMap<Matrix<T>>> PerGroup<'_, Matrix<T>, M> {
    /// The number of rows of the matrix, of all groups together.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_row(m: PerGroup<Matrix<f32>>) -> usize {
    ///     m.rows() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.window.rows
    }

    /// The number of columns of the matrix, of all groups together.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_col(m: PerGroup<Matrix<f32>>) -> usize {
    ///     m.cols() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn cols(&self) -> usize {
        self.window.cols
    }
}

impl<T: KernelArg> PerGroup<'_, Matrix<T>> {
    /// A view that gives each thread the element at its own row and column, if there is one: `Option<&mut T>`.
    ///
    /// # Panics
    /// The phase does, of a group of another launch, which owns nothing of it.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = (8, 8))]
    /// fn clear(g: &Group, mut m: PerGroup<Matrix<f32>>) {
    ///     g.each(m.elements_mut(), |_, element| {
    ///         if let Some(element) = element {
    ///             *element = 0.0;
    ///         }
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn elements_mut(&mut self) -> OfGroup<OwnMut<'_, Matrix<T>>> {
        let Self { pointer, window, launch, .. } = *self;
        let view = OwnMut { pointer, window, launch, _memory: PhantomData, _map: PhantomData };
        OfGroup { view, launch }
    }
}

impl<T: KernelArg, M: TileMap + GroupMap<Matrix<T>>> PerGroup<'_, Matrix<T>, M> {
    /// The row and the column of the matrix at which the group's tile begins. They may be outside the matrix.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn element_at_origin(m: &Matrix<f32>, out: PerGroup<Matrix<f32>, Tiles<64, 64>>) -> f32 {
    ///     let [row, col] = out.origin();
    ///     m.get_or(row, col, 0.0)
    /// }
    /// ```
    #[inline(always)]
    pub fn origin(&self) -> [usize; 2] {
        [self.window.row, self.window.col]
    }

    /// A view that gives each thread a patch of the group's tile, of `R` rows and `C` columns side by side: a
    /// [`Patch`](crate::Patch).
    ///
    /// The phase panics if the patches of the group's threads aren't just the tile: `R` times the threads along y its rows,
    /// and `C` times those along x its columns. So a thread has the same elements in each phase.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = (16, 16))]
    /// fn write_patches(g: &Group, mut m: PerGroup<Matrix<f32>, Tiles<64, 32>>) {
    ///     let sums = g.map((), |t, ()| [[t.lane() as f32; 2]; 4]);
    ///     g.each((m.patches_mut::<4, 2>(), &sums), |_, (patch, sums)| {
    ///         patch.for_each(|row, col, element| *element = sums[row][col]);
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn patches_mut<const R: usize, const C: usize>(&mut self) -> Patches<'_, T, R, C> {
        let Self { pointer, window, launch, .. } = *self;
        Patches { pointer, window, tile: [M::COLS, M::ROWS], launch, _memory: PhantomData }
    }

    /// A view that gives each thread its element of the group's tile, except for a margin of `margin` threads on each
    /// side: `Option<&mut T>`.
    ///
    /// The threads of the margin get nothing. The view is for blocks that are larger than the tile they own: each
    /// thread loads an element, and the inner ones have all their neighbours at hand.
    ///
    /// The phase panics if the block isn't the tile with that margin, or is of another launch.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// /// The mean of each element's neighbours; beyond the edge counts as zero.
    /// #[gpu_kernel(block = (16, 16), requires = x.rows() == y.rows() && x.cols() == y.cols())]
    /// fn relax(g: &Group, x: &Matrix<f32>, mut y: PerGroup<Matrix<f32>, Tiles<14, 14>>, mut tile: Workgroup<[[f32; 16]; 16]>) {
    ///     let [row, col] = y.origin();
    ///     g.load_tile(&mut tile, x, row.wrapping_sub(1), col.wrapping_sub(1));
    ///     g.each((y.inner_elements_mut(1), tile.shared()), |t, (y, tile)| {
    ///         let (x, row) = (t.local().x, t.local().y);
    ///         if let Some(y) = y {
    ///             *y = (tile[row - 1][x] + tile[row + 1][x] + tile[row][x - 1] + tile[row][x + 1]) / 4.0;
    ///         }
    ///     });
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let x = stream.upload_matrix(20, 30, &[4.0_f32; 600])?;
    /// let mut y = stream.alloc_matrix_zeroed(20, 30)?;
    /// relax::load(&device)?.launch(&stream, LaunchConfig::for_matrix(20, 30), (&x, &mut y))?;
    /// let y = stream.download(&y)?;
    /// assert_eq!((y[0], y[1], y[31]), (2.0, 3.0, 4.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `if (tx >= R && tx < B - R && ty >= R && ty < B - R)` around the store of a stencil whose blocks overlap.
    #[inline(always)]
    pub fn inner_elements_mut(&mut self, margin: usize) -> InnerMut<'_, T> {
        let Self { pointer, window, launch, .. } = *self;
        InnerMut { pointer, window, tile: [M::COLS, M::ROWS], margin, launch, _memory: PhantomData }
    }

    /// A view that gives each warp a tile of the group's tile, of `ROWS` rows and `COLS` columns: a
    /// [`WarpTile`](crate::WarpTile).
    ///
    /// Warps get tiles row after row. The view is for [`Group::each_warp`].
    ///
    /// `each_warp` panics if the group's tile isn't made of such tiles, or if there are fewer of them than warps.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright::Accumulator;
    /// #[gpu_kernel(block = 64)]
    /// fn clear_tiles(g: &Group, mut c: PerGroup<Matrix<f32>, Tiles<32, 16>>) {
    ///     g.each_warp(c.warp_tiles_mut::<16, 16>(), |w, mut tile| {
    ///         w.store_accumulator(&Accumulator::<f32, 16, 16>::filled(0.0), &mut tile, 0, 0);
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn warp_tiles_mut<const ROWS: usize, const COLS: usize>(&mut self) -> WarpTiles<'_, T, ROWS, COLS> {
        WarpTiles {
            pointer: self.pointer,
            window: self.window,
            tile: [M::COLS, M::ROWS],
            _memory: PhantomData,
        }
    }
}

impl<S: ?Sized + GroupOwned, M: GroupMap<S>> fmt::Debug for PerGroup<'_, S, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerGroup").finish_non_exhaustive()
    }
}

/// The passing of a `PerGroup<[T]>`: each group owns an element of the slice.
#[derive(Debug)]
pub struct GroupSlice<T>(PhantomData<T>);

/// The passing of a `PerGroup<Matrix<T>, M>`: each group owns a tile of the matrix, by the map `M`.
#[derive(Debug)]
pub struct GroupTiles<T, M>(PhantomData<T>, PhantomData<M>);

/// The passing of a `PerGroup<Matrix<T>>`: each group owns a tile of the matrix.
#[derive(Debug)]
pub struct GroupMatrix<T>(PhantomData<T>);

// SAFETY: the extent is the slice's; indices of groups differ.
unsafe impl<T: KernelArg> Param for PerGroup<'static, [T]> {
    type Raw = RawSlice<T>;
    type Extent = SliceExtent;
    type Passing = GroupSlice<T>;
    const RANK: u32 = 3;

    fn extent(raw: &RawSlice<T>) -> SliceExtent {
        SliceExtent { len: raw.len }
    }

    fn describe(raw: &RawSlice<T>) -> Description {
        Description::Slice { len: raw.len }
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "PerGroup<[_]>";

    fn slots(raw: &RawSlice<T>, slot: impl FnMut(Slot)) {
        raw.slots(slot);
    }
}

// SAFETY: the extent is the matrix's; (row, col) differs in launches of up to two dimensions.
unsafe impl<T: KernelArg> Param for PerGroup<'static, Matrix<T>> {
    type Raw = RawMatrix<T>;
    type Extent = MatrixExtent;
    type Passing = GroupMatrix<T>;
    const RANK: u32 = 2;

    fn extent(raw: &RawMatrix<T>) -> MatrixExtent {
        MatrixExtent { rows: raw.rows, cols: raw.cols }
    }

    fn describe(raw: &RawMatrix<T>) -> Description {
        Description::Matrix { rows: raw.rows, cols: raw.cols }
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "PerGroup<Matrix<_>>";

    fn slots(raw: &RawMatrix<T>, slot: impl FnMut(Slot)) {
        raw.slots(slot);
    }
}

// SAFETY: the extent is the matrix's; a group's column and row in the grid differ in launches of up to two dimensions.
unsafe impl<T: KernelArg, const ROWS: usize, const COLS: usize> Param
    for PerGroup<'static, Matrix<T>, Tiles<ROWS, COLS>>
{
    type Raw = RawMatrix<T>;
    type Extent = MatrixExtent;
    type Passing = GroupTiles<T, Tiles<ROWS, COLS>>;
    const RANK: u32 = 2;
    const TILE: Option<[usize; 2]> =
        Some([<Tiles<ROWS, COLS> as TileMap>::COLS, <Tiles<ROWS, COLS> as TileMap>::ROWS]);

    fn extent(raw: &RawMatrix<T>) -> MatrixExtent {
        MatrixExtent { rows: raw.rows, cols: raw.cols }
    }

    fn describe(raw: &RawMatrix<T>) -> Description {
        Description::Matrix { rows: raw.rows, cols: raw.cols }
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "PerGroup<Matrix<_>>";
    const MAP: &'static str = "Tiles";

    fn slots(raw: &RawMatrix<T>, slot: impl FnMut(Slot)) {
        raw.slots(slot);
    }
}
