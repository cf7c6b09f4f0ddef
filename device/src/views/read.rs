use core::marker::PhantomData;
use core::ptr::slice_from_raw_parts;

use gridwright_core::KernelArg;

use super::view::{Access, View};
use crate::Matrix;
use crate::arch::{
    Ahead, FirstElement, Identity, Readable, element_inside, read, readable, readable_pointer,
};

/// A view that gives each thread an element of a slice that nobody writes, if there is one: `Option<&T>`.
///
/// [`EachFrom::elements_from`] makes it, for phases of a group, a warp or a grid.
///
/// ```
/// # use gridwright::prelude::*;
/// fn add_elements<S: GroupShape>(g: &Group<'_, S>, x: &[f32], sum: &mut Private<'_, f32>) {
///     g.each((x.elements_from(g.origin().x), sum), |_, (x, sum)| *sum += x.copied().unwrap_or(0.0));
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ReadElements<'a, T> {
    elements: &'a [T],
    /// Place of the first thread's element in the slice.
    start: FirstElement,
}

/// A view that gives each thread an element of a matrix that nobody writes, if there is one: `Option<&T>`.
///
/// [`Matrix::elements_from`](crate::Matrix::elements_from) and [`Matrix::elements_of_row`](crate::Matrix::elements_of_row) make it, for phases of a
/// group or a grid.
///
/// ```
/// # use gridwright::prelude::*;
/// fn add_tile<S: GroupShape>(g: &Group<'_, S>, m: &Matrix<f32>, sum: &mut Private<'_, f32>) {
///     let (row, col) = (g.origin().y, g.origin().x);
///     g.each((m.elements_from(row, col), sum), |_, (m, sum)| *sum += m.copied().unwrap_or(0.0));
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ReadTile<'a, T> {
    /// The element of the thread in column 0 and row 0.
    first: *const T,
    window: TileWindow,
    _matrix: PhantomData<&'a T>,
}

/// Sizes of a [`ReadElements`]: the number of elements, and the place of the first thread's element.
#[derive(Clone, Copy, Debug)]
pub struct ReadSizes {
    start: FirstElement,
    len: usize,
}

/// The rows and columns from a tile's first element to the matrix's edges.
#[derive(Clone, Copy, Debug)]
pub struct TileWindow {
    rows: usize,
    cols: usize,
    /// Elements from a row to the next: none where all rows of threads get one row.
    stride: usize,
}

/// The method `x.elements_from(start)`, by which a phase hands out elements of a kernel's `&[T]`.
///
/// ```
/// # use gridwright::prelude::*;
/// fn sum_of_squares<S: GroupShape>(g: &Group<'_, S>, x: &[f32]) -> f32 {
///     let squares = g.map(x.elements_from(g.origin().x), |_, x| x.map_or(0.0, |x| x * x));
///     g.reduce(&squares, |a, b| a + b)
/// }
/// ```
pub trait EachFrom<T> {
    /// A view that gives the thread of number *i* in its group element `start` + *i*, or `None` beyond the end. In a
    /// phase of a warp *i* is the thread's lane.
    ///
    /// Indexing in the phase does the same. On the CPU this is faster: a group whose threads all have an element runs
    /// without tests, in whole vectors.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// /// The sum of each group's elements.
    /// #[gpu_kernel(block = 256)]
    /// fn sums(g: &Group, x: &[f32], mut sums: PerGroup<[f32]>) {
    ///     let values = g.map(x.elements_from(g.origin().x), |_, x| x.copied().unwrap_or(0.0));
    ///     sums.set(g, g.reduce(&values, |a, b| a + b));
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let x = stream.upload(&[1.0_f32; 300])?;
    /// let mut out = stream.alloc_zeroed(2)?;
    /// sums::load(&device)?.launch(&stream, LaunchConfig::threads(300), (&x, &mut out))?;
    /// assert_eq!(stream.download(&out)?, [256.0, 44.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `x[start + threadIdx.x]`, behind a check of the index.
    fn elements_from(&self, start: usize) -> ReadElements<'_, T>;

    #[doc(hidden)]
    #[deprecated(note = "it is called `elements_from` now")]
    #[inline(always)]
    fn each_from(&self, start: usize) -> ReadElements<'_, T> {
        self.elements_from(start)
    }
}

impl<T: KernelArg> EachFrom<T> for [T] {
    #[inline(always)]
    fn elements_from(&self, start: usize) -> ReadElements<'_, T> {
        let (elements, start) = FirstElement::among(self, start);
        ReadElements { elements, start }
    }
}

