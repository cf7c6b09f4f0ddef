//! Numbers that name elements.

/// An unsigned number that names an element, counts some, or says where a segment begins.
pub(crate) trait Index: Copy + Send + Sync {
    /// The number of a size; its low bits where it has fewer.
    fn from_usize(size: usize) -> Self;

    /// The size that it is; the largest where it is larger.
    fn to_usize(self) -> usize;
}

macro_rules! index {
    ($($number:ty)*) => {
        $(impl Index for $number {
            #[inline(always)]
            fn from_usize(size: usize) -> Self {
                size as Self
            }

            #[inline(always)]
            fn to_usize(self) -> usize {
                usize::try_from(self).unwrap_or(usize::MAX)
            }
        })*
    };
}

index!(u32 u64 usize);
