use core::fmt;

use gridwright_core::KernelArg;

use super::collective::{Collective, OfAll};
use super::lane_partition::{LanePartition, by_rank, lane_of};
use super::lanes::Lanes;
use super::named::named_operations;
use crate::arch::GroupShape;
use crate::warp::{Reduction, WarpInteger};
use crate::{InPhase, Private, Thread, Values, Warp};

/// The lanes of a warp that have something to do, as a group of their own.
///
/// [`Warp::coalesced`] makes it of one `bool` a lane. Which lanes they are is known at warp level; a lane's *rank* is how
/// many of them come before it. What the group as a whole computes is the same for all lanes of the warp, also for those
/// that aren't in it. The other lanes get ranks, scans and shuffles among themselves.
///
/// All lanes of the warp call a collective, and phases can't have the group. So no lane waits for another one that doesn't come.
/// As a [`Level`](crate::Level), which a helper takes, the group has to have a lane where something is reduced: else the kernel
/// panics.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// Copies what is positive, in no order, with one atomic update a warp.
/// #[gpu_kernel(block = 128)]
/// fn filter(g: &Group, x: &[i32], kept: Atomic<[i32]>, count: Atomic<[u32]>) {
///     g.each_warp((), |w, ()| {
///         let x = w.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
///         let positive = w.coalesced(&w.map(&x, |_, x| *x > 0));
///         let len = positive.len() as u32;
///         // The first of them asks for room for all.
///         let Some(first) = positive.invoke_one(|t| count.fetch_add(t, 0, len)) else { return };
///         w.each((&x, &positive.rank()), |t, (x, rank)| {
///             if *x > 0 {
///                 kept.exchange(t, (first + rank) as usize, *x);
///             }
///         });
///     });
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let x: Vec<i32> = (-600..400).collect();
/// let mut kept = stream.alloc_zeroed::<i32>(1000)?;
/// let mut count = stream.alloc_zeroed::<u32>(1)?;
/// let arguments = (&stream.upload(&x)?, &mut kept, &mut count);
/// filter::load(&device)?.launch(&stream, LaunchConfig::threads(1000), arguments)?;
/// assert_eq!(stream.download(&count)?, [399]);
/// let mut kept = stream.download(&kept)?;
/// kept[..399].sort();
/// assert!(kept[..399].iter().copied().eq(1..400));
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cg::coalesced_group`. Its lanes are those for which a condition holds, whatever lanes are active.
pub struct Coalesced<'a, 'w, S: GroupShape> {
    warp: &'a Warp<'w, S>,
    /// A bit for each of the group's lanes.
    mask: u64,
    /// The lanes of the group, and the others.
    lanes: LanePartition<'a, 'w, S>,
}

/// Methods of named operations, which a level without lanes has no result of.
macro_rules! named {
    ($($(#[$doc:meta])* $name:ident $operation:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// `None` if no lane is in the group.
        ///
        /// ```
        /// # use gridwright::prelude::*;
        /// fn of_the_active<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, values: &Private<u32>) {
        #[doc = concat!("    let result: Option<u32> = w.coalesced(active).", stringify!($name), "(values);")]
        /// }
        /// ```
        ///
        /// # From CUDA
        /// `cg::reduce` of a `cg::coalesced_group`.
        #[inline(always)]
        pub fn $name<T: WarpInteger>(&self, values: &Values<T>) -> Option<T> {
            self.of_the_first(&self.lanes.reduced_integers(values, Reduction::$operation))
        }
    )*};
}

impl<'w, S: GroupShape> Coalesced<'_, 'w, S> {
    /// Whether no lane is in the group.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn is_idle<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>) -> bool {
    ///     w.coalesced(active).is_empty()
    /// }
    /// ```
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.mask == 0
    }

    /// A mask with a bit for each of the group's lanes. The lowest bit is the warp's first lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn first_active_lane<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>) -> u32 {
    ///     w.coalesced(active).mask().trailing_zeros()
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__activemask()` in the branch of the condition, which may leave lanes out.
    #[inline(always)]
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// The value of the group's first lane.
    #[inline(always)]
    fn of_the_first<T: KernelArg>(&self, values: &Private<'_, T>) -> Option<T> {
        (self.mask != 0).then(|| self.warp.broadcast(values, self.mask.trailing_zeros() as usize))
    }

    /// Calls `body` for the group's first thread alone, and gives the warp's threads the result, or `None` if there are no lanes.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn add_len<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, total: &Atomic<[u32]>) -> Option<u32> {
    ///     let group = w.coalesced(active);
    ///     let len = group.len() as u32;
    ///     group.invoke_one(|t| total.fetch_add(t, 0, len))
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cg::invoke_one_broadcast`, always by the first thread of the group.
    #[inline(always)]
    #[track_caller]
    pub fn invoke_one<T, F>(&self, body: F) -> Option<T>
    where
        T: KernelArg,
        F: for<'t> Fn(Thread<'t>) -> T + InPhase,
    {
        (self.mask != 0).then(|| self.warp.invoke(self.mask.trailing_zeros() as usize, body))
    }

    /// Combines the values of the group's lanes into one, in the order of the lanes, or into `None` if there are none.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn greatest<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, values: &Private<f32>) -> Option<f32> {
    ///     w.coalesced(active).reduce(values, f32::max)
    /// }
    /// ```
    #[inline(always)]
    pub fn reduce<T, F>(&self, values: &Values<T>, combine: F) -> Option<T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        self.of_the_first(&self.lanes.reduce(values, combine))
    }

    named_operations!(named);
}

