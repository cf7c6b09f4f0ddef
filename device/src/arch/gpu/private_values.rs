use core::marker::PhantomData;

use super::Identity;
use super::group_context::{GroupContext, GroupShape};
use crate::{Access, Private, View};

/// The value of a [`Private`] that this thread has: the others have theirs.
#[derive(Debug)]
pub struct PrivateValues<'g, T> {
    pub(super) value: T,
    _group: PhantomData<&'g ()>,
}

impl<'g, T> PrivateValues<'g, T> {
    #[inline(always)]
    pub(super) fn new(value: T) -> Self {
        Self { value, _group: PhantomData }
    }

    /// PrivateValues that hold `value` for each thread.
    #[inline(always)]
    pub(crate) fn filled<S: GroupShape>(_: &GroupContext<'g, S>, value: T) -> Self {
        Self::new(value)
    }
}

// SAFETY: the value is this thread's own.
unsafe impl<'a, T: Copy + 'static> View for &'a mut Private<'_, T> {
    type Item<'i> = &'i mut T;
    type Arg = &'a mut T;
    type Sizes = ();
    type State = T;
    const ACCESS: Access = Access::None;

    #[inline(always)]
    fn check(&self, _: [usize; 3], _: usize) {}

    #[inline(always)]
    unsafe fn open(self) -> (&'a mut T, ()) {
        (&mut self.values.value, ())
    }

    #[inline(always)]
    unsafe fn item<'i>(value: &mut &'a mut T, (): (), _: Identity<'_>) -> &'i mut T {
        let value: *mut T = &raw mut **value;
        // SAFETY: it outlives the body's call, which is all that 'i stands for.
        unsafe { &mut *value }
    }

    #[inline(always)]
    unsafe fn load(value: &mut &'a mut T, (): (), _: Identity<'_>) -> T {
        **value
    }

    #[inline(always)]
    unsafe fn lend(state: &mut T) -> &mut T {
        state
    }

    #[inline(always)]
    unsafe fn store(value: &mut &'a mut T, (): (), _: Identity<'_>, state: T) {
        **value = state;
    }
}

// SAFETY: the value is only read.
unsafe impl<'a, T: Copy + 'static> View for &'a Private<'_, T> {
    type Item<'i> = &'i T;
    type Arg = &'a T;
    type Sizes = ();
    type State = T;
    const ACCESS: Access = Access::None;

    #[inline(always)]
    fn check(&self, _: [usize; 3], _: usize) {}

    #[inline(always)]
    unsafe fn open(self) -> (&'a T, ()) {
        (&self.values.value, ())
    }

    #[inline(always)]
    unsafe fn item<'i>(value: &mut &'a T, (): (), _: Identity<'_>) -> &'i T {
        let value: *const T = &raw const **value;
        // SAFETY: it outlives the body's call, which is all that 'i stands for.
        unsafe { &*value }
    }

    #[inline(always)]
    unsafe fn load(value: &mut &'a T, (): (), _: Identity<'_>) -> T {
        **value
    }

    #[inline(always)]
    unsafe fn lend(state: &mut T) -> &T {
        state
    }

    #[inline(always)]
    unsafe fn store(_: &mut &'a T, (): (), _: Identity<'_>, _: T) {}
}
