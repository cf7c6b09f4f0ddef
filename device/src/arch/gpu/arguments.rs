//! Parameters of the numbers and pointers that an entry is called with. What is owned comes as `NonNull`,
//! which spares `get_mut` a test: an empty buffer has an address too.

use core::hint::assert_unchecked;
use core::mem::MaybeUninit;
use core::ptr::{self, NonNull};

use gridwright_core::KernelArg;

use super::Last;
use crate::per_thread::{MatrixWindow, SliceWindow};
use crate::{Matrix, PerThread};

/// A slice to read. The pointer is a reference so that the compiler may use read-only loads.
///
/// # Safety
/// `pointer` is the first of `len` elements that nobody writes while the kernel runs.
#[inline(always)]
pub unsafe fn read_slice<'k, T>(pointer: &'k [T; 0], len: usize) -> &'k [T] {
    // SAFETY: the caller's contract.
    unsafe { core::slice::from_raw_parts(pointer.as_ptr(), len) }
}

/// A matrix to read.
///
/// # Safety
/// `pointer` is the first of `rows * cols` elements that nobody writes while the kernel runs.
#[inline(always)]
pub unsafe fn read_matrix<T>(pointer: &[T; 0], rows: u32, cols: u32) -> Matrix<T> {
    // SAFETY: the caller's contract.
    unsafe { Matrix::from_raw(pointer.as_ptr(), rows as usize, cols as usize) }
}

/// A slice of which the thread owns an element.
///
/// # Safety
/// `pointer` is the first of `len` elements that only this launch's threads access, each its own, in a
/// launch of one dimension; `owned` is the less of `len` and the launch's threads. It is in the width of the
/// index, so that comparing them takes one instruction.
#[inline(always)]
pub unsafe fn own_slice<'k, T: KernelArg, L: Last>(
    pointer: NonNull<T>,
    len: usize,
    owned: L,
) -> PerThread<'k, [T]> {
    let owned = owned.widen();
    // SAFETY: the caller's contract.
    unsafe {
        assert_unchecked(owned <= len);
        PerThread::from_raw(pointer.as_ptr(), SliceWindow { start: 0, owned, len })
    }
}

/// A matrix of which the thread owns an element.
///
/// # Safety
/// `pointer` is the first of `rows * cols` elements that only this launch's threads access, each its own,
/// in a launch of up to two dimensions.
#[inline(always)]
pub unsafe fn own_matrix<'k, T: KernelArg>(
    pointer: NonNull<T>,
    rows: u32,
    cols: u32,
) -> PerThread<'k, Matrix<T>> {
    let window = MatrixWindow { row: 0, col: 0, rows: rows as usize, cols: cols as usize };
    // SAFETY: the caller's contract.
    unsafe { PerThread::from_raw(pointer.as_ptr(), window) }
}

/// A struct of the words that AMD gets it as: larger ones would go by pointer.
#[inline(always)]
pub fn by_words<T: KernelArg, const N: usize>(words: [u64; N]) -> T {
    const { assert!(size_of::<T>() <= 8 * N, "an argument by value has at most 128 bytes: put it into a buffer") };
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: the words have at least as many bytes as the value, for which any bytes are valid.
    unsafe {
        ptr::copy_nonoverlapping(
            words.as_ptr().cast::<u8>(),
            value.as_mut_ptr().cast::<u8>(),
            size_of::<T>(),
        );
        value.assume_init()
    }
}
