use core::marker::PhantomData;

use gridwright_core::KernelArg;

use super::{WarpItems, WarpPlace};
use crate::arch::{GroupShape, LaunchId, element};
use crate::per_thread::MatrixWindow;
use crate::rows::RowPart;
use crate::views::check_launch;
use crate::{Access, Blocks, Warp};

/// A view of a group's rows of a matrix that gives each warp its rows, one at a time.
///
/// [`PerGroup::warp_rows_mut`](crate::PerGroup::warp_rows_mut) makes it.
///
/// ```
/// # use gridwright::prelude::*;
/// /// A row of a matrix of few columns for each 8 lanes.
/// #[gpu_kernel(block = 64)]
/// fn ones(g: &Group, mut m: PerGroup<Matrix<f32>, Rows<8>>) {
///     g.tiled::<8>().each_tile(m.warp_rows_mut(), |tile, mut rows| {
///         while let Some(mut row) = rows.next_row() {
///             tile.each(row.elements_from_mut(0), |_, m| if let Some(m) = m { *m = 1.0 });
///         }
///     });
/// }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// # let mut m = stream.alloc_matrix_zeroed(10, 7)?;
/// # ones::load(&device)?.launch(&stream, LaunchConfig::grid(2, 64), (&mut m,))?;
/// # assert_eq!(stream.download(&m)?, [1.0; 70]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct WarpRows<'a, T> {
    pointer: *mut T,
    window: MatrixWindow,
    /// Number of the group's rows.
    rows: usize,
    launch: LaunchId,
    _memory: PhantomData<&'a mut T>,
}

/// The rows of a matrix that a warp owns and takes one after another: what [`WarpRows`] gives to a warp.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::warp::RowsOfWarp;
///
/// /// Zeroes a warp's rows.
/// fn clear<S: GroupShape>(w: &Warp<'_, S>, rows: &mut RowsOfWarp<'_, f32>) {
///     while let Some(mut row) = rows.next_row() {
///         for start in w.blocks(row.cols(), w.len()) {
///             w.each(row.elements_from_mut(start), |_, x| if let Some(x) = x { *x = 0.0 });
///         }
///     }
/// }
/// ```
#[derive(Debug)]
pub struct RowsOfWarp<'i, T> {
    pointer: *mut T,
    part: RowTurn,
    _memory: PhantomData<&'i mut T>,
}

/// A row of a matrix that a warp owns.
///
/// [`RowsOfWarp::next_row`] gives it.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::warp::WarpRow;
///
/// /// Zeroes a warp's row.
/// fn clear<S: GroupShape>(w: &Warp<'_, S>, row: &mut WarpRow<'_, f32>) {
///     for start in w.blocks(row.cols(), w.len()) {
///         w.each(row.elements_from_mut(start), |_, x| if let Some(x) = x { *x = 0.0 });
///     }
/// }
/// ```
#[derive(Debug)]
pub struct WarpRow<'i, T> {
    /// Pointer to the row's first element.
    first: *mut T,
    row: usize,
    cols: usize,
    launch: LaunchId,
    _memory: PhantomData<&'i mut T>,
}

/// The next of the group's rows that a warp has.
#[derive(Clone, Copy, Debug)]
pub struct RowTurn {
    window: MatrixWindow,
    number: usize,
    /// Number of rows from one of a warp's rows to its next: the number of warps.
    warps: usize,
    /// Number of the group's rows.
    rows: usize,
    launch: LaunchId,
}

impl<T> WarpRows<'_, T> {
    #[inline(always)]
    pub(crate) fn new(pointer: *mut T, window: MatrixWindow, rows: usize, launch: LaunchId) -> Self {
        Self { pointer, window, rows, launch, _memory: PhantomData }
    }
}

impl<T: KernelArg> RowsOfWarp<'_, T> {
    /// The warp's next row, or `None` if the warp has no more rows.
    ///
    /// With as many warps as the group has rows, each warp has one. Where the group has more rows, each warp has
    /// several, and where it has fewer, some warps have none. Warps have more threads on some GPUs, so a kernel for all
    /// of them asks in a loop.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 64)]
    /// fn mark_first_column(g: &Group, mut m: PerGroup<Matrix<u32>, Rows<8>>) {
    ///     g.each_warp(m.warp_rows_mut(), |w, mut rows| {
    ///         while let Some(mut row) = rows.next_row() {
    ///             row.set(w, 0, 1);
    ///         }
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn next_row(&mut self) -> Option<WarpRow<'_, T>> {
        let RowTurn { window, number, warps, rows, launch } = self.part;
        let row = window.row.saturating_add(number);
        if (number >= rows) | (row >= window.rows) {
            return None;
        }
        self.part.number = number + warps;
        let first = self.pointer.wrapping_add(element(row, window.cols, 0));
        Some(WarpRow { first, row, cols: window.cols, launch, _memory: PhantomData })
    }
}

