use core::fmt;
use core::hint::assert_unchecked;
use core::marker::PhantomData;

use gridwright_core::{
    Description, KernelArg, Layout, MatrixExtent, Param, RawMatrix, RawSlice, SliceExtent, Slot,
};

use crate::arch::element;
use crate::{Matrix, Thread};

/// Memory of which every thread owns the element at its own position in the launch.
///
/// `PerThread<[T]>` gives thread *i* the element *i*, `PerThread<[[T; N]]>` the *i*-th array of `N`
/// neighbours, and `PerThread<Matrix<T>>` the thread at (row, col) the element there. The maps are
/// injective, so no two threads of a launch can write one element.
///
/// ```
/// use gridwright::prelude::*;
///
/// #[gpu_kernel(requires = x.len() == y.len())]
/// fn double(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
///     if let Some(y) = y.get_mut(t) {
///         *y = 2.0 * x[t.index()];
///     }
/// }
/// ```
pub struct PerThread<'k, S: ?Sized + OwnShape> {
    pointer: *mut S::Element,
    window: S::Window,
    _owned: PhantomData<&'k mut S::Element>,
}

/// The shapes of memory that threads can own an element of: `[T]` and [`Matrix<T>`].
///
/// # Safety
/// [`position`](Self::position) is below the number of elements that a `PerThread` with that window
/// points at, and different for any two threads of one launch.
#[diagnostic::on_unimplemented(
    message = "`PerThread<{Self}>` isn't a kernel parameter",
    note = "`PerThread<[T]>` and `PerThread<Matrix<T>>` are, with `T` a `KernelArg`"
)]
pub unsafe trait OwnShape {
    /// What a thread owns.
    type Element;
    /// The part of the memory that the threads at hand own, in the launch's coordinates.
    type Window: Copy;

    /// Where in the window the thread's element is, if it has one.
    fn position(window: &Self::Window, thread: Thread<'_>) -> Option<usize>;
}

/// The elements `start .. start + owned` of a slice of `len`.
#[derive(Clone, Copy, Debug)]
pub struct SliceWindow {
    pub(crate) start: usize,
    pub(crate) owned: usize,
    pub(crate) len: usize,
}

/// A band of a `rows` by `cols` matrix, from (`row`, `col`) on.
#[derive(Clone, Copy, Debug)]
pub struct MatrixWindow {
    pub(crate) row: usize,
    pub(crate) col: usize,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
}

// SAFETY: `index - start < owned` was tested; the index is each thread's own in a launch of rank 1.
unsafe impl<T: KernelArg> OwnShape for [T] {
    type Element = T;
    type Window = SliceWindow;

    #[inline(always)]
    fn position(window: &SliceWindow, thread: Thread<'_>) -> Option<usize> {
        let at = thread.index().wrapping_sub(window.start);
        if at < window.owned { Some(at) } else { None }
    }
}

// SAFETY: (row, col) lies in the matrix, and in the window because the threads at hand do; the pair is
// each thread's own in a launch of at most rank 2.
unsafe impl<T: KernelArg> OwnShape for Matrix<T> {
    type Element = T;
    type Window = MatrixWindow;

    #[inline(always)]
    fn position(window: &MatrixWindow, thread: Thread<'_>) -> Option<usize> {
        let (row, col) = (thread.row(), thread.col());
        if (row < window.rows) & (col < window.cols) {
            Some(element(row - window.row, window.cols, col - window.col))
        } else {
            None
        }
    }
}

impl<S: ?Sized + OwnShape> PerThread<'_, S> {
    /// # Safety
    /// `pointer` is the first element of the window, which only the threads at hand access.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(pointer: *mut S::Element, window: S::Window) -> Self {
        Self { pointer, window, _owned: PhantomData }
    }

    /// The thread's own element, or `None` where the launch is larger than the memory.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn count_up(t: Thread, mut counts: PerThread<[u32]>) {
    ///     if let Some(count) = counts.get_mut(t) {
    ///         *count += 1;
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn get_mut(&mut self, thread: Thread<'_>) -> Option<&mut S::Element> {
        match S::position(&self.window, thread) {
            // SAFETY: the position is inside the window and this thread's own, and `&mut self` lends it once. No
            // element is at null, which the optimiser would test for to tell `Some` from `None`.
            Some(at) => Some(unsafe {
                let element = self.pointer.add(at);
                assert_unchecked(!element.is_null());
                &mut *element
            }),
            None => None,
        }
    }
}

#[allow(clippy::len_without_is_empty)] // a kernel launched over nothing doesn't run
impl<T: KernelArg> PerThread<'_, [T]> {
    /// The number of elements, of all threads together.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(y: PerThread<[f32]>) -> f32 {
    /// let mean_weight = 1.0 / y.len() as f32;
    /// # mean_weight }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.window.len
    }
}

impl<T: KernelArg> PerThread<'_, Matrix<T>> {
    /// The number of rows.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(m: PerThread<Matrix<f32>>) -> usize {
    /// let last_row = m.rows() - 1;
    /// # last_row }
    /// ```
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.window.rows
    }

    /// The number of columns.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(m: PerThread<Matrix<f32>>) -> usize {
    /// let last_col = m.cols() - 1;
    /// # last_col }
    /// ```
    #[inline(always)]
    pub fn cols(&self) -> usize {
        self.window.cols
    }
}

impl<S: ?Sized + OwnShape> fmt::Debug for PerThread<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerThread").finish_non_exhaustive()
    }
}

/// Passing: each thread owns an element of a slice.
#[derive(Debug)]
pub struct OwnSlice<T>(PhantomData<T>);

/// Passing: each thread owns an element of a matrix.
#[derive(Debug)]
pub struct OwnMatrix<T>(PhantomData<T>);

// SAFETY: the extent is the slice's; indices differ in launches of one dimension.
unsafe impl<T: KernelArg> Param for PerThread<'static, [T]> {
    type Raw = RawSlice<T>;
    type Extent = SliceExtent;
    type Passing = OwnSlice<T>;
    const RANK: u32 = 1;

    fn extent(raw: &RawSlice<T>) -> SliceExtent {
        SliceExtent { len: raw.len }
    }

    fn describe(raw: &RawSlice<T>) -> Description {
        Description::Slice { len: raw.len }
    }

    const LAYOUT: Layout = T::LAYOUT;

    fn slots(raw: &RawSlice<T>, mut slot: impl FnMut(Slot)) {
        raw.slots(&mut slot);
        slot(Slot::Owned { len: raw.len });
    }
}

// SAFETY: the extent is the matrix's; (row, col) differs in launches of up to two dimensions.
unsafe impl<T: KernelArg> Param for PerThread<'static, Matrix<T>> {
    type Raw = RawMatrix<T>;
    type Extent = MatrixExtent;
    type Passing = OwnMatrix<T>;
    const RANK: u32 = 2;

    fn extent(raw: &RawMatrix<T>) -> MatrixExtent {
        MatrixExtent { rows: raw.rows, cols: raw.cols }
    }

    fn describe(raw: &RawMatrix<T>) -> Description {
        Description::Matrix { rows: raw.rows, cols: raw.cols }
    }

    const LAYOUT: Layout = T::LAYOUT;

    fn slots(raw: &RawMatrix<T>, slot: impl FnMut(Slot)) {
        raw.slots(slot);
    }
}
