use core::hint::assert_unchecked;
use core::marker::PhantomData;

use gridwright_core::KernelArg;

use crate::per_thread::{OwnMap, OwnShape};
use crate::views::{Atomics, Slots};
use crate::{Access, PerThread, Workgroup, WorkgroupMut};

/// Place of a warp in its group, or of a group in its grid.
#[derive(Clone, Copy, Debug)]
pub struct WarpPlace {
    /// Number of the warp in its group, from zero on.
    pub(crate) index: usize,
    /// The number of the warp's first thread.
    pub(crate) first: usize,
    /// Number of the warp's threads.
    pub(crate) threads: usize,
    /// Number of the group's warps.
    pub(crate) warps: usize,
}

/// Memory and values that [`Group::each_warp`](crate::Group::each_warp) can hand out to warps, alone or in a tuple of
/// up to eight.
///
/// | given | each warp gets |
/// |---|---|
/// | `w.warp_chunks_mut(n)` of workgroup memory | `n` elements of its own, a [`WorkgroupMut`] |
/// | `w.atomic()` of workgroup memory | all of it, to update: [`Atomics`], which may be used again and again |
/// | `&private` | its threads' values, to read: `&Private` |
/// | `&mut private` | the same, to change: a [`PrivateMut`](crate::PrivateMut) |
/// | `&mut y` of a [`PerThread`] | what its threads own, a `PerThread` |
/// | `&mut values` of a [`WarpPrivate`](crate::WarpPrivate) | its own value: `&mut T` |
/// | `c.warp_tiles_mut::<R, C>()` of a [`PerGroup<Matrix<T>, Tiles<…>>`](crate::PerGroup) | a tile of the group's, a [`WarpTile`](crate::WarpTile) |
/// | `y.warp_rows_mut()` of a [`PerGroup<Matrix<T>, Rows<N>>`](crate::PerGroup) | rows of the group's, a [`RowsOfWarp`](crate::RowsOfWarp) |
///
/// ```
/// # use gridwright::prelude::*;
/// fn sum_each_warp<S: GroupShape>(
///     g: &Group<'_, S>,
///     values: &Private<'_, u32>,
///     mut sums: Workgroup<'_, [u32; 32]>,
/// ) {
///     g.each_warp((values, sums.warp_chunks_mut(1)), |w, (values, mut sum)| {
///         w.set(&mut sum, 0, w.reduce(values, |a, b| a + b));
///     });
/// }
/// ```
///
/// # Safety
/// What a warp can write through its item, no other warp has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't something that warps can be given",
    label = "not for warps, and not a tuple of what is",
    note = "`each_warp` gives warps `w.warp_chunks_mut(n)`, `w.atomic()`, `&private`, `&mut private`, `&mut y` of a `PerThread`, \
            `&mut values` of a `WarpPrivate`, `c.warp_tiles_mut::<R, C>()` of a `PerGroup` of tiles and `y.warp_rows_mut()` of one \
            of rows, alone or in a tuple of up to 8; workgroup memory that they only read, the closure captures: `w.each(table.shared(), …)`"
)]
pub unsafe trait WarpItems: Sized {
    /// The item that a warp gets.
    type Item<'i>;
    /// Holder of a warp's item while the warp has the item.
    #[doc(hidden)]
    type Part;
    /// What warps do to memory that others of the group see afterwards. They may also read what the closure captured, which
    /// the group's next phase may write.
    #[doc(hidden)]
    const ACCESS: Access = Access::Write;

    /// # Panics
    /// With less than a group of so many threads and warps needs.
    #[doc(hidden)]
    #[track_caller]
    fn check(&self, threads: usize, warps: usize);

    /// # Safety
    /// The items were checked for the group that the warp is of; the warp gets its part once.
    #[doc(hidden)]
    unsafe fn part(&mut self, warp: WarpPlace) -> Self::Part;

    /// # Safety
    /// Once for each part, while `self` isn't used otherwise.
    #[doc(hidden)]
    unsafe fn lend<'i>(part: &'i mut Self::Part) -> Self::Item<'i>;
}

/// A view of workgroup memory that gives each warp a part of its own.
///
/// [`Workgroup::warp_chunks_mut`] makes it, for [`Group::each_warp`](crate::Group::each_warp).
///
/// ```
/// # use gridwright::prelude::*;
/// fn number_lanes<S: GroupShape>(g: &Group<'_, S>, mut memory: Workgroup<'_, [u32; 1024]>) {
///     g.each_warp(memory.warp_chunks_mut(g.warp_size()), |w, memory| {
///         w.each(memory.elements_mut(), |t, slot| *slot = t.lane() as u32);
///     });
/// }
/// ```
#[derive(Debug)]
pub struct WarpChunks<'a, T: KernelArg> {
    memory: WorkgroupMut<'a, T>,
    len: usize,
}

