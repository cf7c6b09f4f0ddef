use super::group_context::{GroupContext, GroupShape};
use crate::warp::{WarpItems, WarpPlace, WarpPrivate, only_warps};

/// The value of a [`WarpPrivate`] that this thread's warp has: each of its threads keeps it.
#[derive(Debug)]
pub struct WarpPrivateValues<'g, T> {
    value: T,
    _group: core::marker::PhantomData<&'g ()>,
}

impl<'g, T> WarpPrivateValues<'g, T> {
    /// PrivateValues that hold `value` for each warp.
    #[inline(always)]
    pub(crate) fn filled<S: GroupShape>(_: &GroupContext<'g, S>, value: T) -> Self {
        Self { value, _group: core::marker::PhantomData }
    }
}

// SAFETY: a thread keeps its warp's value only.
unsafe impl<T: Copy + 'static> WarpItems for &mut WarpPrivate<'_, T> {
    type Item<'i> = &'i mut T;
    type Part = *mut T;

    #[inline(always)]
    #[track_caller]
    fn check(&self, threads: usize, warps: usize) {
        only_warps(threads, warps);
    }

    #[inline(always)]
    unsafe fn part(&mut self, _: WarpPlace) -> *mut T {
        &raw mut self.values.value
    }

    #[inline(always)]
    unsafe fn lend(value: &mut *mut T) -> &mut T {
        // SAFETY: the value is borrowed exclusively, and outlives what is lent.
        unsafe { &mut **value }
    }
}
