//! Exchange of elements of any type within a group.

use gridwright::prelude::*;

/// Workgroup memory as places for elements of any type.
#[derive(Clone, Copy)]
pub(crate) struct Places<T>(*mut T);

// SAFETY: who writes and reads promises that no two threads use one place without a barrier in between.
unsafe impl<T: Send> Send for Places<T> {}
// SAFETY: who writes and reads promises that no two threads use one place without a barrier in between.
unsafe impl<T: Send> Sync for Places<T> {}

impl<T: KernelArg> Places<T> {
    /// Places in workgroup memory, which is aligned to 16 bytes.
    #[inline(always)]
    pub(crate) fn new(first: *mut T) -> Self {
        const { assert!(align_of::<T>() <= 16, "workgroup memory is aligned to 16 bytes") };
        Self(first)
    }

    /// # Safety
    /// The memory has the place, which is no other thread's in this phase.
    #[inline(always)]
    pub(crate) unsafe fn write(self, _: Thread<'_>, place: usize, value: T) {
        // SAFETY: the caller says so.
        unsafe { self.0.add(place).write(value) };
    }

    /// # Safety
    /// The place was written, and nobody writes it in this phase.
    #[inline(always)]
    pub(crate) unsafe fn read(self, _: Thread<'_>, place: usize) -> T {
        // SAFETY: the caller says so.
        unsafe { self.0.add(place).read() }
    }
}
