//! Rows of a matrix, however long, of which a group or a thread owns one.

use core::marker::PhantomData;

use gridwright_core::{Description, KernelArg, Layout, MatrixExtent, Param, RawMatrix, Slot};

use crate::arch::{GroupContext, GroupShape, Identity, LaunchId, element};
use crate::per_group::{GroupMap, GroupTiles, OriginMap};
use crate::per_thread::{MatrixWindow, OwnMap, PerThread, anywhere};
use crate::views::check_launch;
use crate::{Access, Matrix, PerGroup, Thread, View, WarpRows};

/// The map by which each group, or each thread, owns the row of a matrix that has its number in the launch.
///
/// `PerGroup<Matrix<T>, Rows>` gives the group of index *i* the row *i*. It takes the row a piece at a time, an element for each
/// thread, by [`elements_from_mut`](PerGroup::elements_from_mut). `PerGroup<Matrix<T>, Rows<N>>` gives it the `N` rows from *i* × `N` on, of
/// which its warps, or tiles of its warps, get one at a time by [`warp_rows_mut`](PerGroup::warp_rows_mut).
/// `PerThread<Matrix<T>, Rows>` gives thread *i* the row *i* as a slice, by [`row_mut`](PerThread::row_mut). Rows may be of any
/// length, and beyond the last row nobody owns anything.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// Each row divided by its sum, a group a row.
/// #[gpu_kernel(block = 64, requires = x.rows() == y.rows() && x.cols() == y.cols())]
/// fn normalize(g: &Group, x: &Matrix<f32>, mut y: PerGroup<Matrix<f32>, Rows>) {
///     let (row, cols) = (x.row(y.row()), x.cols());
///     let mut sums = g.private(0.0_f32);
///     for start in g.blocks(cols, 64) {
///         g.each((&mut sums, row.elements_from(start)), |_, (sum, x)| *sum += x.copied().unwrap_or(0.0));
///     }
///     let sum = g.reduce(&sums, |a, b| a + b);
///     for start in g.blocks(cols, 64) {
///         g.each((y.elements_from_mut(start), row.elements_from(start)), |_, (y, x)| {
///             if let (Some(y), Some(x)) = (y, x) {
///                 *y = x / sum;
///             }
///         });
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let x = stream.upload_matrix(2, 3, &[1.0_f32, 2.0, 1.0, 3.0, 0.0, 1.0])?;
/// let mut y = stream.alloc_matrix_zeroed(2, 3)?;
/// normalize::load(&device)?.launch(&stream, LaunchConfig::grid(2, 64), (&x, &mut y))?;
/// assert_eq!(stream.download(&y)?, [0.25, 0.5, 0.25, 0.75, 0.0, 0.25]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `for (int col = threadIdx.x; col < cols; col += blockDim.x) y[blockIdx.x * cols + col] = …`: a block a row.
#[derive(Clone, Copy, Debug)]
pub struct Rows<const N: usize = 1>;

// SAFETY: a group's index is its own in every launch.
#[diagnostic::do_not_recommend]
unsafe impl<T: KernelArg, const N: usize> GroupMap<Matrix<T>> for Rows<N> {
    type Place = ();
}

// SAFETY: the rows are those of the group's index.
unsafe impl<const N: usize> OriginMap for Rows<N> {
    #[inline(always)]
    fn origin([x, y, z]: [usize; 3], [across, down]: [usize; 2]) -> [usize; 2] {
        const { assert!(N > 0, "a group owns a row at least") };
        [(x + across * (y + down * z)).saturating_mul(N), 0]
    }
}

// SAFETY: the extent is the matrix's; indices of groups differ.
unsafe impl<T: KernelArg, const N: usize> Param for PerGroup<'static, Matrix<T>, Rows<N>> {
    type Raw = RawMatrix<T>;
    type Extent = MatrixExtent;
    type Passing = GroupTiles<T, Rows<N>>;
    const RANK: u32 = 2;
    const ROWS: Option<usize> = Some(N);

    fn extent(raw: &RawMatrix<T>) -> MatrixExtent {
        MatrixExtent { rows: raw.rows, cols: raw.cols }
    }

    fn describe(raw: &RawMatrix<T>) -> Description {
        Description::Matrix { rows: raw.rows, cols: raw.cols }
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "PerGroup<Matrix<_>>";
    const MAP: &'static str = "Rows";

    fn slots(raw: &RawMatrix<T>, slot: impl FnMut(Slot)) {
        raw.slots(slot);
    }
}

