use crate::cpu::Read;
use crate::source::Fused;

/// A source with its slices.
pub(crate) struct Bound<'k, S: Fused> {
    pub(crate) source: S,
    pub(crate) a: &'k [S::A],
    pub(crate) b: &'k [S::B],
    pub(crate) c: &'k [S::C],
}

impl<S: Fused> Clone for Bound<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Fused> Copy for Bound<'_, S> {}

// SAFETY: as many as the input has, whose slices these are.
unsafe impl<S: Fused<Item: Send>> Read for Bound<'_, S> {
    type Item = S::Item;

    #[inline(always)]
    unsafe fn get(self, i: usize) -> S::Item {
        // SAFETY: the slices are the input's, and the caller says that it has more.
        unsafe { self.source.at(i, self.a, self.b, self.c) }
    }
}