impl<T: KernelArg> Matrix<T> {
    /// A view that gives the thread in column *x* and row *y* of its group the element at `row` + *y* and `col` +
    /// *x*, or `None` outside the matrix.
    ///
    /// Phases of a warp, which has no columns and rows, don't take the view.
    ///
    /// Indexing in the phase does the same. On the CPU this is faster: a group whose threads all have an element runs
    /// without tests, in whole vectors.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// /// A matrix, transposed.
    /// #[gpu_kernel(block = (16, 16))]
    /// fn transpose(g: &Group, m: &Matrix<f32>, mut out: PerThread<Matrix<f32>>, mut tile: Workgroup<[[f32; 16]; 16]>) {
    ///     let origin = g.origin(); // in the output
    ///     g.each((tile.elements_mut(), m.elements_from(origin.x, origin.y)), |_, (slot, m)| *slot = m.copied().unwrap_or(0.0));
    ///     g.each((out.elements_mut(), tile.elements().transposed()), |_, (out, slot)| {
    ///         if let Some(out) = out {
    ///             *out = *slot;
    ///         }
    ///     });
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let m = stream.upload_matrix(2, 3, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let mut out = stream.alloc_matrix_zeroed(3, 2)?;
    /// transpose::load(&device)?.launch(&stream, LaunchConfig::for_matrix(3, 2), (&m, &mut out))?;
    /// assert_eq!(stream.download(&out)?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `m[(row + threadIdx.y) * cols + col + threadIdx.x]`, behind a check of both.
    #[inline(always)]
    pub fn elements_from(&self, row: usize, col: usize) -> ReadTile<'_, T> {
        let (row, col) = (row.min(self.rows()), col.min(self.cols()));
        let window = TileWindow { rows: self.rows() - row, cols: self.cols() - col, stride: self.cols() };
        ReadTile { first: self.at(row, col), window, _matrix: PhantomData }
    }

    /// A view that gives the thread in column *x* of its group the element at `row` and `col` + *x*, or `None`
    /// outside the matrix.
    ///
    /// The thread's own row doesn't matter. Phases of a warp don't take the view: for lanes there is
    /// `m.row(row).elements_from(col)`.
    ///
    /// Indexing in the phase does the same. On the CPU this is faster, as [`elements_from`](Self::elements_from) is.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// /// The sums of a matrix's columns, by a group for each 64 of them.
    /// #[gpu_kernel(block = 64, requires = sums.len() == m.cols())]
    /// fn sums(g: &Group, m: &Matrix<f32>, mut sums: PerThread<[f32]>) {
    ///     let mut sum = g.private(0.0_f32);
    ///     for row in 0..m.rows() {
    ///         g.each((&mut sum, m.elements_of_row(row, g.origin().x)), |_, (sum, m)| *sum += m.copied().unwrap_or(0.0));
    ///     }
    ///     g.each((&sum, sums.elements_mut()), |_, (sum, out)| {
    ///         if let Some(out) = out {
    ///             *out = *sum;
    ///         }
    ///     });
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let m = stream.upload_matrix(2, 3, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let mut out = stream.alloc_zeroed(3)?;
    /// sums::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&m, &mut out))?;
    /// assert_eq!(stream.download(&out)?, [5.0, 7.0, 9.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline(always)]
    pub fn elements_of_row(&self, row: usize, col: usize) -> ReadTile<'_, T> {
        let (row, col) = (row.min(self.rows()), col.min(self.cols()));
        // The same row again for each row of threads.
        let rows = if row < self.rows() { usize::MAX } else { 0 };
        let window = TileWindow { rows, cols: self.cols() - col, stride: 0 };
        ReadTile { first: self.at(row, col), window, _matrix: PhantomData }
    }
}

impl<'a, T> ReadElements<'a, T> {
    /// The elements from the first thread's on.
    #[inline(always)]
    pub(super) fn elements(self) -> &'a [T] {
        self.start.cut(self.elements)
    }

    /// The elements, and where the first thread's is.
    #[inline(always)]
    pub(super) fn with_start(self) -> (&'a [T], FirstElement) {
        (self.elements, self.start)
    }
}

// SAFETY: nobody writes the elements.
unsafe impl<'a, T: KernelArg> View for ReadElements<'a, T> {
    type Item<'i> = Option<&'i T>;
    type Arg = Readable<'a, [T]>;
    type Sizes = ReadSizes;
    type State = Option<T>;
    const ACCESS: Access = Access::None;
    const EDGED: bool = true;
    const BY_VALUE: bool = FirstElement::LENDS_COPIES && size_of::<T>() <= 16;

