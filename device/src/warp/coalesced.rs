use core::fmt;

use gridwright_core::KernelArg;

use super::partition::{by_rank, lane_of};
use super::{LanePartition, Reduction, Warp, WarpInteger};
use crate::arch::GroupShape;
use crate::{InPhase, Private, Thread};

/// The lanes of a warp that have something to do, as a group of their own.
///
/// [`Warp::coalesced`] makes it of one `bool` a lane. Which lanes they are is known at warp level; a lane's *rank* is how
/// many of them come before it. What the group as a whole computes is the same for all lanes of the warp, also for those
/// that aren't in it.
///
/// All lanes of the warp call a collective, and phases can't have the group. So no lane waits for another one that doesn't come.
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

/// The named operations, as those of a warp.
macro_rules! named {
    ($($(#[$doc:meta])* $name:ident $operation:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// `None` if no lane is in the group.
        ///
        /// ```
        /// # use gridwright::prelude::*;
        /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, values: &Private<u32>) {
        #[doc = concat!("let of_the_active = w.coalesced(active).", stringify!($name), "(values);")]
        /// # }
        /// ```
        ///
        /// # From CUDA
        /// `cg::reduce` of a `cg::coalesced_group`.
        #[inline(always)]
        pub fn $name<T: WarpInteger>(&self, values: &Private<'_, T>) -> Option<T> {
            self.of_the_first(&self.lanes.reduce_integers(values, Reduction::$operation))
        }
    )*};
}

impl<'w, S: GroupShape> Coalesced<'_, 'w, S> {
    /// The number of the group's lanes.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>) -> usize {
    /// let active = w.coalesced(active).len();
    /// # active }
    /// ```
    ///
    /// # From CUDA
    /// `group.num_threads()`.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.mask.count_ones() as usize
    }

    /// Whether no lane is in the group.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>) -> bool {
    /// let idle = w.coalesced(active).is_empty();
    /// # idle }
    /// ```
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.mask == 0
    }

    /// A mask with a bit for each of the group's lanes. The lowest bit is the warp's first lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>) -> u32 {
    /// let first_active_lane = w.coalesced(active).mask().trailing_zeros();
    /// # first_active_lane }
    /// ```
    ///
    /// # From CUDA
    /// `__activemask()` in the branch of the condition, which may leave lanes out.
    #[inline(always)]
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// Each thread of the group gets its rank: how many lanes of the group come before it.
    ///
    /// The other threads get their rank among themselves.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>) {
    /// let ranks = w.coalesced(active).rank();
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `group.thread_rank()`.
    #[inline(always)]
    pub fn rank(&self) -> Private<'w, u32> {
        self.lanes.rank()
    }

    /// The value of the group's first lane.
    #[inline(always)]
    fn of_the_first<T: KernelArg>(&self, values: &Private<'_, T>) -> Option<T> {
        (self.mask != 0).then(|| self.warp.broadcast(values, self.mask.trailing_zeros() as usize))
    }

    /// Calls `body` for the first thread of the group alone, and gives the result to all threads of the warp. The
    /// result is `None` if no lane is in the group.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, total: &Atomic<[u32]>) {
    /// let group = w.coalesced(active);
    /// let len = group.len() as u32;
    /// let before = group.invoke_one(|t| total.fetch_add(t, 0, len));
    /// # }
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

    /// Combines the values of the group's lanes into one, two by two, in the order of the lanes. The result is `None`
    /// if no lane is in the group.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, values: &Private<f32>) {
    /// let greatest = w.coalesced(active).reduce(values, f32::max);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cg::reduce`.
    #[inline(always)]
    pub fn reduce<T, F>(&self, values: &Private<'_, T>, combine: F) -> Option<T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        self.of_the_first(&self.lanes.reduce(values, combine))
    }

    named! {
        /// The sum of the group's values, wrapping around.
        reduce_add Add;
        /// The least of the group's values.
        reduce_min Min;
        /// The greatest of the group's values.
        reduce_max Max;
        /// The bits that are set in all of the group's values.
        reduce_and And;
        /// The bits that are set in any of the group's values.
        reduce_or Or;
        /// The bits that are set in an odd number of the group's values.
        reduce_xor Xor;
    }

    /// Each thread of the group gets its own value combined with those of all lanes of the group before it.
    ///
    /// `combine` has to be associative. The other threads get the same among themselves.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, values: &Private<f32>) {
    /// let sums = w.coalesced(active).scan_inclusive(values, |a, b| a + b);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cg::inclusive_scan`.
    #[inline(always)]
    pub fn scan_inclusive<T, F>(&self, values: &Private<'_, T>, combine: F) -> Private<'w, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        self.lanes.scan_inclusive(values, combine)
    }

    /// Each thread of the group gets `start` combined with the values of all lanes of the group before it.
    ///
    /// `combine` has to be associative, with `start` as its neutral element. The other threads get the same among themselves.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, counts: &Private<u32>) {
    /// let offsets = w.coalesced(active).scan_exclusive(counts, 0, |a, b| a + b);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cg::exclusive_scan`.
    #[inline(always)]
    pub fn scan_exclusive<T, F>(&self, values: &Private<'_, T>, start: T, combine: F) -> Private<'w, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        self.lanes.scan_exclusive(values, start, combine)
    }

    /// Gives all threads of the warp the value of the group's lane that has the rank `rank`.
    ///
    /// # Panics
    /// If the group has no such lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, values: &Private<f32>) {
    /// let group = w.coalesced(active);
    /// if !group.is_empty() {
    ///     let of_the_last = group.broadcast(values, group.len() - 1);
    /// }
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `group.shfl(value, rank)`.
    #[inline(always)]
    #[track_caller]
    pub fn broadcast<T: KernelArg>(&self, values: &Private<'_, T>, rank: usize) -> T {
        let len = self.len();
        assert!(rank < len, "rank {rank} in a group of {len} lanes");
        self.warp.broadcast(values, lane_of(self.mask, rank as u32) as usize)
    }

    /// Each thread of the group gets the value of the lane whose rank it has in `ranks`, or its own value if there is
    /// no such lane.
    ///
    /// The other threads get the same among themselves.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, values: &Private<f32>) {
    /// let group = w.coalesced(active);
    /// let next = w.map(&group.rank(), |_, rank| rank + 1);
    /// let of_the_next = group.shuffle(values, &next);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `group.shfl(value, rank)`.
    #[inline(always)]
    pub fn shuffle<T: KernelArg>(&self, values: &Private<'_, T>, ranks: &Private<'_, u32>) -> Private<'w, T> {
        self.lanes.shuffle(values, ranks)
    }

    /// Whether the value of any of the group's lanes is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, found: &Private<bool>) -> bool {
    /// let somebody_found_it = w.coalesced(active).any(found);
    /// # somebody_found_it }
    /// ```
    ///
    /// # From CUDA
    /// `group.any(value)`.
    #[inline(always)]
    pub fn any(&self, values: &Private<'_, bool>) -> bool {
        self.warp.ballot(values) & self.mask != 0
    }

    /// Whether the values of all of the group's lanes are true, as they are if the group has no lanes.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, done: &Private<bool>) -> bool {
    /// let all_are_done = w.coalesced(active).all(done);
    /// # all_are_done }
    /// ```
    ///
    /// # From CUDA
    /// `group.all(value)`.
    #[inline(always)]
    pub fn all(&self, values: &Private<'_, bool>) -> bool {
        !self.warp.ballot(values) & self.mask == 0
    }

    /// The number of the group's lanes whose value is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, found: &Private<bool>) -> usize {
    /// let found = w.coalesced(active).count(found);
    /// # found }
    /// ```
    #[inline(always)]
    pub fn count(&self, values: &Private<'_, bool>) -> usize {
        (self.warp.ballot(values) & self.mask).count_ones() as usize
    }

    /// A mask with a bit for each of the group's lanes whose value is true. The lowest bit is the lane of rank 0.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, active: &Private<bool>, found: &Private<bool>) -> u32 {
    /// let rank_of_the_first = w.coalesced(active).ballot(found).trailing_zeros();
    /// # rank_of_the_first }
    /// ```
    ///
    /// # From CUDA
    /// `group.ballot(value)`.
    #[inline(always)]
    pub fn ballot(&self, values: &Private<'_, bool>) -> u64 {
        by_rank(self.warp.ballot(values), self.mask)
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
    pub fn coalesced(&self, active: &Private<'_, bool>) -> Coalesced<'_, 'w, S> {
        let mask = self.ballot(active);
        Coalesced { warp: self, mask, lanes: self.parted(active, mask) }
    }
}

impl<S: GroupShape> fmt::Debug for Coalesced<'_, '_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coalesced").field("warp", self.warp).finish_non_exhaustive()
    }
}
