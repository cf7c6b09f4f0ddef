//! Levels whose threads `arch` runs as one, by their context.

use core::ops::Deref;

use gridwright_core::{COLLECTIVE_BYTES, GRID_PLACE, KernelArg};

use super::collective::{Collective, OfAll};
use super::lanes::{Lanes, Votes};
use super::phases::{AtGrid, AtGroup, AtWarp, Phases};
use super::threads::Threads;
use super::{Cluster, Coalesced, EachThread, Grid, Group, LanePartition, LaneTiles, Warp};
use crate::arch::{self, GroupShape, PrivateValues, Turns};
use crate::thread::Repeatable;
use crate::warp::{Reduction, WarpInteger};
use crate::{Access, InPhase, Items, Private, Thread, Values};

/// A level, or parts of one, of this crate.
pub trait Sealed {}

/// Every level dereferences to its threads.
macro_rules! dereference {
    ($([$($generics:tt)*] $level:ty;)*) => {$(
        impl<$($generics)*> Sealed for $level {}

        impl<$($generics)*> Deref for $level {
            type Target = Threads<Self>;

            #[inline(always)]
            fn deref(&self) -> &Threads<Self> {
                Threads::of(self)
            }
        }
    )*};
}

dereference! {
    [S: GroupShape] Group<'_, S>;
    [S: GroupShape] Warp<'_, S>;
    [S: GroupShape] Grid<'_, S>;
    [S: GroupShape] Cluster<'_, S>;
    [S: GroupShape, const N: usize] LaneTiles<'_, '_, S, N>;
    [S: GroupShape] LanePartition<'_, '_, S>;
    [S: GroupShape] Coalesced<'_, '_, S>;
}

/// Refuses, in every build, what no warp of a group on a GPU could put where the others find it.
#[inline(always)]
pub(super) fn fits_group<T>() {
    const {
        assert!(
            size_of::<T>() <= COLLECTIVE_BYTES,
            "the threads of a group exchange values of at most 1024 bytes: exchange larger ones in pieces, or through workgroup memory"
        );
    }
}

/// Lanes exchange values of any size.
#[inline(always)]
fn fits_warp<T>() {}

/// Refuses, in every build, what no group of a cluster on a GPU could put where the others find it.
#[inline(always)]
fn fits_cluster<T>() {
    const {
        assert!(
            size_of::<T>() <= COLLECTIVE_BYTES && align_of::<T>() <= 16,
            "the groups of a cluster exchange values of at most 1024 bytes that are aligned to at most 16: exchange larger ones in \
             pieces, or through a `ClusterMemory`"
        );
    }
}

/// Refuses, in every build, what has no room at a group's place in the memory of a grid.
#[inline(always)]
fn fits_grid<T>() {
    const {
        assert!(
            size_of::<T>() <= GRID_PLACE && align_of::<T>() <= 16,
            "collectives of a `Grid` take values of at most 32 bytes that are aligned to at most 16: reduce larger ones over each group, \
             and the results of the groups, in a `PerGroup`, in a second launch"
        );
    }
}

/// Collectives of levels that give one result, by those of their context.
macro_rules! collectives {
    ($($level:ident, $fits:ident, $no_thread:literal, $of:literal $(, $reduce_integers:path)?;)*) => {$(
        impl<'k, S: GroupShape> Collective for $level<'k, S> {
            type Gives = OfAll;
            type Private<T: Copy + 'static> = Private<'k, T>;

            #[inline(always)]
            fn threads(&self) -> usize {
                self.context.threads()
            }

            #[inline(always)]
            fn ranks(&self) -> Private<'k, u32> {
                Private { values: ().map(&self.context, |t, ()| t.identity.number() as u32) }
            }

            #[inline(always)]
            fn filled<T: Copy + 'static>(&self, value: T) -> Private<'k, T> {
                Private { values: PrivateValues::filled(&self.context, value) }
            }

            #[inline(always)]
            fn reduced<T, F>(&self, values: &Values<T>, combine: F) -> T
            where
                T: KernelArg,
                F: Fn(T, T) -> T + InPhase,
            {
                $fits::<T>();
                arch::collective::reduce(&self.context, &values.values, combine)
            }

            $(
                #[inline(always)]
                fn reduced_integers<T: WarpInteger>(&self, values: &Values<T>, reduction: Reduction) -> T {
                    $reduce_integers(&self.context, &values.values, reduction)
                }
            )?

            #[inline(always)]
            fn scanned_with_own<T, F>(&self, values: &Values<T>, combine: F) -> Private<'k, T>
            where
                T: KernelArg,
                F: Fn(T, T) -> T + InPhase,
            {
                $fits::<T>();
                Private { values: arch::collective::scan_inclusive(&self.context, &values.values, combine) }
            }

            #[inline(always)]
            fn scanned<T, F>(&self, values: &Values<T>, start: T, combine: F) -> Private<'k, T>
            where
                T: KernelArg,
                F: Fn(T, T) -> T + InPhase,
            {
                $fits::<T>();
                Private { values: arch::collective::scan_exclusive(&self.context, &values.values, start, combine) }
            }

            #[inline(always)]
            #[track_caller]
            fn value_of<T: KernelArg>(&self, values: &Values<T>, thread: usize) -> T {
                $fits::<T>();
                let threads = self.context.threads();
                assert!(thread < threads, concat!($no_thread, " {} of a ", $of, " of {}"), thread, threads);
                arch::collective::broadcast(&self.context, &values.values, thread)
            }

            #[inline(always)]
            fn any_is(&self, values: &Values<bool>) -> bool {
                arch::collective::any(&self.context, &values.values)
            }

            #[inline(always)]
            fn all_are(&self, values: &Values<bool>) -> bool {
                arch::collective::all(&self.context, &values.values)
            }

            #[inline(always)]
            fn counted(&self, values: &Values<bool>) -> usize {
                arch::collective::count(&self.context, &values.values)
            }
        }
    )*};
}

