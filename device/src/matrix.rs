use core::fmt;
use core::marker::PhantomData;
use core::ops::Index;

use crate::arch::{element, element_inside, read};
use crate::bounds::{no_row, not_in_matrix};
use gridwright_core::{Description, KernelArg, Layout, MatrixExtent, Param, RawMatrix, Slot};

/// A matrix in device memory that every thread reads and none writes: a kernel's `&Matrix<T>`.
///
/// Elements lie row after row.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// The mean of an element and its left and right neighbours; beyond the edge counts as zero.
/// #[gpu_kernel]
/// fn blur(t: Thread, image: &Matrix<f32>, mut out: PerThread<Matrix<f32>>) {
///     let (row, col) = (t.row(), t.col());
///     if let Some(out) = out.get_mut(t) {
///         let left = image.get_or(row, col.wrapping_sub(1), 0.0);
///         let right = image.get_or(row, col + 1, 0.0);
///         *out = (left + image.get_or(row, col, 0.0) + right) / 3.0;
///     }
/// }
/// ```
///
/// # From CUDA
/// A `const T*` argument with the numbers of rows and columns. There is no pitch: rows lie one behind the other.
pub struct Matrix<T> {
    pointer: *const T,
    rows: usize,
    cols: usize,
    _elements: PhantomData<T>,
}

// SAFETY: a matrix only ever gives `&T` and copies of `T`.
unsafe impl<T: Sync> Send for Matrix<T> {}
// SAFETY: threads that share a matrix only get `&T` and copies of `T`.
unsafe impl<T: Sync> Sync for Matrix<T> {}

impl<T> Matrix<T> {
    /// # Safety
    /// `pointer` is the first of `rows * cols` elements that nobody writes while the matrix is read.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(pointer: *const T, rows: usize, cols: usize) -> Self {
        Self { pointer, rows, cols, _elements: PhantomData }
    }

    /// The number of rows of the matrix.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn is_square(m: &Matrix<f32>) -> bool {
    ///     m.rows() == m.cols()
    /// }
    /// ```
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns of the matrix.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn all_columns(m: &Matrix<f32>) -> std::ops::Range<usize> {
    ///     0..m.cols()
    /// }
    /// ```
    #[inline(always)]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The element at a row and a column, or `None` outside the matrix.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn element_above(t: Thread, m: &Matrix<f32>) -> f32 {
    ///     let above = m.get(t.row().wrapping_sub(1), t.col()).copied();
    ///     above.unwrap_or(0.0)
    /// }
    /// ```
    #[inline(always)]
    pub fn get(&self, row: usize, col: usize) -> Option<&T> {
        let (pointer, rows, cols) = self.pinned();
        // `&`, not `&&`: one branch, and on NVIDIA the read-only load survives.
        if (row < rows) & (col < cols) {
            // SAFETY: row and col were just seen to be inside.
            Some(unsafe { &*pointer.add(element_inside(row, cols, col)) })
        } else {
            None
        }
    }

    /// A row of the matrix as a slice.
    ///
    /// # Panics
    /// Where there is no such row.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn sum_of_row(t: Thread, m: &Matrix<f32>) -> f32 {
    ///     m.row(t.row()).iter().sum()
    /// }
    /// ```
    #[inline(always)]
    pub fn row(&self, row: usize) -> &[T] {
        let (pointer, rows, cols) = self.pinned();
        if row >= rows {
            no_row(row, rows);
        }
        // SAFETY: the row lies inside, by the test.
        unsafe { core::slice::from_raw_parts(pointer.add(element(row, cols, 0)), cols) }
    }

    /// A pointer to the element at a row and a column inside the matrix.
    #[inline(always)]
    pub(crate) fn at(&self, row: usize, col: usize) -> *const T {
        let (pointer, _, cols) = self.pinned();
        pointer.wrapping_add(element(row, cols, col))
    }

    /// The three fields in registers. Without the assumption, which LLVM can't fold away, a load of the
    /// pointer sinks into the checked branch and becomes a gather: 2.5 times slower on a tiled matmul.
    #[inline(always)]
    fn pinned(&self) -> (*const T, usize, usize) {
        let (pointer, rows, cols) = (self.pointer, self.rows, self.cols);
        // SAFETY: no target of 64 bits has an object that starts at the middle of the address space.
        #[cfg(target_pointer_width = "64")]
        unsafe {
            core::hint::assert_unchecked(pointer.addr() != 1 << 63);
        }
        (pointer, rows, cols)
    }
}

/// The index of a row and a column, `m[(row, col)]`, which panics outside the matrix.
///
/// ```
/// # use gridwright::prelude::*;
/// fn transposed_element(t: Thread, m: &Matrix<f32>) -> f32 {
///     m[(t.col(), t.row())]
/// }
/// ```
impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, (row, col): (usize, usize)) -> &T {
        let (pointer, rows, cols) = self.pinned();
        if (row >= rows) | (col >= cols) {
            not_in_matrix(row, col, rows, cols);
        }
        // SAFETY: row and col were just seen to be inside.
        unsafe { &*pointer.add(element_inside(row, cols, col)) }
    }
}

impl<T: Copy> Matrix<T> {
    /// The element at a row and a column, or `default` outside the matrix.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn right_neighbour(t: Thread, m: &Matrix<f32>) -> f32 {
    ///     m.get_or(t.row(), t.col() + 1, 0.0)
    /// }
    /// ```
    #[inline(always)]
    pub fn get_or(&self, row: usize, col: usize, default: T) -> T {
        let (pointer, rows, cols) = self.pinned();
        if (row < rows) & (col < cols) {
            // SAFETY: row and col were just seen to be inside.
            unsafe { read(pointer.add(element_inside(row, cols, col))) }
        } else {
            default
        }
    }
}

impl<T> fmt::Debug for Matrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matrix").field("rows", &self.rows).field("cols", &self.cols).finish()
    }
}

/// The passing of a `&Matrix<T>`: each thread reads the whole matrix.
#[derive(Debug)]
pub struct ReadMatrix<T>(PhantomData<T>);

// SAFETY: the extent is the matrix's; nothing is owned.
unsafe impl<T: KernelArg> Param for &'static Matrix<T> {
    type Raw = RawMatrix<T>;
    type Extent = MatrixExtent;
    type Passing = ReadMatrix<T>;
    const RANK: u32 = 3;

    fn extent(raw: &RawMatrix<T>) -> MatrixExtent {
        MatrixExtent { rows: raw.rows, cols: raw.cols }
    }

    fn describe(raw: &RawMatrix<T>) -> Description {
        Description::Matrix { rows: raw.rows, cols: raw.cols }
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "&Matrix<_>";

    fn slots(raw: &RawMatrix<T>, slot: impl FnMut(Slot)) {
        raw.slots(slot);
    }
}
