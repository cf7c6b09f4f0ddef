//! Numbers that name elements, as sizes.

use crate::source;

/// A number that names an element, in a `usize`.
pub(crate) trait Index: source::Index {
    /// The number of a size; its low bits where it has fewer.
    fn from_usize(size: usize) -> Self;

    /// The size that it is; the largest where it is larger.
    fn to_usize(self) -> usize;
}

impl<X: source::Index> Index for X {
    #[inline(always)]
    fn from_usize(size: usize) -> Self {
        Self::from_index(size as u64)
    }

    #[inline(always)]
    fn to_usize(self) -> usize {
        usize::try_from(self.index()).unwrap_or(usize::MAX)
    }
}