collectives! {
    Group, fits_group, "thread", "group";
    Warp, fits_warp, "lane", "warp", arch::warp::reduce_integers_to_one;
    Cluster, fits_cluster, "thread", "cluster";
    Grid, fits_grid, "thread", "grid";
}

/// Phases of levels, by those of their context.
macro_rules! phases {
    ($($level:ident, $at:ty;)*) => {$(
        impl<'k, S: GroupShape> Phases for $level<'k, S> {
            type At = $at;

            #[inline(always)]
            #[track_caller]
            fn phase<D, F>(&self, items: D, body: F)
            where
                D: Items,
                F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>),
            {
                items.each(&self.context, body);
            }

            #[inline(always)]
            #[track_caller]
            fn mapped<D, R, F>(&self, items: D, body: F) -> Private<'k, R>
            where
                D: Items,
                R: Copy + 'static,
                F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) -> R,
            {
                Private { values: items.map(&self.context, body) }
            }

            #[inline(always)]
            #[track_caller]
            fn phase_while<D, N, F>(&self, items: D, turns: N, body: F)
            where
                D: Items,
                N: Turns,
                F: for<'t, 'i> Fn(Thread<'t, Repeatable>, D::Item<'i>) -> bool,
            {
                items.each_while(&self.context, turns, body);
            }

            #[inline(always)]
            #[track_caller]
            fn phase_while_branching<D, F>(&self, items: D, body: F)
            where
                D: Items,
                F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) -> bool,
            {
                items.each_while_branching(&self.context, body);
            }

            #[inline(always)]
            fn begin(&self, access: Access) {
                self.context.begin(access);
            }

            #[inline(always)]
            fn end(&self, access: Access) {
                self.context.end(access);
            }

            #[inline(always)]
            fn leads(&self) -> bool {
                self.context.leads()
            }
        }
    )*};
}

phases! {
    Group, AtGroup;
    Warp, AtWarp;
    Grid, AtGrid;
}

/// Exchanges between lanes, by those of a context, `$context`, whose warps they are.
macro_rules! lanes {
    ($([$($generics:tt)*] $level:ty, $lifetime:lifetime, $votes:ty, $this:ident $context:expr, $ballot:expr;)*) => {$(
        impl<$($generics)*> Lanes for $level {
            type Votes = $votes;

            #[inline(always)]
            fn of_lanes<T: KernelArg>(&self, values: &Values<T>, lanes: &Values<u32>) -> Private<$lifetime, T> {
                let $this = self;
                Private { values: arch::warp::shuffle_to(&$context, &values.values, &lanes.values) }
            }

            #[inline(always)]
            fn of_lane<T, F>(&self, values: &Values<T>, lane: F) -> Private<$lifetime, T>
            where
                T: KernelArg,
                F: Fn(usize) -> usize + InPhase,
            {
                let $this = self;
                Private { values: arch::warp::shuffle(&$context, &values.values, |_, own| lane(own)) }
            }

            #[inline(always)]
            fn flipped<T: KernelArg>(&self, values: &Values<T>, mask: usize) -> Private<$lifetime, T> {
                let $this = self;
                Private { values: arch::warp::shuffle_xor(&$context, &values.values, mask) }
            }

            #[inline(always)]
            fn shifted_up<T: KernelArg>(&self, values: &Values<T>, delta: usize) -> Private<$lifetime, T> {
                let $this = self;
                Private { values: arch::warp::shift_up(&$context, &values.values, delta) }
            }

            #[inline(always)]
            fn shifted_down<T: KernelArg>(&self, values: &Values<T>, delta: usize) -> Private<$lifetime, T> {
                let $this = self;
                Private { values: arch::warp::shift_down(&$context, &values.values, delta) }
            }

            #[inline(always)]
            fn votes(&self, values: &Values<bool>) -> Votes<Self> {
                let $this = self;
                ($ballot)(&$context, &values.values)
            }

            #[inline(always)]
            fn equals(&self, values: &Values<u64>) -> Private<$lifetime, u64> {
                let $this = self;
                Private { values: arch::warp::match_any(&$context, &values.values) }
            }

            #[inline(always)]
            fn equal_bits(&self, values: &Values<u32>, bits: u32) -> Private<$lifetime, u64> {
                let $this = self;
                Private { values: arch::warp::match_bits(&$context, &values.values, bits) }
            }
        }
    )*};
}

