use gridwright_core::KernelArg;

use crate::arch::{LaunchId, unwritten};
use crate::per_group::GroupWindow;
use crate::per_thread::{OwnMap, OwnShape};
use crate::views::{Slots, check_launch};
use crate::warp::{WarpItems, WarpPlace};
use crate::{PerGroup, PerThread, Private, Workgroup};

/// Memory and values that [`Grid::each_group`](crate::Grid::each_group) can hand out to workgroups, alone or in a
/// tuple of up to eight.
///
/// | given | each group gets |
/// |---|---|
/// | `x.per_thread()` of a [`GridMemory`](crate::GridMemory), `&mut y` of a [`PerThread`] | what its threads own, a `PerThread` |
/// | `x.per_group()` of a `GridMemory` | its own element, a [`PerGroup`] |
/// | `&private` | its threads' values, to read: `&Private` |
/// | `&mut private` | the same, to change: a [`PrivateMut`](crate::PrivateMut) |
/// | `&mut w` of a [`Workgroup`] | its workgroup memory, whose bytes mean nothing yet |
///
/// The closure captures a `GridMemory` that the groups only read: `g.each(table.shared(), …)`.
///
/// ```
/// # use gridwright::prelude::*;
/// fn sum_each_group<S: GroupShape>(
///     grid: &Grid<'_, S>,
///     mut x: GridMemory<'_, [f32]>,
///     mut sums: GridMemory<'_, [f32]>,
/// ) {
///     grid.each_group((x.per_thread(), sums.per_group()), |g, (mut x, mut sum)| {
///         let mine = g.map(x.elements_mut(), |_, x| x.map_or(0.0, |x| *x));
///         sum.set(g, g.reduce(&mine, |a, b| a + b));
///     });
/// }
/// ```
///
/// # Safety
/// What a group can write through its item, no other group has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't something that the groups of a grid can be given",
    label = "not for groups, and not a tuple of what is",
    note = "`each_group` gives groups `x.per_thread()` and `x.per_group()` of a `GridMemory`, `&mut y` of a `PerThread`, \
            `&private`, `&mut private` and `&mut w` of a `Workgroup`, alone or in a tuple of up to 8; a `GridMemory` that \
            they only read, the closure captures: `g.each(table.shared(), …)`"
)]
pub unsafe trait GridItems: Sized {
    /// The item that a group of the grid gets.
    type Item<'i>;
    /// Holder of a group's item while the group has the item.
    #[doc(hidden)]
    type Part;

    /// # Panics
    /// With less than a grid of so many threads needs, or with memory of another launch than the grid's.
    #[doc(hidden)]
    #[track_caller]
    fn check(&self, threads: usize, launch: LaunchId);

    /// # Safety
    /// The items were checked for the grid that the group is of; the group gets its part once.
    #[doc(hidden)]
    unsafe fn part(&mut self, group: WarpPlace) -> Self::Part;

    /// # Safety
    /// Once for each part, while `self` isn't used otherwise.
    #[doc(hidden)]
    unsafe fn lend<'i>(part: &'i mut Self::Part) -> Self::Item<'i>;
}

/// A view of a [`GridMemory`](crate::GridMemory) in parts, for the groups of [`Grid::each_group`](crate::Grid::each_group) only.
///
/// [`GridMemory::per_thread`](crate::GridMemory::per_thread) and [`GridMemory::per_group`](crate::GridMemory::per_group) make it.
///
/// A phase of the grid doesn't hand it out, since that ends with a barrier only for views that say that other threads see them:
///
/// ```compile_fail,E0599
/// # use gridwright::prelude::*;
/// #[gpu_kernel]
/// fn by_the_grid(grid: &Grid, mut x: GridMemory<[u32]>) {
///     grid.each(x.per_thread().elements_mut(), |_, _| {});
/// }
/// ```
///
/// ```
/// # use gridwright::prelude::*;
/// #[gpu_kernel]
/// fn number_elements(grid: &Grid, mut x: GridMemory<[u32]>) {
///     grid.each_group(x.per_thread(), |g, mut x| {
///         g.each(x.elements_mut(), |t, x| {
///             if let Some(x) = x {
///                 *x = t.index() as u32;
///             }
///         });
///     });
/// }
/// ```
#[derive(Debug)]
pub struct GridParts<P>(pub(super) P);