impl<'a, T: KernelArg> WarpChunks<'a, T> {
    #[inline(always)]
    pub(crate) fn new(memory: WorkgroupMut<'a, T>, len: usize) -> Self {
        Self { memory, len }
    }
}

// SAFETY: warps have different numbers, and so parts that don't overlap.
unsafe impl<T: KernelArg> WarpItems for WarpChunks<'_, T> {
    type Item<'i> = WorkgroupMut<'i, T>;
    type Part = *mut [T];

    #[inline(always)]
    fn check(&self, _: usize, warps: usize) {
        let (len, all) = (self.len, self.memory.len());
        // The last warp's part may be shorter, but not empty.
        let reaches_the_last = (warps - 1).checked_mul(len).is_some_and(|first| first < all);
        if len == 0 || !reaches_the_last {
            too_few_parts(all, len, warps);
        }
    }

    #[inline(always)]
    unsafe fn part(&mut self, warp: WarpPlace) -> *mut [T] {
        let (first, all) = (warp.index * self.len, self.memory.len());
        // SAFETY: `check` saw that the last warp's first element is inside, and that parts aren't empty.
        unsafe { assert_unchecked(first < all && self.len > 0) };
        let len = self.len.min(all - first);
        core::ptr::slice_from_raw_parts_mut(self.memory.0.element(first), len)
    }

    #[inline(always)]
    unsafe fn lend<'i>(part: &'i mut *mut [T]) -> WorkgroupMut<'i, T> {
        // SAFETY: the part is inside the memory, which is borrowed exclusively, and this warp's own.
        WorkgroupMut(unsafe { Workgroup::from_raw(*part) })
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn too_few_parts(all: usize, len: usize, warps: usize) -> ! {
    panic!("workgroup memory of {all} elements was handed to {warps} warps, {len} to each")
}

// SAFETY: updates are atomic.
unsafe impl<'a, S: ?Sized + Slots + 'static> WarpItems for Atomics<'a, S> {
    type Item<'i> = Atomics<'i, S>;
    type Part = Self;

    #[inline(always)]
    fn check(&self, _: usize, _: usize) {}

    #[inline(always)]
    unsafe fn part(&mut self, _: WarpPlace) -> Self {
        *self
    }

    #[inline(always)]
    unsafe fn lend<'i>(part: &'i mut Self) -> Atomics<'i, S> {
        Atomics { pointer: part.pointer, _memory: PhantomData }
    }
}

// SAFETY: phases give threads their own elements only, and threads are of one warp.
unsafe impl<'a, 'k, S, M> WarpItems for &'a mut PerThread<'k, S, M>
where
    S: ?Sized + OwnShape + 'static,
    M: OwnMap<S> + 'static,
    S::Element: 'static,
{
    type Item<'i> = PerThread<'i, S, M>;
    type Part = PerThread<'a, S, M>;

    #[inline(always)]
    fn check(&self, _: usize, _: usize) {}

    #[inline(always)]
    unsafe fn part(&mut self, _: WarpPlace) -> Self::Part {
        // SAFETY: it is borrowed exclusively for 'a, and one warp's threads get none of another's.
        unsafe { self.copy() }
    }

    #[inline(always)]
    unsafe fn lend<'i>(part: &'i mut Self::Part) -> PerThread<'i, S, M> {
        // SAFETY: one warp's threads get none of another's elements, and the part isn't used while the copy is.
        unsafe { part.copy() }
    }
}

macro_rules! tuples {
    ($($item:ident $i:tt),*) => {
        #[allow(unused_unsafe, unused_variables, clippy::unused_unit)] // with no items
        // SAFETY: each has its own.
        unsafe impl<$($item: WarpItems),*> WarpItems for ($($item,)*) {
            type Item<'i> = ($($item::Item<'i>,)*);
            type Part = ($($item::Part,)*);
            const ACCESS: Access = {
                let access = Access::Write;
                $(let access = access.and($item::ACCESS);)*
                access
            };

            #[inline(always)]
            fn check(&self, threads: usize, warps: usize) {
                $(self.$i.check(threads, warps);)*
            }

            #[inline(always)]
            unsafe fn part(&mut self, warp: WarpPlace) -> Self::Part {
                // SAFETY: each item was checked for the warp's group, and gives the warp its part once, as this function asks.
                unsafe { ($(self.$i.part(warp),)*) }
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
