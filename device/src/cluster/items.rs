use gridwright_core::KernelArg;

use super::{ClusterAtomics, ClusterMemory, ClusterParts};
use crate::arch::{self, LaunchId};
use crate::per_group::GroupWindow;
use crate::per_thread::{OwnMap, OwnShape};
use crate::views::Slots;
use crate::warp::{WarpItems, WarpPlace};
use crate::{PerGroup, PerThread, Private, Workgroup};

/// Place of a group in its cluster.
#[derive(Clone, Copy, Debug)]
pub struct ClusterPlace {
    /// The group's number in the launch.
    pub(crate) group: usize,
    /// The group's number in the cluster.
    pub(crate) rank: usize,
    /// Number of the cluster's groups.
    pub(crate) groups: usize,
    /// Number of a group's threads.
    pub(crate) threads: usize,
    /// Bytes from a group's memory to the next group's, where the groups' memory lies side by side.
    pub(crate) stride: usize,
    pub(crate) launch: LaunchId,
}

impl ClusterPlace {
    /// The place of an item that no group of the launch has been given yet.
    #[inline(always)]
    pub(super) fn nowhere(launch: LaunchId) -> Self {
        Self { group: 0, rank: 0, groups: 0, threads: 0, stride: 0, launch }
    }

    /// Refuses an item of another launch, which can be at hand where one launch runs within another.
    #[inline(always)]
    #[track_caller]
    fn check(self, launch: LaunchId) {
        assert!(self.launch == launch, "a cluster was given memory of another launch");
    }

    /// The group as a warp, for phases of the group's threads.
    #[inline(always)]
    fn as_warp(self) -> WarpPlace {
        let Self { rank, groups, threads, .. } = self;
        WarpPlace { index: rank, first: rank * threads, threads, warps: groups }
    }
}

/// Memory and values that [`Cluster::each_group`](crate::Cluster::each_group) can hand out to workgroups, alone or in
/// a tuple of up to eight.
///
/// | given | each group gets |
/// |---|---|
/// | `&mut m` of a [`ClusterMemory`] | its own part, a [`Workgroup`] |
/// | `&m` of a `ClusterMemory` | all parts, to read: [`ClusterParts`] |
/// | `m.atomic()` of a `ClusterMemory` | all parts, to update: [`ClusterAtomics`] |
/// | `&mut y` of a [`PerThread`] | what its threads own, a `PerThread` |
/// | `&mut out` of a [`PerGroup`] | its own element, a `PerGroup` |
/// | `&private` | its threads' values, to read: `&Private` |
/// | `&mut private` | the same, to change: a [`PrivateMut`](crate::PrivateMut) |
///
/// ```
/// # use gridwright::prelude::*;
/// fn copy_from_first_group<S: GroupShape>(
///     cluster: &Cluster<'_, S>,
///     mut y: PerThread<'_, [f32]>,
///     m: ClusterMemory<'_, [f32; 64]>,
/// ) {
///     cluster.each_group((&m, &mut y), |g, (parts, mut y)| {
///         g.each(y.elements_mut(), |t, y| {
///             if let Some(y) = y {
///                 *y = parts.of(0)[t.local().x];
///             }
///         });
///     });
/// }
/// ```
///
/// # Safety
/// What a group can write through its item, no other group has, unless by atomics.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't something that the groups of a cluster can be given",
    label = "not for groups, and not a tuple of what is",
    note = "`each_group` gives groups `&mut m`, `&m` and `m.atomic()` of a `ClusterMemory`, `&mut y` of a `PerThread` or a \
            `PerGroup`, `&private` and `&mut private`, alone or in a tuple of up to 8"
)]
pub unsafe trait ClusterItems: Sized {
    /// The item that a group of the cluster gets.
    type Item<'i>;
    /// Holder of a group's item while the group has the item.
    #[doc(hidden)]
    type Part;

    /// # Safety
    /// The group is of the cluster that the items are of, and gets its part once in a step.
    #[doc(hidden)]
    unsafe fn part(&mut self, place: ClusterPlace) -> Self::Part;

    /// # Safety
    /// Once for each part, while `self` isn't used otherwise.
    #[doc(hidden)]
    unsafe fn lend<'i>(part: &'i mut Self::Part) -> Self::Item<'i>;
}

