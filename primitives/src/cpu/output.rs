//! A slice that several threads write, each its own elements.

use std::marker::PhantomData;
use std::ops::Range;

/// A slice of which each thread writes elements of its own.
pub(crate) struct Output<'s, T> {
    first: *mut T,
    len: usize,
    slice: PhantomData<&'s mut [T]>,
}

impl<T> Clone for Output<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Output<'_, T> {}

// SAFETY: elements go from thread to thread, each to one at a time, as the methods ask.
unsafe impl<T: Send> Send for Output<'_, T> {}
// SAFETY: who shares it writes each element by one thread, as the methods ask.
unsafe impl<T: Send> Sync for Output<'_, T> {}

impl<'s, T> Output<'s, T> {
    pub(crate) fn new(slice: &'s mut [T]) -> Self {
        Self { first: slice.as_mut_ptr(), len: slice.len(), slice: PhantomData }
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Where an element is.
    ///
    /// # Safety
    /// There are at least `i` elements.
    #[inline(always)]
    pub(crate) unsafe fn at(&self, i: usize) -> *mut T {
        debug_assert!(i <= self.len);
        // SAFETY: at or just behind an element.
        unsafe { self.first.add(i) }
    }

    /// Writes an element.
    ///
    /// # Safety
    /// There are more than `i` elements, and no other thread uses that one now.
    #[inline(always)]
    pub(crate) unsafe fn set(&self, i: usize, value: T) {
        debug_assert!(i < self.len);
        // SAFETY: one of the slice's.
        unsafe { self.first.add(i).write(value) };
    }

    /// Some of the elements.
    ///
    /// # Safety
    /// They are within the slice, and nobody else uses them as long as the result is.
    pub(crate) unsafe fn slice(&self, range: Range<usize>) -> &'s mut [T] {
        debug_assert!(range.start <= range.end && range.end <= self.len);
        // SAFETY: within the slice, which is borrowed exclusively as long, and used by nobody else.
        unsafe { std::slice::from_raw_parts_mut(self.first.add(range.start), range.len()) }
    }
}
