use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use super::identity::WARP;
use super::private_values::PrivateValues;
use crate::warp::{WarpItems, WarpPlace, WarpPrivate, only_warps};

/// The values of a [`WarpPrivate`], one for each warp of the group.
#[derive(Debug)]
pub struct WarpPrivateValues<'g, T>(PrivateValues<'g, T>);

impl<'g, T: Copy + 'static> WarpPrivateValues<'g, T> {
    /// PrivateValues that hold `value` for each warp.
    #[inline(always)]
    pub(crate) fn filled<S: GroupShape>(context: &GroupContext<'g, S>, value: T) -> Self {
        Self(PrivateValues::of_count(context, context.threads().div_ceil(WARP), value))
    }
}

// SAFETY: warps have values of their own.
unsafe impl<T: Copy + 'static> WarpItems for &mut WarpPrivate<'_, T> {
    type Item<'i> = &'i mut T;
    type Part = *mut T;

    #[inline(always)]
    #[track_caller]
    fn check(&self, threads: usize, warps: usize) {
        only_warps(threads, warps);
        self.values.0.check(warps);
    }

    #[inline(always)]
    unsafe fn part(&mut self, warp: WarpPlace) -> *mut T {
        // SAFETY: `check` saw that there is a value for each warp.
        unsafe { self.values.0.values_mut().get_unchecked_mut(warp.index) }
    }

    #[inline(always)]
    unsafe fn lend(value: &mut *mut T) -> &mut T {
        // SAFETY: the warp's own value, which is borrowed exclusively and outlives what is lent.
        unsafe { &mut **value }
    }
}
