use gridwright_core::KernelArg;

use super::collective::{Collective, Count, Given};
use super::named::named_operations;
use crate::warp::{Reduction, WarpInteger};
use crate::{InPhase, Values};

/// The threads of a level, to which it dereferences: what all levels do alike is written here.
///
/// `g`, a [`Group`](crate::Group), `w`, a [`Warp`](crate::Warp) or a [`LaneTile`](crate::LaneTile) of one, `active`, the
/// [`Coalesced`](crate::Coalesced) lanes of a warp, `cluster`, a [`Cluster`](crate::Cluster), and `grid`, a [`Grid`](crate::Grid),
/// are *levels*: a collective gives one result, which is the same for all threads. [`LaneTiles`](crate::LaneTiles) and a
/// [`LanePartition`](crate::LanePartition) are parts of a level side by side: a collective gives each thread the result of its
/// part, a [`Private`](crate::Private).
///
/// All threads of a level call a collective, and phases can't have a level. So no thread waits for another one that doesn't come.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright::Level;
///
/// /// Whether all values are finite: in a group, a warp, a cluster or a grid.
/// fn all_finite(level: &impl Level, finite: &Private<bool>) -> bool {
///     level.all(finite)
/// }
/// ```
#[repr(transparent)]
#[derive(Debug)]
pub struct Threads<L>(L);

impl<L> Threads<L> {
    /// The threads of the level.
    #[inline(always)]
    pub(super) fn of(level: &L) -> &Self {
        let level: *const L = level;
        // SAFETY: `Threads` is a level and nothing else, in the same place.
        unsafe { &*level.cast() }
    }

    #[inline(always)]
    pub(super) fn level(&self) -> &L {
        &self.0
    }
}

