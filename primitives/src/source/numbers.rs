//! Sources without memory.

use gridwright::prelude::*;

use super::{Leaves, Source};

/// One value, again and again.
///
/// ```
/// use gridwright_primitives::source::Constant;
/// use gridwright_primitives::{Input, constant};
///
/// fn takes<'b>(_: impl Input<'b, Source = Constant<f32>>) {}
///
/// takes(constant(1.5).take(10));
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct Constant<T> {
    pub(crate) value: T,
}

/// Numbers from a first one on.
///
/// ```
/// use gridwright_primitives::source::Counting;
/// use gridwright_primitives::{Input, counting};
///
/// fn takes<'b>(_: impl Input<'b, Source = Counting>) {}
///
/// takes(counting(1).take(10));
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct Counting {
    pub(crate) first: u64,
}

argument!([T: KernelArg] Constant<T> { value: T });
argument!([] Counting { first: u64 });

// SAFETY: nothing is read.
unsafe impl<T: KernelArg> Source for Constant<T> {
    type Item = T;
    type Leaves<Rest: Leaves> = Rest;

    #[inline(always)]
    unsafe fn get<Rest: Leaves>(self, _: usize, rest: Rest::Slices<'_>) -> (T, Rest::Slices<'_>) {
        (self.value, rest)
    }
}

// SAFETY: nothing is read.
unsafe impl Source for Counting {
    type Item = u64;
    type Leaves<Rest: Leaves> = Rest;

    #[inline(always)]
    unsafe fn get<Rest: Leaves>(self, i: usize, rest: Rest::Slices<'_>) -> (u64, Rest::Slices<'_>) {
        (self.first.wrapping_add(i as u64), rest)
    }
}
