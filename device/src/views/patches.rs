use core::hint::assert_unchecked;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use gridwright_core::KernelArg;

use super::own::check_launch;
use super::view::{Access, Keep, View};
use crate::arch::{GroupContext, GroupShape, Identity, LaunchId, element};
use crate::per_thread::MatrixWindow;

/// A view that gives each thread a patch of its group's tile of a matrix: a [`Patch`].
///
/// [`PerGroup::elements_mut`](crate::PerGroup::elements_mut) makes it, for phases of a group.
///
/// ```
/// # use gridwright::prelude::*;
/// fn clear_patches<S: GroupShape>(g: &Group<'_, S>, mut m: PerGroup<'_, Matrix<f32>, Tiles<64, 64>>) {
///     g.each(m.patches_mut::<4, 4>(), |_, patch| patch.for_each(|_, _, element| *element = 0.0));
/// }
/// ```
#[derive(Debug)]
pub struct Patches<'a, T, const R: usize, const C: usize> {
    pub(crate) pointer: *mut T,
    pub(crate) window: MatrixWindow,
    /// Columns and rows of a tile.
    pub(crate) tile: [usize; 2],
    pub(crate) launch: LaunchId,
    pub(crate) _memory: PhantomData<&'a mut T>,
}

/// A patch of a matrix that a thread owns: `R` rows of `C` neighbours, as far as the matrix has them.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// Counts up in the first element of each patch, and clears the others.
/// #[gpu_kernel(block = (8, 8))]
/// fn corners(g: &Group, mut m: PerGroup<Matrix<u32>, Tiles<16, 32>>) {
///     g.each(m.patches_mut::<2, 4>(), |_, mut patch| {
///         let count = patch.get_mut(0, 0).map(|first| *first + 1);
///         patch.for_each(|row, col, element| *element = count.filter(|_| row + col == 0).unwrap_or(0));
///     });
/// }
/// ```
#[derive(Debug)]
pub struct Patch<'i, T, const R: usize, const C: usize> {
    /// Pointer to the first of the patch's elements that the matrix has.
    pointer: *mut T,
    /// Number of elements from a row to the next.
    stride: usize,
    /// Row and column of the first element in the matrix.
    row: usize,
    col: usize,
    /// Numbers of the patch's rows and columns that the matrix has, at most `R` and `C`.
    rows: usize,
    cols: usize,
    _memory: PhantomData<&'i mut T>,
}

impl<T, const R: usize, const C: usize> Patch<'_, T, R, C> {
    /// The row of the matrix in which the patch begins.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = (8, 8))]
    /// fn number_rows(g: &Group, mut m: PerGroup<Matrix<u32>, Tiles<16, 16>>) {
    ///     g.each(m.patches_mut::<2, 2>(), |_, patch| {
    ///         let first = patch.row();
    ///         patch.for_each(|row, _, element| *element = (first + row) as u32);
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn row(&self) -> usize {
        self.row
    }

    /// The column of the matrix in which the patch begins.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = (8, 8))]
    /// fn number_cols(g: &Group, mut m: PerGroup<Matrix<u32>, Tiles<16, 16>>) {
    ///     g.each(m.patches_mut::<2, 2>(), |_, patch| {
    ///         let first = patch.col();
    ///         patch.for_each(|_, col, element| *element = (first + col) as u32);
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn col(&self) -> usize {
        self.col
    }

    /// The element at a row and a column of the patch, or `None` outside the patch or the matrix.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = (8, 8))]
    /// fn clear_last_elements(g: &Group, mut m: PerGroup<Matrix<u32>, Tiles<16, 16>>) {
    ///     g.each(m.patches_mut::<2, 2>(), |_, mut patch| {
    ///         if let Some(last) = patch.get_mut(1, 1) {
    ///             *last = 0;
    ///         }
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn get_mut(&mut self, row: usize, col: usize) -> Option<&mut T> {
        if (row < self.rows) & (col < self.cols) {
            // SAFETY: it was just seen to be inside, and is this thread's own.
            Some(unsafe { self.element(row, col) })
        } else {
            None
        }
    }

    /// Calls `body(row, col, element)` for each element of the patch that the matrix has, with row and column counted
    /// in the patch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel(block = (8, 8))]
    /// fn write_sums(g: &Group, mut m: PerGroup<Matrix<f32>, Tiles<16, 16>>) {
    ///     let sums = g.private([[0.0_f32; 2]; 2]);
    ///     // …
    ///     g.each((m.patches_mut::<2, 2>(), &sums), |_, (patch, sums)| {
    ///         patch.for_each(|row, col, element| *element = sums[row][col]);
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn for_each(mut self, mut body: impl FnMut(usize, usize, &mut T)) {
        // Loops of constant length, which are unrolled, so that what `body` indexes can stay in registers. A way of their own
        // for patches that are whole was tried: on AMD it left that in memory.
        for row in 0..R {
            for col in 0..C {
                if let Some(element) = self.get_mut(row, col) {
                    body(row, col, element);
                }
            }
        }
    }

    /// # Safety
    /// It is inside.
    #[inline(always)]
    unsafe fn element(&mut self, row: usize, col: usize) -> &mut T {
        // SAFETY: the element is inside the patch, as this function asks, which is borrowed exclusively. No element is at null,
        // which the optimiser would test for to tell `Some` from `None`.
        unsafe {
            let pointer = self.pointer.add(element(row, self.stride, col));
            assert_unchecked(!pointer.is_null());
            &mut *pointer
        }
    }
}

