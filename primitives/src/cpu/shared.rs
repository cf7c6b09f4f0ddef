//! A slice that tasks share.

use std::marker::PhantomData;
use std::ops::Range;

/// A slice of which each task writes a part.
pub(crate) struct Shared<'t, T> {
    elements: *mut T,
    borrow: PhantomData<&'t mut [T]>,
}

impl<T> Clone for Shared<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<'_, T> {}

// SAFETY: an address; whoever asks for a part says that it's theirs.
unsafe impl<T: Send + Sync> Sync for Shared<'_, T> {}

impl<'t, T> Shared<'t, T> {
    pub(crate) fn new(elements: &'t mut [T]) -> Self {
        Self { elements: elements.as_mut_ptr(), borrow: PhantomData }
    }

    /// # Safety
    /// The slice has such a range, and nobody else has a part of it.
    pub(crate) unsafe fn part(self, range: Range<usize>) -> &'t mut [T] {
        // SAFETY: the caller says so.
        unsafe { std::slice::from_raw_parts_mut(self.elements.add(range.start), range.len()) }
    }
}
