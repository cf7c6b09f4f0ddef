//! The parts of pairs.

use crate::cpu::Read;

/// The first elements of pairs.
#[derive(Clone, Copy)]
pub(crate) struct Firsts<I>(pub(crate) I);

/// The second elements of pairs.
#[derive(Clone, Copy)]
pub(crate) struct Seconds<I>(pub(crate) I);

// SAFETY: as many as there are pairs.
unsafe impl<T: Copy + Send, U, I: Read<Item = (T, U)>> Read for Firsts<I> {
    type Item = T;

    #[inline(always)]
    unsafe fn get(self, i: usize) -> T {
        // SAFETY: the caller says that there are more.
        unsafe { self.0.get(i) }.0
    }
}

// SAFETY: as many as there are pairs.
unsafe impl<T, U: Copy + Send, I: Read<Item = (T, U)>> Read for Seconds<I> {
    type Item = U;

    #[inline(always)]
    unsafe fn get(self, i: usize) -> U {
        // SAFETY: the caller says that there are more.
        unsafe { self.0.get(i) }.1
    }
}