    #[inline(always)]
    fn check(&self, _: [usize; 3], _: usize) {}

    #[inline(always)]
    fn ahead(&self, threads: usize) -> Ahead {
        Ahead::of(self.elements, threads)
    }

    #[inline(always)]
    unsafe fn open(self) -> (Readable<'a, [T]>, ReadSizes) {
        // SAFETY: a slice that is shared.
        let elements = unsafe { readable(self.elements) };
        (elements, ReadSizes { start: self.start, len: self.elements.len() })
    }

    #[inline(always)]
    fn inside(sizes: ReadSizes, threads: usize, _: [usize; 3], _: Identity<'_>) -> Option<ReadSizes> {
        sizes.start.leaves(sizes.len, threads).then_some(ReadSizes { len: usize::MAX, ..sizes })
    }

    #[inline(always)]
    unsafe fn item<'i>(
        arg: &mut Readable<'a, [T]>,
        ReadSizes { start, len }: ReadSizes,
        thread: Identity<'_>,
    ) -> Option<&'i T> {
        let (first, number): (*const T, _) = (readable_pointer(arg).cast(), thread.number());
        // SAFETY: the thread's is one of so many elements, or there is one for each thread.
        start.leaves_one_at(len, number).then(|| unsafe { &*first.add(start.plus(number)) })
    }

    #[inline(always)]
    unsafe fn load(
        arg: &mut Readable<'a, [T]>,
        ReadSizes { start, len }: ReadSizes,
        thread: Identity<'_>,
    ) -> Option<T> {
        let (first, number): (*const T, _) = (readable_pointer(arg).cast(), thread.number());
        // SAFETY: the thread's is one of so many elements, or there is one for each thread.
        start.leaves_one_at(len, number).then(|| unsafe { read(first.add(start.plus(number))) })
    }

    #[inline(always)]
    unsafe fn lend(state: &mut Option<T>) -> Option<&T> {
        state.as_ref()
    }

    #[inline(always)]
    unsafe fn store(_: &mut Readable<'a, [T]>, _: ReadSizes, _: Identity<'_>, _: Option<T>) {}
}

// SAFETY: nobody writes the elements.
unsafe impl<'a, T: KernelArg> View for ReadTile<'a, T> {
    type Item<'i> = Option<&'i T>;
    type Arg = Readable<'a, [T]>;
    type Sizes = TileWindow;
    type State = Option<T>;
    const ACCESS: Access = Access::None;
    const EDGED: bool = true;

    #[inline(always)]
    fn check(&self, _: [usize; 3], _: usize) {}

    #[inline(always)]
    unsafe fn open(self) -> (Readable<'a, [T]>, TileWindow) {
        let TileWindow { rows, cols, stride } = self.window;
        // From the first element to the matrix's last.
        let len = if rows == 0 { 0 } else { (rows - 1) * stride + cols };
        // SAFETY: nobody writes the matrix.
        (unsafe { readable(slice_from_raw_parts(self.first, len)) }, self.window)
    }

    #[inline(always)]
    fn inside(
        window: TileWindow,
        _: usize,
        [cols, rows, _]: [usize; 3],
        _: Identity<'_>,
    ) -> Option<TileWindow> {
        let is_inside = window.rows >= rows && window.cols >= cols;
        is_inside.then_some(TileWindow { rows: usize::MAX, cols: usize::MAX, ..window })
    }

    #[inline(always)]
    unsafe fn item<'i>(
        arg: &mut Readable<'a, [T]>,
        window: TileWindow,
        thread: Identity<'_>,
    ) -> Option<&'i T> {
        let (first, local): (*const T, _) = (readable_pointer(arg).cast(), thread.local());
        let is_inside = (local.y < window.rows) & (local.x < window.cols);
        // SAFETY: so many rows and columns are left, or one for each thread.
        is_inside.then(|| unsafe { &*first.add(element_inside(local.y, window.stride, local.x)) })
    }

    #[inline(always)]
    unsafe fn load(arg: &mut Readable<'a, [T]>, window: TileWindow, thread: Identity<'_>) -> Option<T> {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        unsafe { Self::item(arg, window, thread) }.copied()
    }

    #[inline(always)]
    unsafe fn lend(state: &mut Option<T>) -> Option<&T> {
        state.as_ref()
    }

    #[inline(always)]
    unsafe fn store(_: &mut Readable<'a, [T]>, _: TileWindow, _: Identity<'_>, _: Option<T>) {}
}
