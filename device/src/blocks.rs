//! Loops over blocks of elements, all of one length.

/// An iterator over the indices at which blocks of one length begin: what [`Group::blocks`](crate::Group::blocks)
/// returns.
///
/// ```
/// use gridwright::group::Blocks;
///
/// assert!(Blocks::new(10, 4).eq([0, 4, 8]));
/// ```
#[derive(Clone, Debug)]
pub struct Blocks {
    next: usize,
    n: usize,
    len: usize,
}

impl Blocks {
    /// The indices at which blocks of `len` elements begin, of `n` elements in all.
    ///
    /// # Panics
    /// If `len` is zero, or one of them is more than `isize::MAX`.
    ///
    /// ```
    /// assert_eq!(gridwright::group::Blocks::new(0, 4).next(), None);
    /// ```
    #[inline(always)]
    #[track_caller]
    pub const fn new(n: usize, len: usize) -> Self {
        assert!(len > 0, "blocks of no length");
        // So that the next beginning can always be counted.
        assert!(n <= isize::MAX as usize && len <= isize::MAX as usize, "blocks beyond all memory");
        Self { next: 0, n, len }
    }
}

impl Iterator for Blocks {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.next < self.n {
            let start = self.next;
            self.next = start.wrapping_add(self.len); // below `n`, and so no more than `usize::MAX`
            Some(start)
        } else {
            None
        }
    }
}
