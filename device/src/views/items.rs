use gridwright_core::KernelArg;

use super::{
    Atomics, Deinterleaved, Elements, ElementsMut, First, NewMut, OfGroup, OwnMut, Patches, ReadElements,
    ReadTile, Shared, Slots, View,
};
use crate::arch::{GroupContext, GroupShape, PrivateValues, Turns};
use crate::per_thread::OwnShape;
use crate::thread::Repeatable;
use crate::{Private, PrivateMut, RowPart, Thread};

/// Views that a phase can hand out to threads: a [`View`], or a tuple of up to sixteen.
///
/// Phases of a group take them (see *Glossary* in the book: item, level); [`LaneItems`](crate::LaneItems) are a warp's.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::views::Items;
///
/// /// A phase that does nothing but to hand out.
/// fn touch<S: GroupShape>(g: &Group<'_, S>, items: impl Items) {
///     g.each(items, |_, _| {});
/// }
/// ```
///
/// # Safety
/// Each method calls the body as [`Group`](crate::Group)'s method of that name says, with the items of the thread
/// that it also gets.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't something that a phase can hand out",
    label = "not a view, and not a tuple of views",
    note = "a phase hands out views, alone or in a tuple of up to 16, and more in several phases: `w.elements()`, `w.elements_mut()`, `w.shared()`, \
            `w.atomic()`, `y.elements_mut()`, `x.elements_from(start)`, `&private`, `&mut private`"
)]
pub unsafe trait Items: Sized {
    /// The items that a thread gets.
    type Item<'i>;

    #[doc(hidden)]
    #[track_caller]
    fn each<S, F>(self, context: &GroupContext<'_, S>, body: F)
    where
        S: GroupShape,
        F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>);

    #[doc(hidden)]
    #[track_caller]
    fn map<'g, S, R, F>(self, context: &GroupContext<'g, S>, body: F) -> PrivateValues<'g, R>
    where
        S: GroupShape,
        R: Copy + 'static,
        F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>) -> R;

    #[doc(hidden)]
    #[track_caller]
    fn each_while<S, N, F>(self, context: &GroupContext<'_, S>, turns: N, body: F)
    where
        S: GroupShape,
        N: Turns,
        F: for<'t, 'i> Fn(Thread<'t, Repeatable>, Self::Item<'i>) -> bool;

    #[doc(hidden)]
    #[track_caller]
    fn each_while_branching<S, F>(self, context: &GroupContext<'_, S>, body: F)
    where
        S: GroupShape,
        F: for<'t, 'i> Fn(Thread<'t>, Self::Item<'i>) -> bool;
}

/// Views with which every thread of the group takes part in a phase: all but a [`Take`](crate::Take).
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::views::Whole;
///
/// /// The number of each thread, beside items in which all take part.
/// fn numbers<'k, S: GroupShape>(g: &Group<'k, S>, items: impl Whole) -> Private<'k, usize> {
///     g.map(items, |t, _| t.index())
/// }
/// ```
///
/// # Safety
/// [`View::PARTIAL`] is false for each.
#[diagnostic::on_unimplemented(
    message = "`map` makes a value for each thread of the group, so every thread has to take part",
    label = "some threads don't take part in `{Self}`",
    note = "use `each` with `.take(n)`, or `map` with `.first(n)`, of which each thread gets an `Option`"
)]
pub unsafe trait Whole: Items {}

macro_rules! whole {
    ($([$($generics:tt)*] $view:ty;)*) => {$(
        // SAFETY: the view is for all threads.
        unsafe impl<$($generics)*> Whole for $view where $view: View {}
    )*};
}

whole! {
    ['a, S: ?Sized + Slots, M] ElementsMut<'a, S, M>;
    ['a, S: ?Sized + Slots, M] Elements<'a, S, M>;
    ['a, S: ?Sized + Slots, const OF_GRID: bool] Shared<'a, S, OF_GRID>;
    ['a, S: ?Sized + Slots] Atomics<'a, S>;
    ['a, S: ?Sized + OwnShape, M] OwnMut<'a, S, M>;
    ['a, T: KernelArg, const DEINTERLEAVED: bool] NewMut<'a, T, DEINTERLEAVED>;
    ['a, 'd, T: KernelArg] &'a Deinterleaved<'d, T>;
    ['a, T: KernelArg] ReadElements<'a, T>;
    ['a, T: KernelArg] ReadTile<'a, T>;
    ['a, T: KernelArg, const OF_WARP: bool] RowPart<'a, T, OF_WARP>;
    ['a, T, const R: usize, const C: usize] Patches<'a, T, R, C>;
    ['a, 'g, T: Copy + 'static] &'a Private<'g, T>;
    ['a, 'g, T: Copy + 'static] &'a mut Private<'g, T>;
    ['a, 'g, T: Copy + 'static] &'a PrivateMut<'g, T>;
    ['a, 'g, T: Copy + 'static] &'a mut PrivateMut<'g, T>;
}

// SAFETY: the inner view is.
unsafe impl<V: View + Whole> Whole for OfGroup<V> {}
// SAFETY: all threads take part; those beyond the first ones get nothing.
unsafe impl<V: View + Whole> Whole for First<V> {}

macro_rules! whole_tuple {
    ($($view:ident $index:tt),*) => {
        // SAFETY: each view is for all threads.
        unsafe impl<$($view: View + Whole),*> Whole for ($($view,)*) {}
    };
}

crate::tuples::tuples_of_views!(whole_tuple);