/// Implements items that a group gets by the numbers of its threads, as a warp does.
macro_rules! as_warps {
    ($([$($generics:tt)*] $items:ty;)*) => {$(
        // SAFETY: groups have different threads, as warps have.
        unsafe impl<$($generics)*> ClusterItems for $items {
            type Item<'i> = <Self as WarpItems>::Item<'i>;
            type Part = <Self as WarpItems>::Part;

            #[inline(always)]
            unsafe fn part(&mut self, place: ClusterPlace) -> Self::Part {
                let group = place.as_warp();
                // A step may be given what another cluster, or a group, made.
                WarpItems::check(self, group.first + group.threads, 1);
                // SAFETY: the items were just checked for the group's threads; the group gets its part once, as this function asks.
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

// SAFETY: a group's index is its own.
unsafe impl<T: KernelArg> ClusterItems for &mut PerGroup<'_, [T]> {
    type Item<'i> = PerGroup<'i, [T]>;
    type Part = (*mut T, GroupWindow, LaunchId);

    #[inline(always)]
    unsafe fn part(&mut self, place: ClusterPlace) -> Self::Part {
        place.check(self.launch());
        (self.pointer(), GroupWindow { group: place.group, len: self.len() }, self.launch())
    }

    #[inline(always)]
    unsafe fn lend<'i>(&mut (pointer, window, launch): &'i mut Self::Part) -> PerGroup<'i, [T]> {
        // SAFETY: the memory is borrowed exclusively for longer, and the window is this group's own.
        unsafe { PerGroup::from_raw(pointer, window, launch) }
    }
}

// SAFETY: each group gets its own part.
unsafe impl<S: ?Sized + Slots> ClusterItems for &mut ClusterMemory<'_, S> {
    type Item<'i> = Workgroup<'i, S>;
    type Part = *mut S;

    #[inline(always)]
    unsafe fn part(&mut self, place: ClusterPlace) -> *mut S {
        place.check(self.launch());
        let pointer = self.whole();
        S::moved(pointer, arch::own_part_of_cluster(pointer.cast(), place.rank, place.stride))
    }

    #[inline(always)]
    unsafe fn lend<'i>(pointer: &'i mut *mut S) -> Workgroup<'i, S> {
        // SAFETY: the memory is borrowed exclusively for longer, and the part is this group's own.
        unsafe { Workgroup::from_raw(*pointer) }
    }
}

// SAFETY: it is read only.
unsafe impl<S: ?Sized + Slots> ClusterItems for &ClusterMemory<'_, S> {
    type Item<'i> = ClusterParts<'i, S>;
    type Part = (*mut S, ClusterPlace);

    #[inline(always)]
    unsafe fn part(&mut self, place: ClusterPlace) -> Self::Part {
        place.check(self.launch());
        (self.whole(), place)
    }

    #[inline(always)]
    unsafe fn lend<'i>(&mut (pointer, place): &'i mut Self::Part) -> ClusterParts<'i, S> {
        // SAFETY: the memory is borrowed for longer, shared, so that no group has a part of it to write.
        unsafe { ClusterParts::new(pointer, place) }
    }
}

// SAFETY: updates are atomic.
unsafe impl<'a, S: ?Sized + Slots> ClusterItems for ClusterAtomics<'a, S> {
    type Item<'i> = ClusterAtomics<'i, S>;
    type Part = (*mut S, ClusterPlace);

    #[inline(always)]
    unsafe fn part(&mut self, place: ClusterPlace) -> Self::Part {
        place.check(self.place.launch);
        (self.pointer, place)
    }

    #[inline(always)]
    unsafe fn lend<'i>(&mut (pointer, place): &'i mut Self::Part) -> ClusterAtomics<'i, S> {
        ClusterAtomics { pointer, place, _memory: core::marker::PhantomData }
    }
}

macro_rules! tuples {
    ($($item:ident $i:tt),*) => {
        #[allow(unused_unsafe, unused_variables, clippy::unused_unit)] // with no items
        // SAFETY: each has its own.
        unsafe impl<$($item: ClusterItems),*> ClusterItems for ($($item,)*) {
            type Item<'i> = ($($item::Item<'i>,)*);
            type Part = ($($item::Part,)*);

            #[inline(always)]
            unsafe fn part(&mut self, place: ClusterPlace) -> Self::Part {
                // SAFETY: the group is of the cluster of each item, which gives it its part once, as this function asks.
                unsafe { ($(self.$i.part(place),)*) }
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