lanes! {
    ['k, S: GroupShape] Group<'k, S>, 'k, EachThread<'k>, this this.context, ballot_of_each;
    ['w, S: GroupShape] Warp<'w, S>, 'w, OfAll, this this.context, arch::warp::ballot_of;
    ['k, S: GroupShape, const N: usize] LaneTiles<'_, 'k, S, N>, 'k, EachThread<'k>, this this.context(), ballot_of_each;
}

/// Each thread gets the votes of its warp.
#[inline(always)]
fn ballot_of_each<'k, S: GroupShape>(
    context: &arch::GroupContext<'k, S>,
    values: &PrivateValues<'_, bool>,
) -> Private<'k, u64> {
    Private { values: arch::warp::ballot(context, values) }
}

/// Collectives of tiles: each thread gets the result of its own.
impl<'k, S: GroupShape, const N: usize> Collective for LaneTiles<'_, 'k, S, N> {
    type Gives = EachThread<'k>;
    type Private<T: Copy + 'static> = Private<'k, T>;

    #[inline(always)]
    fn threads(&self) -> Private<'k, u32> {
        let threads = self.of.threads();
        Private { values: ().map(self.of, |t, ()| (threads - t.identity.number() / N * N).min(N) as u32) }
    }

    #[inline(always)]
    fn ranks(&self) -> Private<'k, u32> {
        Private { values: ().map(self.of, |t, ()| (t.identity.number() % N) as u32) }
    }

    #[inline(always)]
    fn filled<T: Copy + 'static>(&self, value: T) -> Private<'k, T> {
        Private { values: PrivateValues::filled(self.of, value) }
    }

    #[inline(always)]
    fn reduced<T, F>(&self, values: &Values<T>, combine: F) -> Private<'k, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        Private { values: arch::warp::reduce(&self.context(), &values.values, combine) }
    }

    #[inline(always)]
    fn reduced_integers<T: WarpInteger>(&self, values: &Values<T>, reduction: Reduction) -> Private<'k, T> {
        Private { values: arch::warp::reduce_integers(&self.context(), &values.values, reduction) }
    }

    #[inline(always)]
    fn scanned_with_own<T, F>(&self, values: &Values<T>, combine: F) -> Private<'k, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        Private { values: arch::warp::scan_inclusive(&self.context(), &values.values, combine) }
    }

    #[inline(always)]
    fn scanned<T, F>(&self, values: &Values<T>, start: T, combine: F) -> Private<'k, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        Private { values: arch::warp::scan_exclusive(&self.context(), &values.values, start, combine) }
    }

    #[inline(always)]
    #[track_caller]
    fn value_of<T: KernelArg>(&self, values: &Values<T>, lane: usize) -> Private<'k, T> {
        assert!(lane < N, "lane {lane} of tiles of {N}");
        Private { values: arch::warp::shuffle(&self.context(), &values.values, |_, _| lane) }
    }

    #[inline(always)]
    fn any_is(&self, values: &Values<bool>) -> Private<'k, bool> {
        Private { values: arch::warp::any(&self.context(), &values.values) }
    }

    #[inline(always)]
    fn all_are(&self, values: &Values<bool>) -> Private<'k, bool> {
        Private { values: arch::warp::all(&self.context(), &values.values) }
    }

    #[inline(always)]
    fn counted(&self, values: &Values<bool>) -> Private<'k, u32> {
        let masks = self.votes(values);
        Private { values: (&masks).map(self.of, |_, mask| mask.count_ones()) }
    }
}
