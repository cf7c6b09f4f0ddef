use core::fmt;
use core::ops::Deref;

use crate::arch::{Identity, Lent};
use crate::{Access, Private, View};

/// A warp's part of a group's [`Private`], which the warp can change: [`Group::each_warp`] gives it for `&mut private`.
///
/// The warp's phases hand it out as `&values` or `&mut values`; its collectives take `&values`.
///
/// [`Group::each_warp`]: crate::Group::each_warp
///
/// ```
/// # use gridwright::prelude::*;
/// fn sum_each_warp<S: GroupShape>(g: &Group<'_, S>, sum: &mut Private<'_, f32>) {
///     g.each_warp(sum, |w, mut sum| {
///         let total = w.reduce(&sum, |a, b| a + b);
///         w.each(&mut sum, |_, sum| *sum = total);
///     });
/// }
/// ```
pub struct PrivateMut<'i, T: Copy + 'static> {
    values: Lent<'i, T>,
}

impl<'i, T: Copy + 'static> PrivateMut<'i, T> {
    #[inline(always)]
    pub(crate) fn new(values: Lent<'i, T>) -> Self {
        Self { values }
    }
}

impl<'i, T: Copy + 'static> Deref for PrivateMut<'i, T> {
    type Target = Private<'i, T>;

    #[inline(always)]
    fn deref(&self) -> &Private<'i, T> {
        &self.values
    }
}

impl<T: Copy + 'static> fmt::Debug for PrivateMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateMut").finish_non_exhaustive()
    }
}

macro_rules! views {
    ($($values:ty, $private:ty, $this:ident => $inner:expr;)*) => {$(
        // SAFETY: items, access and sizes are those of the private's own views.
        unsafe impl<'a, 'g, T: Copy + 'static> View for $values {
            type Item<'i> = <$private as View>::Item<'i>;
            type Arg = <$private as View>::Arg;
            type Sizes = ();
            type State = T;
            const ACCESS: Access = Access::None;

            #[inline(always)]
            #[track_caller]
            fn check(&self, block: [usize; 3], threads: usize) {
                View::check(&&*self.values, block, threads);
            }

            #[inline(always)]
            unsafe fn open(self) -> (Self::Arg, ()) {
                let $this = self;
                // SAFETY: a phase's loop opens the values, for one thread's item at a time, as this function asks.
                unsafe { View::open($inner) }
            }

            #[inline(always)]
            unsafe fn item<'i>(arg: &mut Self::Arg, (): (), thread: Identity<'_>) -> Self::Item<'i> {
                // SAFETY: the values were checked for the group, and no other item of the thread lives, as this function asks.
                unsafe { <$private>::item(arg, (), thread) }
            }

            #[inline(always)]
            unsafe fn load(arg: &mut Self::Arg, (): (), thread: Identity<'_>) -> T {
                // SAFETY: the values were checked for the group, and no other item of the thread lives, as this function asks.
                unsafe { <$private>::load(arg, (), thread) }
            }

            #[inline(always)]
            unsafe fn lend<'i>(state: &'i mut T) -> Self::Item<'i> {
                // SAFETY: the state was loaded from values that still live, as this function asks.
                unsafe { <$private>::lend(state) }
            }

            #[inline(always)]
            unsafe fn store(arg: &mut Self::Arg, (): (), thread: Identity<'_>, state: T) {
                // SAFETY: the values were checked for the group, and no other item of the thread lives, as this function asks.
                unsafe { <$private>::store(arg, (), thread, state) };
            }
        }
    )*};
}

views! {
    &'a mut PrivateMut<'g, T>, &'a mut Private<'g, T>, this => &mut *this.values;
    &'a PrivateMut<'g, T>, &'a Private<'g, T>, this => &*this.values;
}
