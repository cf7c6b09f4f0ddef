/// What an algorithm reads element by element: a slice, or what is computed from slices.
///
/// # Safety
/// Elements below a length that the implementer states can be read.
pub(crate) unsafe trait Read: Copy + Sync {
    /// The elements.
    type Item: Copy + Send;

    /// Element `i`.
    ///
    /// # Safety
    /// There are more than `i` elements.
    unsafe fn get(self, i: usize) -> Self::Item;
}

// SAFETY: as many as the slice has.
unsafe impl<T: Copy + Send + Sync> Read for &[T] {
    type Item = T;

    #[inline(always)]
    unsafe fn get(self, i: usize) -> T {
        // SAFETY: the caller says that there are more.
        unsafe { *self.get_unchecked(i) }
    }
}
