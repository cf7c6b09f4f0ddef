use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

use super::{OwnMap, PerThread};
use crate::arch::element;
use crate::bounds::no_row;
use crate::{Matrix, Thread};
use gridwright_core::KernelArg;

/// The map by which each thread of the launch's first row owns the column of a matrix that has the thread's number.
///
/// A thread takes its column by [`column_mut`](PerThread::column_mut). Threads of other rows own nothing.
///
/// [`get_mut`](PerThread::get_mut) and [`elements_mut`](PerThread::elements_mut) give the column's first element.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// The running sums down each column.
/// #[gpu_kernel(requires = image.rows() == sums.rows() && image.cols() == sums.cols())]
/// fn running_sums(t: Thread, image: &Matrix<u32>, mut sums: PerThread<Matrix<u32>, Columns>) {
///     let Some(mut column) = sums.column_mut(t) else { return };
///     let mut sum = 0;
///     for row in 0..column.len() {
///         sum += image.get_or(row, t.col(), 0);
///         column[row] = sum;
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let image = stream.upload_matrix(2, 3, &[1_u32, 2, 3, 4, 5, 6])?;
/// let mut sums = stream.alloc_matrix_zeroed(2, 3)?;
/// running_sums::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&image, &mut sums))?;
/// assert_eq!(stream.download(&sums)?, [1, 2, 3, 5, 7, 9]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Columns;

/// A column of a matrix that a thread owns.
///
/// ```
/// # use gridwright::prelude::*;
/// /// Turns each column upside down.
/// #[gpu_kernel]
/// fn flip(t: Thread, mut m: PerThread<Matrix<u32>, Columns>) {
///     let Some(mut column) = m.column_mut(t) else { return };
///     for row in 0..column.len() / 2 {
///         let other = column.len() - 1 - row;
///         (column[row], column[other]) = (column[other], column[row]);
///     }
/// }
/// # fn main() -> Result<(), gridwright::Error> {
/// # let device = Device::cpu()?;
/// # let stream = device.stream()?;
/// let mut m = stream.upload_matrix(3, 2, &[1_u32, 2, 3, 4, 5, 6])?;
/// flip::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&mut m,))?;
/// assert_eq!(stream.download(&m)?, [5, 6, 3, 4, 1, 2]);
/// # Ok(())
/// # }
/// ```
pub struct Column<'a, T> {
    first: *mut T,
    len: usize,
    /// Number of elements from one of the column to the one below.
    stride: usize,
    _elements: PhantomData<&'a mut T>,
}

impl<T: KernelArg> PerThread<'_, Matrix<T>, Columns> {
    /// The thread's own column, or `None` if the thread owns none.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn clear(t: Thread, mut m: PerThread<Matrix<f32>, Columns>) {
    ///     if let Some(mut column) = m.column_mut(t) {
    ///         for row in 0..column.len() {
    ///             column[row] = 0.0;
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn column_mut(&mut self, thread: Thread<'_>) -> Option<Column<'_, T>> {
        // A thread of a launch that launched this one owns nothing here.
        if !thread.identity.is_of(self.launch) {
            return None;
        }
        let first = self
            .pointer
            .wrapping_add(<Columns as OwnMap<Matrix<T>>>::position(&self.window, thread.identity)?);
        Some(Column { first, len: self.window.rows, stride: self.window.cols, _elements: PhantomData })
    }
}

#[allow(clippy::len_without_is_empty)] // a column has an element at least
impl<T> Column<'_, T> {
    /// The number of rows of the column.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_row_of_column(t: Thread, mut m: PerThread<Matrix<f32>, Columns>) -> Option<usize> {
    ///     let last = m.column_mut(t)?.len() - 1;
    ///     Some(last)
    /// }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// A pointer to the column's element in a row.
    ///
    /// # Panics
    /// Where there is no such row.
    #[inline(always)]
    #[track_caller]
    fn at(&self, row: usize) -> *mut T {
        if row >= self.len {
            no_row(row, self.len);
        }
        self.first.wrapping_add(element(row, self.stride, 0))
    }
}

impl<T> Index<usize> for Column<'_, T> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, row: usize) -> &T {
        // SAFETY: the row is in the matrix, by `at`, and the column this thread's own.
        unsafe { &*self.at(row) }
    }
}

impl<T> IndexMut<usize> for Column<'_, T> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, row: usize) -> &mut T {
        // SAFETY: the row is in the matrix, by `at`, and the column this thread's own, borrowed exclusively.
        unsafe { &mut *self.at(row) }
    }
}

impl<T> fmt::Debug for Column<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column").field("len", &self.len).finish_non_exhaustive()
    }
}