/// A patch taken out of the matrix.
#[derive(Clone, Copy, Debug)]
pub struct Taken<T: Copy, const R: usize, const C: usize> {
    elements: [[MaybeUninit<T>; C]; R],
    row: usize,
    col: usize,
    rows: usize,
    cols: usize,
}

// SAFETY: patches of a tile don't overlap. `check` lets only patches pass that together are the tile, so that their size is a
// matter of the launch, and an element is the same thread's in each phase: nobody else ever sees it.
unsafe impl<'a, T: KernelArg, const R: usize, const C: usize> View for Patches<'a, T, R, C> {
    type Item<'i> = Patch<'i, T, R, C>;
    type Arg = *mut T;
    type Sizes = MatrixWindow;
    type State = Taken<T, R, C>;
    const ACCESS: Access = Access::None;

    #[inline(always)]
    fn check(&self, block: [usize; 3], _: usize) {
        let [x, y, z] = block;
        // A block has few threads, but a patch may have any size.
        let is = |threads: usize, size: usize, whole: usize| threads.checked_mul(size) == Some(whole);
        if !(is(x, C, self.tile[0]) & is(y, R, self.tile[1]) & (z == 1)) {
            not_the_tile(self.tile, [C, R], block);
        }
    }

    /// # Panics
    /// With a group of another launch, which owns nothing of it.
    #[inline(always)]
    unsafe fn in_order<'g, G: GroupShape>(
        self,
        context: &GroupContext<'g, G>,
    ) -> (Self, impl Keep + use<'a, 'g, T, R, C, G>) {
        check_launch(context.launch(), self.launch);
        (self, ())
    }

    #[inline(always)]
    unsafe fn open(self) -> (*mut T, MatrixWindow) {
        (self.pointer, self.window)
    }

    #[inline(always)]
    unsafe fn item<'i>(
        pointer: &mut *mut T,
        window: MatrixWindow,
        thread: Identity<'_>,
    ) -> Patch<'i, T, R, C> {
        let local = thread.local();
        let (row, col) = (window.row.saturating_add(local.y * R), window.col.saturating_add(local.x * C));
        Patch {
            // Nobody goes there where there are no elements.
            pointer: pointer.wrapping_add(element(row, window.cols, col)),
            stride: window.cols,
            row,
            col,
            rows: window.rows.saturating_sub(row).min(R),
            cols: window.cols.saturating_sub(col).min(C),
            _memory: PhantomData,
        }
    }

    #[inline(always)]
    unsafe fn load(pointer: &mut *mut T, window: MatrixWindow, thread: Identity<'_>) -> Self::State {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        let mut patch = unsafe { Self::item(pointer, window, thread) };
        let Patch { row, col, rows, cols, .. } = patch;
        let mut elements = [[MaybeUninit::uninit(); C]; R];
        for (row, elements) in elements.iter_mut().enumerate() {
            for (col, element) in elements.iter_mut().enumerate() {
                if let Some(value) = patch.get_mut(row, col) {
                    element.write(*value);
                }
            }
        }
        Taken { elements, row, col, rows, cols }
    }

    #[inline(always)]
    unsafe fn lend<'i>(state: &'i mut Self::State) -> Patch<'i, T, R, C> {
        let Taken { row, col, rows, cols, .. } = *state;
        let pointer = state.elements.as_mut_ptr().cast();
        Patch { pointer, stride: C, row, col, rows, cols, _memory: PhantomData }
    }

    #[inline(always)]
    unsafe fn store(pointer: &mut *mut T, window: MatrixWindow, thread: Identity<'_>, state: Self::State) {
        // SAFETY: the view was checked for the thread's group, and no other item of the thread lives, as this function asks.
        let patch = unsafe { Self::item(pointer, window, thread) };
        patch.for_each(|row, col, element| {
            // SAFETY: `load` took those that the matrix has.
            *element = unsafe { state.elements[row][col].assume_init() };
        });
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn not_the_tile([cols, rows]: [usize; 2], [patch_cols, patch_rows]: [usize; 2], [x, y, z]: [usize; 3]) -> ! {
    panic!(
        "a tile of {rows} rows and {cols} columns was handed to {y} by {x} threads on {z} planes, {patch_rows} rows and \
         {patch_cols} columns to each"
    )
}
