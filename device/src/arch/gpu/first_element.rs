use super::read;

/// Place of the first thread's element among those that a phase reads.
///
/// A thread has an element if `start` is below what `len` is above its number, which a loop works out once for all its starts. And
/// starts that are so far apart are so far apart in memory, which an instruction that loads adds by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstElement(usize);

impl FirstElement {
    /// Whether threads get copies of small elements rather than references to them, each of which would be tested for null.
    pub(crate) const LENDS_COPIES: bool = true;

    /// The elements that threads from `start` on read, and where the first is.
    #[inline(always)]
    pub(crate) fn among<T>(elements: &[T], start: usize) -> (&[T], Self) {
        (elements, Self(start))
    }

    /// The elements from the first thread's on.
    #[inline(always)]
    pub(crate) fn cut<T>(self, elements: &[T]) -> &[T] {
        elements.get(self.0..).unwrap_or(&[])
    }

    /// Whether of so many elements each of so many threads has one.
    #[inline(always)]
    pub(crate) fn leaves(self, len: usize, threads: usize) -> bool {
        len.saturating_sub(self.0) >= threads
    }

    /// Whether of so many elements the thread of this number has one.
    #[inline(always)]
    pub(crate) fn leaves_one_at(self, len: usize, number: usize) -> bool {
        self.0 < len.saturating_sub(number)
    }

    /// The element of the thread of this number, if there is one.
    #[inline(always)]
    pub(super) fn of_thread<T: Copy>(self, elements: &[T], number: usize) -> Option<T> {
        let at = self.0.checked_add(number)?;
        // SAFETY: the element is one of the slice's.
        (at < elements.len()).then(|| unsafe { read(elements.as_ptr().add(at)) })
    }

    /// The index of a thread's element, which there is.
    #[inline(always)]
    pub(crate) fn plus(self, number: usize) -> usize {
        self.0 + number
    }
}
