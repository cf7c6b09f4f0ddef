use bytemuck::Zeroable;
use gridwright_core::KernelArg;

use crate::element::ArrayElement;
use crate::{Matrix, Workgroup, WorkgroupMut};

/// Memory in rows, of which fragments are loaded: a [`Matrix`], `Workgroup<[[E; N]; M]>`, or `WorkgroupMut<[E; N]>`,
/// where `E` is the fragment's element, or several elements side by side.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::matrix::{FragmentSource, MatrixA};
/// use gridwright::numbers::F16;
///
/// /// A block of A, from a matrix or from workgroup memory.
/// fn block<S: GroupShape>(w: &Warp<'_, S>, a: &impl FragmentSource<F16>) -> MatrixA<F16, 16, 16> {
///     w.load_a(a, 0, 0)
/// }
/// ```
///
/// # Safety
/// `element` and `address` are right for each place for which `check` returned.
#[diagnostic::on_unimplemented(
    message = "fragments of `{T}` aren't loaded from `{Self}`",
    note = "they are loaded from `Matrix<{T}>`, from `Workgroup<[[E; N]; M]>` and, of a warp's own memory, from \
            `WorkgroupMut<[E; N]>`, which `memory.chunks::<N>()` makes"
)]
pub unsafe trait FragmentSource<T: KernelArg> {
    /// Whether the source is workgroup memory whose rows begin at multiples of 16 bytes.
    #[doc(hidden)]
    const HAS_ALIGNED_ROWS: bool;
    /// Whether the warp writes the memory, too, so that the next write waits for the lanes that load.
    #[doc(hidden)]
    const IS_THE_WARPS: bool;

    /// # Panics
    /// Where a block of so many rows and columns isn't in workgroup memory.
    #[doc(hidden)]
    #[track_caller]
    fn check(&self, row: usize, col: usize, rows: usize, cols: usize);

    /// The element at a row and a column, or zero beyond the edge of a matrix.
    ///
    /// # Safety
    /// It is in a block that was checked.
    #[doc(hidden)]
    unsafe fn element(&self, row: usize, col: usize) -> T;

    /// A pointer to an element of workgroup memory, in a block that was checked.
    #[doc(hidden)]
    fn address(&self, row: usize, col: usize) -> *const T;

    /// Number of elements from one row to the next.
    #[doc(hidden)]
    fn pitch(&self) -> usize;
}

// SAFETY: the matrix tests each place itself.
unsafe impl<T: KernelArg> FragmentSource<T> for Matrix<T> {
    const HAS_ALIGNED_ROWS: bool = false;
    const IS_THE_WARPS: bool = false;

    #[inline(always)]
    fn check(&self, _: usize, _: usize, _: usize, _: usize) {}

    #[inline(always)]
    unsafe fn element(&self, row: usize, col: usize) -> T {
        self.get_or(row, col, Zeroable::zeroed())
    }

    #[inline(always)]
    fn address(&self, row: usize, col: usize) -> *const T {
        self.at(row, col)
    }

    #[inline(always)]
    fn pitch(&self) -> usize {
        self.cols()
    }
}

/// Number of elements of type `T` in a row of `N` elements of type `E`.
const fn in_a_row<T, E, const N: usize>() -> usize {
    assert!(
        size_of::<E>().is_multiple_of(size_of::<T>()) && align_of::<E>() >= align_of::<T>(),
        "a fragment is loaded from, and stored to, memory of its elements, or of some of them side by side"
    );
    N * size_of::<E>() / size_of::<T>()
}

/// # Panics
/// Where the block isn't inside.
#[inline(always)]
#[track_caller]
pub(super) fn check_block(at: [usize; 2], block: [usize; 2], memory: [usize; 2]) {
    let inside = |i: usize| block[i] <= memory[i] && at[i] <= memory[i] - block[i];
    if !(inside(0) & inside(1)) {
        beyond(at, block, memory);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn beyond([row, col]: [usize; 2], [rows, cols]: [usize; 2], [all_rows, all_cols]: [usize; 2]) -> ! {
    panic!(
        "a fragment of {rows} rows and {cols} columns at row {row} and column {col} of workgroup memory of {all_rows} rows and \
         {all_cols} columns"
    )
}

macro_rules! workgroup_memory {
    ($([$($generics:tt)*] $memory:ty, $first:expr, $rows:expr, $is_the_warps:literal, $is_aligned:expr;)*) => {$(
        // SAFETY: a block was seen to be inside. A row has no padding, and any bits are a `T`.
        unsafe impl<T: KernelArg, $($generics)*> FragmentSource<T> for $memory {
            const HAS_ALIGNED_ROWS: bool = $is_aligned && N * size_of::<E>() % 16 == 0;
            const IS_THE_WARPS: bool = $is_the_warps;

            #[inline(always)]
            fn check(&self, row: usize, col: usize, rows: usize, cols: usize) {
                let all_rows: fn(&Self) -> usize = $rows;
                check_block([row, col], [rows, cols], [all_rows(self), const { in_a_row::<T, E, N>() }]);
            }

            #[inline(always)]
            unsafe fn element(&self, row: usize, col: usize) -> T {
                // SAFETY: the element is in a block that was checked, as this function asks. A group's barrier, or the warp's, came
                // after the phase that wrote it.
                unsafe { FragmentSource::<T>::address(self, row, col).read() }
            }

            #[inline(always)]
            fn address(&self, row: usize, col: usize) -> *const T {
                let first: fn(&Self) -> *mut T = $first;
                first(self).cast_const().wrapping_add(row * const { in_a_row::<T, E, N>() } + col)
            }

            #[inline(always)]
            fn pitch(&self) -> usize {
                const { in_a_row::<T, E, N>() }
            }
        }
    )*};
}

workgroup_memory! {
    // Fixed memory begins at a multiple of 16 bytes, by `Memory::fixed`.
    [E: ArrayElement, const N: usize, const M: usize] Workgroup<'_, [[E; N]; M]>,
        |memory| memory.element(0).cast(), |_| M, false, true;
    [E: KernelArg, const N: usize] WorkgroupMut<'_, [E; N]>,
        |memory| memory.0.element(0).cast(), |memory| memory.len(), true, false;
}
