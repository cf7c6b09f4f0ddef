use gridwright_core::KernelArg;

use super::StrideMut;
use crate::Private;
use crate::per_thread::OwnShape;
use crate::views::{Items, NewMut, OfGroup, OwnMut, ReadElements, ReadTile, Shared, Slots, View};

/// Views that a phase of a [`Grid`](crate::Grid) can hand out: views of what there is once for the whole grid.
///
/// Views of a [`Workgroup`](crate::Workgroup) aren't among them, since each group has its own. They are for
/// [`Grid::each_group`](crate::Grid::each_group).
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::grid::GridWide;
///
/// /// A phase that does nothing but to hand out.
/// fn touch<S: GroupShape>(grid: &Grid<'_, S>, items: impl GridWide) {
///     grid.each(items, |_, _| {});
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't something that a phase of a grid can hand out",
    label = "not of the whole grid, and not a tuple of what is",
    note = "a phase of a grid hands out `x.elements_mut()`, `x.grid_stride_mut()` and `x.shared()` of a `GridMemory`, \
            `y.elements_mut()` of a `PerThread`, `x.elements_from(start)`, `&private` and `&mut private`, alone or in a tuple of up \
            to 8; for workgroup memory, which each group has for itself, there is `each_group`"
)]
pub trait GridWide: Items {}

macro_rules! grid_wide {
    ($([$($generics:tt)*] $view:ty;)*) => {$(
        impl<$($generics)*> GridWide for $view where $view: Items {}
    )*};
}

grid_wide! {
    ['a, S: ?Sized + Slots] Shared<'a, S, true>;
    ['a, S: ?Sized + OwnShape, M] OwnMut<'a, S, M>;
    ['a, S: ?Sized + OwnShape, M] OfGroup<OwnMut<'a, S, M>>;
    ['a, T: KernelArg] StrideMut<'a, T>;
    ['a, T: KernelArg, const DEINTERLEAVED: bool] NewMut<'a, T, DEINTERLEAVED>;
    ['a, T: KernelArg] ReadElements<'a, T>;
    ['a, T: KernelArg] ReadTile<'a, T>;
    ['a, 'g, T: Copy + 'static] &'a Private<'g, T>;
    ['a, 'g, T: Copy + 'static] &'a mut Private<'g, T>;
}

macro_rules! tuple {
    ($($view:ident $index:tt),*) => {
        impl<$($view: View + GridWide),*> GridWide for ($($view,)*) where Self: Items {}
    };
}

crate::tuples::tuples_of_views!(tuple);