impl<T: KernelArg, const N: usize> PerGroup<'_, Matrix<T>, Rows<N>> {
    /// The number of the group's row in the matrix, or of the first where the group has several.
    ///
    /// It may be beyond the matrix where the launch has more groups than the matrix has rows.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn len_of_row(x: &Matrix<f32>, y: PerGroup<Matrix<f32>, Rows>) -> usize {
    ///     let row = x.row(y.row());
    ///     row.len()
    /// }
    /// ```
    #[inline(always)]
    pub fn row(&self) -> usize {
        self.window().row
    }

    /// A view that gives each warp rows of the group, which the warp takes one after another by
    /// [`next_row`](crate::RowsOfWarp::next_row).
    ///
    /// The view is for [`Group::each_warp`](crate::Group::each_warp), and for
    /// [`LaneTiles::each_tile`](crate::LaneTiles::each_tile), whose tiles of warps get rows.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// /// Each row divided by its sum, a warp a row: 4 rows a group.
    /// #[gpu_kernel(block = 128, requires = x.rows() == y.rows() && x.cols() == y.cols())]
    /// fn normalize(g: &Group, x: &Matrix<f32>, mut y: PerGroup<Matrix<f32>, Rows<4>>) {
    ///     g.each_warp(y.warp_rows_mut(), |w, mut rows| {
    ///         while let Some(mut y) = rows.next_row() {
    ///             let x = x.row(y.row());
    ///             let mut sums = w.private(0.0_f32);
    ///             for start in w.blocks(x.len(), w.len()) {
    ///                 w.each((&mut sums, x.elements_from(start)), |_, (sum, x)| *sum += x.copied().unwrap_or(0.0));
    ///             }
    ///             let sum = w.reduce(&sums, |a, b| a + b);
    ///             for start in w.blocks(x.len(), w.len()) {
    ///                 w.each((y.elements_from_mut(start), x.elements_from(start)), |_, (y, x)| {
    ///                     if let (Some(y), Some(x)) = (y, x) {
    ///                         *y = x / sum;
    ///                     }
    ///                 });
    ///             }
    ///         }
    ///     });
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let x = stream.upload_matrix(2, 3, &[1.0_f32, 2.0, 1.0, 3.0, 0.0, 1.0])?;
    /// let mut y = stream.alloc_matrix_zeroed(2, 3)?;
    /// normalize::load(&device)?.launch(&stream, LaunchConfig::grid(1, 128), (&x, &mut y))?;
    /// assert_eq!(stream.download(&y)?, [0.25, 0.5, 0.25, 0.75, 0.0, 0.25]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `row = blockIdx.x * N + threadIdx.x / warpSize`: a warp a row.
    #[inline(always)]
    pub fn warp_rows_mut(&mut self) -> WarpRows<'_, T> {
        WarpRows::new(self.pointer(), *self.window(), N, self.launch())
    }
}

impl<T: KernelArg> PerGroup<'_, Matrix<T>, Rows> {
    /// A view that gives each thread the element of the group's row at column `start` plus the thread's number, or
    /// `None` beyond the row's end: `Option<&mut T>`.
    ///
    /// # Panics
    /// The phase does, of a group of another launch, which owns nothing of it.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// Numbers the elements of each row.
    /// #[gpu_kernel(block = 64)]
    /// fn columns(g: &Group, mut y: PerGroup<Matrix<u32>, Rows>) {
    ///     for start in g.blocks(y.cols(), 64) {
    ///         g.each(y.elements_from_mut(start), |t, y| {
    ///             if let Some(y) = y {
    ///                 *y = (start + t.local().x) as u32;
    ///             }
    ///         });
    ///     }
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `y[blockIdx.x * cols + start + threadIdx.x]`, behind a check of the column.
    #[inline(always)]
    pub fn elements_from_mut(&mut self, start: usize) -> RowPart<'_, T> {
        let MatrixWindow { row, rows, cols, .. } = *self.window();
        if row >= rows {
            return RowPart::from(self.pointer(), 0, 0, self.launch());
        }
        RowPart::from(self.pointer().wrapping_add(element(row, cols, 0)), cols, start, self.launch())
    }
}

/// A view of a row from a column on that gives each thread the element at its number: `Option<&mut T>`.
///
/// [`PerGroup::elements_from_mut`] makes it of a group's row, for the threads of the group.
/// [`WarpRow::elements_from_mut`](crate::WarpRow::elements_from_mut) makes a `RowPart<T, true>` of a warp's row, for the
/// threads of the warp. Phases of a warp hand out only the latter, since each warp of a group would get the same
/// elements of the former.
///
/// ```
/// # use gridwright::prelude::*;
/// #[gpu_kernel(block = 64)]
/// fn increment_second_part(g: &Group, mut y: PerGroup<Matrix<u32>, Rows>) {
///     g.each(y.elements_from_mut(64), |_, y| if let Some(y) = y { *y += 1 });
/// }
/// ```
#[derive(Debug)]
pub struct RowPart<'a, T: KernelArg, const OF_WARP: bool = false> {
    first: *mut T,
    /// Number of elements from the first to the row's end.
    len: usize,
    launch: LaunchId,
    _memory: PhantomData<&'a mut T>,
}