/// Methods of named operations.
macro_rules! named {
    ($($(#[$doc:meta])* $name:ident $operation:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// On NVIDIA's GPUs from sm_80 on, lanes of a warp need one instruction for integers of 32 bits, `redux.sync`.
        ///
        /// ```
        /// # use gridwright::prelude::*;
        /// fn of_warp_and_tiles<S: GroupShape>(w: &Warp<'_, S>, values: &Private<u32>) {
        #[doc = concat!("    let of_the_warp: u32 = w.", stringify!($name), "(values);")]
        #[doc = concat!("    let of_each_eight: Private<u32> = w.tiled::<8>().", stringify!($name), "(values);")]
        /// }
        /// ```
        ///
        /// # From CUDA
        /// `__reduce_add_sync` and its like; of tiles and partitions `cg::reduce`.
        #[inline(always)]
        pub fn $name<T: WarpInteger>(&self, values: &Values<T>) -> Given<L, T> {
            self.0.reduced_integers(values, Reduction::$operation)
        }
    )*};
}

impl<L: Collective> Threads<L> {
    /// The number of the level's threads. In parts of a level, each thread gets the number of its part's.
    ///
    /// The last group of a launch, the last warp of a group and the last tile of a warp may have fewer threads than the others.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn mean<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) -> f32 {
    ///     w.reduce(values, |a, b| a + b) / w.len() as f32
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `num_threads()` of a cooperative group; of a block, `blockDim.x * blockDim.y * blockDim.z`.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty)] // only coalesced lanes can be empty, and have `is_empty`
    pub fn len(&self) -> Count<L> {
        self.0.threads()
    }

    /// Each thread gets its *rank*: its number in the level, or in its part of it, counted row after row.
    ///
    /// Among lanes that were chosen, it is how many of them come before the thread.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn ranks_among_equals<S: GroupShape>(w: &Warp<'_, S>, labels: &Private<u64>) {
    ///     let ranks: Private<u32> = w.labeled_partition(labels).rank();
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `thread_rank()` of a cooperative group.
    #[inline(always)]
    pub fn rank(&self) -> L::Private<u32> {
        self.0.ranks()
    }

    /// A private value for each thread of the level: each begins as `value`, and phases change it.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn indices<S: GroupShape>(g: &Group<'_, S>) {
    ///     let mut sum = g.private(0.0_f32);
    ///     g.each(&mut sum, |t, sum| *sum += t.index() as f32);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// A local variable that lives across `__syncthreads()`.
    #[inline(always)]
    pub fn private<T: Copy + 'static>(&self, value: T) -> L::Private<T> {
        self.0.filled(value)
    }

    /// Combines the values of all threads into one, two by two, in an order of the device's choosing.
    ///
    /// `combine` has to be associative and commutative, or the result depends on the device. All threads of the level get the same
    /// result; of chosen lanes it is made in the order of the lanes.
    ///
    /// A value has at most 1024 bytes, and 32 in a [`Grid`](crate::Grid); in a grid or a cluster it is aligned to at most 16.
    ///
    /// # Panics
    /// If the level has no threads, as [`Coalesced`](crate::Coalesced) lanes may: its own method gives an `Option`.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn greatest<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) -> f32 {
    ///     g.reduce(values, f32::max)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cub::BlockReduce`, whose result only thread 0 has; `cub::WarpReduce`; `cg::reduce`. Of a grid, a reduction in each block, and
    /// another one of the blocks' results behind `grid.sync()`.
    #[inline(always)]
    #[track_caller]
    pub fn reduce<T, F>(&self, values: &Values<T>, combine: F) -> Given<L, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        self.0.reduced(values, combine)
    }

    named_operations!(named);

    /// Each thread gets its own value combined with those of all threads before it. `combine` has to be associative.
    ///
    /// In parts of a level, the threads before it are those of its part. Values have the sizes that [`reduce`](Self::reduce) takes.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn running_sums<'k, S: GroupShape>(g: &Group<'k, S>, values: &Private<u32>) -> Private<'k, u32> {
    ///     g.scan_inclusive(values, |a, b| a + b)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `InclusiveScan` of `cub::BlockScan` and of `cub::WarpScan`, or `cg::inclusive_scan`.
    #[inline(always)]
    pub fn scan_inclusive<T, F>(&self, values: &Values<T>, combine: F) -> L::Private<T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        self.0.scanned_with_own(values, combine)
    }

    /// Each thread gets `start` combined with the values of all threads before it. `combine` has to be associative, with `start` as
    /// its neutral element.
    ///
    /// In parts of a level, the threads before it are those of its part. Values have the sizes that [`reduce`](Self::reduce) takes.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn offsets<'k, S: GroupShape>(g: &Group<'k, S>, counts: &Private<u32>) -> Private<'k, u32> {
    ///     g.scan_exclusive(counts, 0, |a, b| a + b)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `ExclusiveScan` of `cub::BlockScan` and of `cub::WarpScan`, or `cg::exclusive_scan`.
    #[inline(always)]
    pub fn scan_exclusive<T, F>(&self, values: &Values<T>, start: T, combine: F) -> L::Private<T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        self.0.scanned(values, start, combine)
    }

    /// All threads get the value of the thread whose rank is `thread`.
    ///
    /// In parts of a level, each thread gets the value of that rank in its part, or its own value if its part has no such thread.
    /// Values have the sizes that [`reduce`](Self::reduce) takes.
    ///
    /// # Panics
    /// If the level has no such thread, or if [`LaneTiles`](crate::LaneTiles) have no such lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) -> f32 {
    ///     g.broadcast(values, g.len() - 1)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// Of a block, a `__shared__` variable that one thread writes before `__syncthreads()`, and all read behind it. Of lanes,
    /// `__shfl_sync` with one source lane, or `shfl(value, rank)` of a cooperative group.
    #[inline(always)]
    #[track_caller]
    pub fn broadcast<T: KernelArg>(&self, values: &Values<T>, thread: usize) -> Given<L, T> {
        self.0.value_of(values, thread)
    }

    /// Whether the value of any thread is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn has_nan<S: GroupShape>(g: &Group<'_, S>, x: &[f32]) -> bool {
    ///     g.any(&g.map((), |t, ()| x.get(t.index()).is_some_and(|x| x.is_nan())))
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__syncthreads_or`, `__any_sync`, or `any(value)` of a cooperative group.
    #[inline(always)]
    pub fn any(&self, values: &Values<bool>) -> Given<L, bool> {
        self.0.any_is(values)
    }

    /// Whether every thread's value is true, as it is if no thread is there.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn all_done<S: GroupShape>(g: &Group<'_, S>, done: &Private<bool>) -> bool {
    ///     g.all(done)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__syncthreads_and`, `__all_sync`, or `all(value)` of a cooperative group.
    #[inline(always)]
    pub fn all(&self, values: &Values<bool>) -> Given<L, bool> {
        self.0.all_are(values)
    }

    /// The number of threads whose value is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn matches<S: GroupShape>(g: &Group<'_, S>, found: &Private<bool>) -> usize {
    ///     g.count(found)
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__syncthreads_count`, or `__popc(__ballot_sync(mask, value))`.
    #[inline(always)]
    pub fn count(&self, values: &Values<bool>) -> Count<L> {
        self.0.counted(values)
    }
}