/// Collectives of the lanes as a level: all threads of the warp get the group's result. The other lanes get ranks, scans and
/// shuffles among themselves.
impl<'w, S: GroupShape> Collective for Coalesced<'_, 'w, S> {
    type Gives = OfAll;
    type Private<T: Copy + 'static> = Private<'w, T>;

    #[inline(always)]
    fn threads(&self) -> usize {
        self.mask.count_ones() as usize
    }

    #[inline(always)]
    fn ranks(&self) -> Private<'w, u32> {
        self.lanes.ranks()
    }

    #[inline(always)]
    fn filled<T: Copy + 'static>(&self, value: T) -> Private<'w, T> {
        self.lanes.filled(value)
    }

    #[inline(always)]
    #[track_caller]
    fn reduced<T, F>(&self, values: &Values<T>, combine: F) -> T
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        self.reduce(values, combine).unwrap_or_else(|| no_lanes())
    }

    #[inline(always)]
    #[track_caller]
    fn reduced_integers<T: WarpInteger>(&self, values: &Values<T>, reduction: Reduction) -> T {
        self.of_the_first(&self.lanes.reduced_integers(values, reduction)).unwrap_or_else(|| no_lanes())
    }

    #[inline(always)]
    fn scanned_with_own<T, F>(&self, values: &Values<T>, combine: F) -> Private<'w, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        self.lanes.scan_inclusive(values, combine)
    }

    #[inline(always)]
    fn scanned<T, F>(&self, values: &Values<T>, start: T, combine: F) -> Private<'w, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        self.lanes.scan_exclusive(values, start, combine)
    }

    #[inline(always)]
    #[track_caller]
    fn value_of<T: KernelArg>(&self, values: &Values<T>, rank: usize) -> T {
        let len = self.len();
        assert!(rank < len, "rank {rank} in a group of {len} lanes");
        self.warp.broadcast(values, lane_of(self.mask, rank as u32) as usize)
    }

    #[inline(always)]
    fn any_is(&self, values: &Values<bool>) -> bool {
        self.warp.ballot(values) & self.mask != 0
    }

    #[inline(always)]
    fn all_are(&self, values: &Values<bool>) -> bool {
        !self.warp.ballot(values) & self.mask == 0
    }

    #[inline(always)]
    fn counted(&self, values: &Values<bool>) -> usize {
        (self.warp.ballot(values) & self.mask).count_ones() as usize
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn no_lanes() -> ! {
    panic!("a reduction of coalesced lanes of which there are none")
}

/// Exchanges between the lanes, which are known by their ranks.
impl<'w, S: GroupShape> Lanes for Coalesced<'_, 'w, S> {
    type Votes = OfAll;

    #[inline(always)]
    fn of_lanes<T: KernelArg>(&self, values: &Values<T>, ranks: &Values<u32>) -> Private<'w, T> {
        self.lanes.of_lanes(values, ranks)
    }

    #[inline(always)]
    fn of_lane<T, F>(&self, values: &Values<T>, rank: F) -> Private<'w, T>
    where
        T: KernelArg,
        F: Fn(usize) -> usize + InPhase,
    {
        self.lanes.of_lane(values, rank)
    }

    #[inline(always)]
    fn votes(&self, values: &Values<bool>) -> u64 {
        by_rank(self.warp.ballot(values), self.mask)
    }

    #[inline(always)]
    fn equals(&self, values: &Values<u64>) -> Private<'w, u64> {
        self.lanes.equals(values)
    }

    #[inline(always)]
    fn equal_bits(&self, values: &Values<u32>, bits: u32) -> Private<'w, u64> {
        self.lanes.equal_bits(values, bits)
    }
}

impl<'w, S: GroupShape> Warp<'w, S> {
    /// The lanes whose value is true, as a group of their own.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, values: &Private<u32>) {
    /// let sum = w.coalesced(active).reduce_add(values).unwrap_or(0);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cg::coalesced_threads()` in the branch of a condition.
    #[inline(always)]
    pub fn coalesced(&self, active: &Values<bool>) -> Coalesced<'_, 'w, S> {
        let mask = self.ballot(active);
        Coalesced { warp: self, mask, lanes: self.parted(active, mask) }
    }
}

impl<S: GroupShape> fmt::Debug for Coalesced<'_, '_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coalesced").field("warp", self.warp).finish_non_exhaustive()
    }
}
