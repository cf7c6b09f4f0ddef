use gridwright_core::KernelArg;

use super::{
    Atomics, Elements, ElementsMut, First, Items, NewMut, OneAxis, OwnMut, ReadElements, Shared, Slots, Take,
    View,
};
use crate::per_thread::OwnShape;
use crate::{Private, PrivateMut, RowPart};

/// Views that phases of a [`Warp`](crate::Warp) can hand out to lanes.
///
/// A warp is a run of the group's threads. So it has no part of memory with a place for each thread of the group on several axes.
/// (See *Glossary* in the book: item, level.)
///
/// | handed out | a lane gets |
/// |---|---|
/// | `x.elements_from(start)` of a slice | element `start` + *lane* |
/// | `w.elements()` and `w.elements_mut()` of workgroup memory of one axis, also reversed, strided, padded or with `take` or `first` | the slot of its lane |
/// | `row.elements_from_mut(start)` of a [`WarpRow`](crate::WarpRow) | element `start` + *lane* of the row |
/// | `y.elements_mut()` and `y.elements_new()` of a [`PerThread`](crate::PerThread) | what the thread owns |
/// | `w.shared()`, `w.atomic()` | all of it |
/// | `&private`, `&mut private` | the thread's value |
///
/// Lanes get elements of a matrix's row by `m.row(row).elements_from(col)`.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::warp::LaneItems;
///
/// /// The number of each lane, beside items that lanes can get.
/// fn numbers<'w, S: GroupShape>(w: &Warp<'w, S>, items: impl LaneItems) -> Private<'w, usize> {
///     let mut numbers = w.private(0);
///     w.each(items, |_, _| {});
///     w.each(&mut numbers, |t, number| *number = t.lane());
///     numbers
/// }
/// ```
///
/// # Safety
/// None: what an item is of is for [`Items`] to say. It is unsafe as those are, so that nobody implements it.
#[diagnostic::on_unimplemented(
    message = "a phase of a warp can't hand out `{Self}`",
    label = "goes by a thread's column and row in its group, not by its lane",
    note = "of a matrix's row lanes get elements by `m.row(row).elements_from(col)`, of workgroup memory of one axis by `w.elements()`; \
            of memory of several axes `w.shared()` gives a lane all"
)]
pub unsafe trait LaneItems: Items {}

macro_rules! by_lane {
    ($([$($generics:tt)*] $view:ty;)*) => {$(
        // SAFETY: it goes by the thread's number among those at hand, or by what is the thread's own.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generics)*> LaneItems for $view where $view: View {}
    )*};
}

by_lane! {
    ['a, S: ?Sized + OneAxis, M] ElementsMut<'a, S, M>;
    ['a, S: ?Sized + OneAxis, M] Elements<'a, S, M>;
    ['a, S: ?Sized + Slots, const OF_GRID: bool] Shared<'a, S, OF_GRID>;
    ['a, S: ?Sized + Slots] Atomics<'a, S>;
    ['a, S: ?Sized + OwnShape, M] OwnMut<'a, S, M>;
    ['a, T: KernelArg, const DEINTERLEAVED: bool] NewMut<'a, T, DEINTERLEAVED>;
    ['a, T: KernelArg] ReadElements<'a, T>;
    ['a, T: KernelArg] RowPart<'a, T, true>;
    ['a, 'g, T: Copy + 'static] &'a Private<'g, T>;
    ['a, 'g, T: Copy + 'static] &'a mut Private<'g, T>;
    ['a, 'g, T: Copy + 'static] &'a PrivateMut<'g, T>;
    ['a, 'g, T: Copy + 'static] &'a mut PrivateMut<'g, T>;
}

// SAFETY: the inner view does.
unsafe impl<V: View + LaneItems> LaneItems for Take<V> {}
// SAFETY: the inner view does, and who is among the first is a matter of the thread's number.
unsafe impl<V: View + LaneItems> LaneItems for First<V> {}

macro_rules! tuple {
    ($($view:ident $index:tt),*) => {
        // SAFETY: each view does.
        unsafe impl<$($view: View + LaneItems),*> LaneItems for ($($view,)*) {}
    };
}

crate::tuples::tuples_of_views!(tuple);
