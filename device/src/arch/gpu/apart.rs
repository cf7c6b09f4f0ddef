use gridwright_core::KernelArg;

use super::team::{GroupShape, Team};

/// Elements that a group's threads read where they are, in one access each.
#[derive(Clone, Copy, Debug)]
pub struct TakenApart<'g, T>(&'g [T]);

impl<'g, T: KernelArg> TakenApart<'g, T> {
    #[inline(always)]
    pub(crate) fn new<'k, S: GroupShape>(_: &Team<'k, S>, elements: &'g [T]) -> Self
    where
        'k: 'g,
    {
        Self(elements)
    }

    /// A pointer to the elements, and how many there are.
    #[inline(always)]
    pub(crate) fn place(&self) -> (*const T, usize) {
        (self.0.as_ptr(), self.0.len())
    }

    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        0
    }

    #[inline(always)]
    pub(crate) fn check(&self, _: usize) {}

    /// # Safety
    /// There is one of that number.
    #[inline(always)]
    pub(crate) unsafe fn element(first: *const T, _: usize, number: usize) -> T {
        // SAFETY: there is an element of that number, as this function asks; nobody writes what is borrowed to be read.
        unsafe { *first.add(number) }
    }
}