impl<T: KernelArg, const OF_WARP: bool> RowPart<'_, T, OF_WARP> {
    /// The part from `start` on of `len` elements, which a group or a warp of the launch owns.
    #[inline(always)]
    pub(crate) fn from(first: *mut T, len: usize, start: usize, launch: LaunchId) -> Self {
        let (first, len) = if start < len { (first.wrapping_add(start), len - start) } else { (first, 0) };
        Self { first, len, launch, _memory: PhantomData }
    }
}

// SAFETY: numbers of the group's threads, or the warp's, differ, and the row is the group's own. A later phase may give an element to another thread,
// which `ACCESS` says.
unsafe impl<'a, T: KernelArg, const OF_WARP: bool> View for RowPart<'a, T, OF_WARP> {
    type Item<'i> = Option<&'i mut T>;
    type Arg = *mut T;
    type Sizes = usize;
    type State = Option<T>;
    const ACCESS: Access = Access::WriteGlobal;
    const EDGED: bool = true;

    #[inline(always)]
    fn check(&self, _: [usize; 3], _: usize) {}

    /// The view itself, of which nothing is copied.
    ///
    /// # Panics
    /// With a group of another launch, which owns nothing of it.
    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        self,
        context: &GroupContext<'g, G>,
    ) -> (Self, impl crate::views::Keep + use<'a, 'g, T, OF_WARP, G>) {
        check_launch(context.launch(), self.launch);
        (self, ())
    }

    #[inline(always)]
    unsafe fn open(self) -> (*mut T, usize) {
        (self.first, self.len)
    }

    #[inline(always)]
    fn inside(len: usize, threads: usize, _: [usize; 3], _: Identity<'_>) -> Option<usize> {
        (len >= threads).then_some(usize::MAX)
    }

    #[inline(always)]
    unsafe fn item<'i>(first: &mut *mut T, len: usize, thread: Identity<'_>) -> Option<&'i mut T> {
        let number = thread.number();
        // SAFETY: so many elements are left in the group's row, or one for each thread.
        (number < len).then(|| unsafe { &mut *first.add(number) })
    }

    #[inline(always)]
    unsafe fn load(first: &mut *mut T, len: usize, thread: Identity<'_>) -> Option<T> {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        unsafe { Self::item(first, len, thread) }.copied()
    }

    #[inline(always)]
    unsafe fn lend(state: &mut Option<T>) -> Option<&mut T> {
        state.as_mut()
    }

    #[inline(always)]
    unsafe fn store(first: &mut *mut T, len: usize, thread: Identity<'_>, state: Option<T>) {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        if let (Some(element), Some(state)) = (unsafe { Self::item(first, len, thread) }, state) {
            *element = state;
        }
    }
}

// SAFETY: the element is in a row that is there, and begins it; rows are as different as the indices of threads.
unsafe impl<T: KernelArg> OwnMap<Matrix<T>> for Rows {
    anywhere!(Matrix<T>);

    #[inline(always)]
    fn position(window: &MatrixWindow, thread: Identity<'_>) -> Option<usize> {
        let row = thread.index();
        ((row < window.rows) & (window.cols > 0)).then(|| element(row, window.cols, 0))
    }
}

impl<T: KernelArg> PerThread<'_, Matrix<T>, Rows> {
    /// The thread's own row, or `None` if the thread owns none.
    ///
    /// Neighbouring threads read and write memory that lies a row apart, which GPUs are slow at: there a warp or a group a row
    /// is faster, unless rows are short.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// /// The running sums along each row.
    /// #[gpu_kernel]
    /// fn running_sums(t: Thread, mut m: PerThread<Matrix<u32>, Rows>) {
    ///     let Some(row) = m.row_mut(t) else { return };
    ///     let mut sum = 0;
    ///     for x in row {
    ///         sum += *x;
    ///         *x = sum;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let mut m = stream.upload_matrix(2, 3, &[1_u32, 2, 3, 4, 5, 6])?;
    /// running_sums::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&mut m,))?;
    /// assert_eq!(stream.download(&m)?, [1, 3, 6, 4, 9, 15]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `y + i * cols`, where `i` is the thread's index in the grid.
    #[inline(always)]
    pub fn row_mut(&mut self, thread: Thread<'_>) -> Option<&mut [T]> {
        let first = core::ptr::from_mut(self.get_mut(thread)?);
        let cols = self.cols();
        // SAFETY: the row begins there, is the thread's own, and borrowed exclusively.
        Some(unsafe { core::slice::from_raw_parts_mut(first, cols) })
    }
}
