/// Place of the first thread's element among those that a phase reads: the first one, since those before it
/// are cut off. So a loop has one number less to keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstElement;

impl FirstElement {
    /// Whether threads get copies of small elements rather than references to them.
    pub(crate) const LENDS_COPIES: bool = false;

    /// The elements that threads from `start` on read, and where the first is.
    #[inline(always)]
    pub(crate) fn among<T>(elements: &[T], start: usize) -> (&[T], Self) {
        let start = start.min(elements.len());
        // SAFETY: the start was just seen to be inside or at the end.
        (unsafe { elements.get_unchecked(start..) }, Self)
    }

    /// The elements from the first thread's on.
    #[inline(always)]
    pub(crate) fn cut<T>(self, elements: &[T]) -> &[T] {
        elements
    }

    /// Whether of so many elements each of so many threads has one.
    #[inline(always)]
    pub(crate) fn leaves(self, len: usize, threads: usize) -> bool {
        len >= threads
    }

    /// Whether of so many elements the thread of this number has one.
    #[inline(always)]
    pub(crate) fn leaves_one_at(self, len: usize, number: usize) -> bool {
        number < len
    }

    /// The index of a thread's element, which there is.
    #[inline(always)]
    pub(crate) fn plus(self, number: usize) -> usize {
        number
    }
}