/// Implements items that a group gets by the numbers of its threads, as a warp does.
macro_rules! as_warps {
    ($([$($generics:tt)*] $items:ty;)*) => {$(
        // SAFETY: groups have different threads, as warps have.
        unsafe impl<$($generics)*> GridItems for $items {
            type Item<'i> = <Self as WarpItems>::Item<'i>;
            type Part = <Self as WarpItems>::Part;

            #[inline(always)]
            fn check(&self, threads: usize, _: LaunchId) {
                WarpItems::check(self, threads, 1);
            }

            #[inline(always)]
            unsafe fn part(&mut self, group: WarpPlace) -> Self::Part {
                // SAFETY: the items were checked for the group's grid, and the group gets its part once, as this function asks.
                unsafe { WarpItems::part(self, group) }
            }

            #[inline(always)]
            unsafe fn lend<'i>(part: &'i mut Self::Part) -> Self::Item<'i> {
                // SAFETY: each part is lent once, while the items aren't used otherwise, as this function asks.
                unsafe { <Self as WarpItems>::lend(part) }
            }
        }
    )*};
}

as_warps! {
    ['a, 'g, T: Copy + 'static] &'a Private<'g, T>;
    ['a, 'g, T: Copy + 'static] &'a mut Private<'g, T>;
    ['a, 'k, S: ?Sized + OwnShape<Element: 'static> + 'static, M: OwnMap<S> + 'static] &'a mut PerThread<'k, S, M>;
}

// SAFETY: phases give threads their own elements only, and threads are of one group.
unsafe impl<'a, T: KernelArg> GridItems for GridParts<PerThread<'a, [T]>> {
    type Item<'i> = PerThread<'i, [T]>;
    type Part = PerThread<'a, [T]>;

    #[inline(always)]
    fn check(&self, _: usize, launch: LaunchId) {
        check_launch(launch, self.0.launch());
    }

    #[inline(always)]
    unsafe fn part(&mut self, _: WarpPlace) -> Self::Part {
        // SAFETY: it is there for 'a, and one group's threads get none of another's.
        unsafe { self.0.copy() }
    }

    #[inline(always)]
    unsafe fn lend<'i>(part: &'i mut Self::Part) -> PerThread<'i, [T]> {
        // SAFETY: one group's threads get none of another's elements, and the part isn't used while the copy is.
        unsafe { part.copy() }
    }
}

// SAFETY: a group's index is its own.
unsafe impl<'a, T: KernelArg> GridItems for GridParts<PerGroup<'a, [T]>> {
    type Item<'i> = PerGroup<'i, [T]>;
    type Part = (*mut T, GroupWindow, LaunchId);

    #[inline(always)]
    fn check(&self, _: usize, launch: LaunchId) {
        check_launch(launch, self.0.launch());
    }

    #[inline(always)]
    unsafe fn part(&mut self, group: WarpPlace) -> Self::Part {
        (self.0.pointer(), GroupWindow { group: group.index, len: self.0.len() }, self.0.launch())
    }

    #[inline(always)]
    unsafe fn lend<'i>(&mut (pointer, window, launch): &'i mut Self::Part) -> PerGroup<'i, [T]> {
        // SAFETY: the memory is borrowed exclusively for longer, and the window is this group's own.
        unsafe { PerGroup::from_raw(pointer, window, launch) }
    }
}

// SAFETY: each group has memory of its own; where they run one after the other, one has it at a time.
unsafe impl<S: ?Sized + Slots> GridItems for &mut Workgroup<'_, S> {
    type Item<'i> = Workgroup<'i, S>;
    type Part = *mut S;

    #[inline(always)]
    fn check(&self, _: usize, _: LaunchId) {}

    #[inline(always)]
    unsafe fn part(&mut self, _: WarpPlace) -> *mut S {
        // SAFETY: the memory is borrowed exclusively.
        unsafe { unwritten(self.element(0), self.count()) };
        self.whole()
    }

    #[inline(always)]
    unsafe fn lend<'i>(pointer: &'i mut *mut S) -> Workgroup<'i, S> {
        // SAFETY: the memory is borrowed exclusively for longer, and nothing else refers to it meanwhile.
        unsafe { Workgroup::from_raw(*pointer) }
    }
}

macro_rules! tuples {
    ($($item:ident $i:tt),*) => {
        #[allow(unused_unsafe, unused_variables, clippy::unused_unit)] // with no items
        // SAFETY: each has its own.
        unsafe impl<$($item: GridItems),*> GridItems for ($($item,)*) {
            type Item<'i> = ($($item::Item<'i>,)*);
            type Part = ($($item::Part,)*);

            #[inline(always)]
            fn check(&self, threads: usize, launch: LaunchId) {
                $(self.$i.check(threads, launch);)*
            }

            #[inline(always)]
            unsafe fn part(&mut self, group: WarpPlace) -> Self::Part {
                // SAFETY: each item was checked for the group's grid, and gives the group its part once, as this function asks.
                unsafe { ($(self.$i.part(group),)*) }
            }

            #[inline(always)]
            unsafe fn lend<'i>(part: &'i mut Self::Part) -> Self::Item<'i> {
                // SAFETY: each part is lent once, while the items aren't used otherwise, as this function asks.
                unsafe { ($($item::lend(&mut part.$i),)*) }
            }
        }
    };
}

crate::tuples::tuples_of_items!(tuples);
