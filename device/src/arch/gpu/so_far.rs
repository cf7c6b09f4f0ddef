use gridwright_core::KernelArg;

use super::warp_lanes::Warp;

/// The values up to this thread's: in its warp, and before it.
#[derive(Debug)]
pub struct SoFar<T> {
    pub(super) warp: Warp,
    /// The values of the warp's lanes up to this one, combined.
    pub(super) in_warp: T,
    /// The values of the threads before the warp, combined, if there are any.
    pub(super) before: Option<T>,
}

impl<T: KernelArg> SoFar<T> {
    #[inline(always)]
    pub(super) fn of_warp(warp: Warp, value: T, combine: impl Fn(T, T) -> T) -> Self {
        Self { warp, in_warp: warp.combined_so_far(value, combine), before: None }
    }

    /// What so far was combined, after values that come before all of it.
    #[inline(always)]
    pub(super) fn after(self, earlier: Option<T>, combine: impl Fn(T, T) -> T) -> Self {
        let before = match (earlier, self.before) {
            (Some(earlier), Some(before)) => Some(combine(earlier, before)),
            (earlier, before) => earlier.or(before),
        };
        Self { before, ..self }
    }

    /// With this thread's own value.
    #[inline(always)]
    pub(super) fn inclusive(&self, combine: impl Fn(T, T) -> T) -> T {
        match self.before {
            Some(before) => combine(before, self.in_warp),
            None => self.in_warp,
        }
    }

    /// Without this thread's own value, after `start`.
    #[inline(always)]
    pub(super) fn exclusive(&self, start: T, combine: impl Fn(T, T) -> T) -> T {
        let (of_the_one_before, is_there) = self.warp.value_before(self.in_warp, 1);
        let start = match self.before {
            Some(before) => combine(start, before),
            None => start,
        };
        if is_there { combine(start, of_the_one_before) } else { start }
    }
}