impl<T: KernelArg> WarpRow<'_, T> {
    /// The row's number in the matrix.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright::WarpRow;
    /// fn len_of_row(x: &Matrix<f32>, y: &WarpRow<'_, f32>) -> usize {
    ///     let x = x.row(y.row());
    ///     x.len()
    /// }
    /// ```
    #[inline(always)]
    pub fn row(&self) -> usize {
        self.row
    }

    /// The number of the matrix's columns.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # use gridwright::WarpRow;
    /// fn last_col(y: &WarpRow<'_, f32>) -> usize {
    ///     y.cols() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// A view that gives each lane the element of the row at column `start` plus the lane's number, or `None` beyond
    /// the row's end: `Option<&mut T>`.
    ///
    /// # Panics
    /// The phase does, of a warp of another launch, which owns nothing of it.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = 64)]
    /// fn number_columns(g: &Group, mut y: PerGroup<Matrix<u32>, Rows<2>>) {
    ///     g.each_warp(y.warp_rows_mut(), |w, mut rows| {
    ///         while let Some(mut row) = rows.next_row() {
    ///             for start in w.blocks(row.cols(), w.len()) {
    ///                 w.each(row.elements_from_mut(start), |t, y| {
    ///                     if let Some(y) = y {
    ///                         *y = (start + t.lane()) as u32;
    ///                     }
    ///                 });
    ///             }
    ///         }
    ///     });
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `y[row * cols + start + lane]`, behind a check of the column.
    #[inline(always)]
    pub fn elements_from_mut(&mut self, start: usize) -> RowPart<'_, T, true> {
        RowPart::from(self.first, self.cols, start, self.launch)
    }

    /// Writes the row's element at a column, or nothing beyond the row's end.
    ///
    /// A matrix of one column is memory of which each warp has an element.
    ///
    /// # Panics
    /// With a warp of another launch, which owns nothing of it.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// The greatest element of each row: 8 rows a group.
    /// #[gpu_kernel(block = 256, requires = x.rows() == y.rows())]
    /// fn greatest(g: &Group, x: &Matrix<u32>, mut y: PerGroup<Matrix<u32>, Rows<8>>) {
    ///     g.each_warp(y.warp_rows_mut(), |w, mut rows| {
    ///         while let Some(mut y) = rows.next_row() {
    ///             let x = x.row(y.row());
    ///             let mut mine = w.private(0);
    ///             for start in w.blocks(x.len(), w.len()) {
    ///                 w.each((&mut mine, x.elements_from(start)), |_, (mine, x)| {
    ///                     *mine = x.map_or(*mine, |x| *x.max(mine));
    ///                 });
    ///             }
    ///             y.set(w, 0, w.reduce(&mine, u32::max));
    ///         }
    ///     });
    /// }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let x = stream.upload_matrix(2, 3, &[1, 2, 1, 3, 0, 1])?;
    /// # let mut y = stream.alloc_matrix_zeroed(2, 1)?;
    /// # greatest::load(&device)?.launch(&stream, LaunchConfig::grid(1, 256), (&x, &mut y))?;
    /// # assert_eq!(stream.download(&y)?, [2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `if (lane == 0) y[row * cols + col] = …`.
    #[inline(always)]
    pub fn set<S: GroupShape>(&mut self, w: &Warp<'_, S>, col: usize, value: T) {
        check_launch(w.context.launch(), self.launch);
        w.context.begin(Access::WriteGlobal);
        if col < self.cols && w.context.leads() {
            // SAFETY: the element is inside and this warp's own, and one lane writes it.
            unsafe { self.first.add(col).write(value) };
        }
        w.context.end(Access::WriteGlobal);
    }
}

// SAFETY: warps have different numbers, below that of warps, and their next rows numbers that are as many further on: no row has
// two.
unsafe impl<T: KernelArg> WarpItems for WarpRows<'_, T> {
    type Item<'i> = RowsOfWarp<'i, T>;
    type Part = (*mut T, RowTurn);
    const ACCESS: Access = Access::WriteGlobal;

    #[inline(always)]
    fn check(&self, _: usize, _: usize) {}

    #[inline(always)]
    unsafe fn part(&mut self, warp: WarpPlace) -> (*mut T, RowTurn) {
        let Self { pointer, window, rows, launch, .. } = *self;
        (pointer, RowTurn { window, number: warp.index, warps: warp.warps, rows, launch })
    }

    #[inline(always)]
    unsafe fn lend<'i>(&mut (pointer, part): &'i mut (*mut T, RowTurn)) -> RowsOfWarp<'i, T> {
        RowsOfWarp { pointer, part, _memory: PhantomData }
    }
}

impl<S: GroupShape> Warp<'_, S> {
    /// An iterator over the indices at which blocks of `len` elements begin, of `n` elements in all, as
    /// [`Group::blocks`](crate::Group::blocks).
    ///
    /// # Panics
    /// If `len` is zero, or one of them is more than `isize::MAX`.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn sum_of_slice<S: GroupShape>(w: &Warp<'_, S>, x: &[f32]) -> f32 {
    ///     let mut sums = w.private(0.0);
    ///     for start in w.blocks(x.len(), w.len()) {
    ///         w.each((&mut sums, x.elements_from(start)), |_, (sum, x)| *sum += x.copied().unwrap_or(0.0));
    ///     }
    ///     w.reduce(&sums, |a, b| a + b)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `for (int i = lane; i < n; i += warpSize)`.
    #[inline(always)]
    #[track_caller]
    pub fn blocks(&self, n: usize, len: usize) -> Blocks {
        Blocks::new(n, len)
    }
}
