use core::fmt;
use core::marker::PhantomData;

use gridwright_core::KernelArg;

use super::ClusterPlace;
use crate::arch::{self, GroupShape, LaunchId};
use crate::atomic::AtomicElement;
use crate::views::Slots;
use crate::{Atomic, Cluster, Workgroup};

/// Workgroup memory of which each group of a [`Cluster`](crate::Cluster) has a part and reads all parts.
///
/// `ClusterMemory<[T]>` is *launch-sized*: each launch says how many elements the part of each group has, with
/// `LaunchConfig::…​.workgroup::<T>(len)`. `ClusterMemory<[T; N]>`, `ClusterMemory<[[T; N]; M]>` and
/// `ClusterMemory<[[[T; N]; M]; L]>` have the size that their type says.
///
/// [`Cluster::each_group`](crate::Cluster::each_group) hands it out: `&mut memory` to each group its own part, a [`Workgroup`], to
/// write; `&memory` to each group all parts, to read; [`memory.atomic()`](Self::atomic) all parts, to update. Only one of these at a
/// time, as the borrow checker says: nobody reads what another one writes.
///
/// When a launch begins, the memory holds bytes that mean nothing, as a [`Workgroup`]'s.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// The last element of the group before, for each group of a cluster.
/// #[gpu_kernel(block = 64)]
/// fn before(cluster: &Cluster, x: &[f32], mut out: PerGroup<[f32]>, mut tiles: ClusterMemory<[f32; 64]>) {
///     let first = cluster.first_group();
///     cluster.each_group(&mut tiles, |g, mut tile| g.load(&mut tile, x, g.origin().x));
///     cluster.each_group((&tiles, &mut out), |g, (tiles, mut out)| {
///         let rank = g.index() - first;
///         out.set(g, if rank > 0 { tiles.of(rank - 1)[63] } else { 0.0 });
///     });
/// }
/// ```
///
/// A step doesn't get a group's own part and all parts at once:
///
/// ```compile_fail,E0502
/// # use gridwright::prelude::*;
/// #[gpu_kernel(block = 64)]
/// fn both(cluster: &Cluster, mut m: ClusterMemory<[f32; 64]>) {
///     cluster.each_group((&mut m, &m), |_, _| {}); // error: borrowed as mutable, and as immutable
/// }
/// ```
///
/// # From CUDA
/// Distributed shared memory: a `__shared__` array that the cluster's other blocks reach, too.
pub struct ClusterMemory<'k, S: ?Sized + Slots> {
    pointer: *mut S,
    launch: LaunchId,
    _memory: PhantomData<&'k mut S::Element>,
}

// SAFETY: it gives nothing to who has it; steps hand it out.
unsafe impl<S: ?Sized + Slots> Send for ClusterMemory<'_, S> {}
// SAFETY: it gives nothing to who shares it; steps hand it out.
unsafe impl<S: ?Sized + Slots> Sync for ClusterMemory<'_, S> {}

impl<'k, S: ?Sized + Slots> Workgroup<'k, S> {
    /// The memory of a cluster: that of the first group, or of the own group where each group has a thread of its
    /// own.
    ///
    /// # Safety
    /// It is a parameter of the kernel of that cluster.
    #[doc(hidden)]
    #[inline(always)]
    pub unsafe fn of_cluster<G: GroupShape>(mut self, cluster: &Cluster<'_, G>) -> ClusterMemory<'k, S> {
        ClusterMemory { pointer: self.whole(), launch: cluster.launch(), _memory: PhantomData }
    }
}

impl<S: ?Sized + Slots> ClusterMemory<'_, S> {
    #[inline(always)]
    pub(super) fn whole(&self) -> *mut S {
        self.pointer
    }

    #[inline(always)]
    pub(super) fn launch(&self) -> LaunchId {
        self.launch
    }
}

#[allow(clippy::len_without_is_empty)] // a launch with none is refused
impl<T: KernelArg> ClusterMemory<'_, [T]> {
    /// The number of elements of a group's part.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn half_len(m: ClusterMemory<[f32]>) -> usize {
    ///     m.len() / 2
    /// }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.pointer.len()
    }
}

impl<S: ?Sized + Slots<Element: AtomicElement>> ClusterMemory<'_, S> {
    /// A view for [`Cluster::each_group`](crate::Cluster::each_group) with which all groups update all parts,
    /// atomically.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// Counts bytes in bins that are shared out over the cluster's groups.
    /// #[gpu_kernel(block = 64)]
    /// fn histogram(cluster: &Cluster, x: &[u8], bins: Atomic<[u32]>, mut parts: ClusterMemory<[u32; 64]>) {
    ///     let (first, clusters) = (cluster.first_group(), cluster.clusters());
    ///     cluster.each_group(&mut parts, |g, mut part| g.fill(&mut part, 0));
    ///     cluster.each_group(parts.atomic(), |g, parts| {
    ///         let threads = g.groups() * g.len();
    ///         g.each((), |t, ()| {
    ///             for i in (t.index()..x.len()).step_by(threads) {
    ///                 let bin = usize::from(x[i]);
    ///                 if bin / 64 < parts.groups() {
    ///                     parts.of(bin / 64).fetch_add(t, bin % 64, 1);
    ///                 }
    ///             }
    ///         });
    ///     });
    ///     cluster.each_group(&parts, |g, parts| {
    ///         let rank = g.index() - first;
    ///         g.each((), |t, ()| {
    ///             bins.fetch_add(t, rank * 64 + t.local().x, parts.of(rank)[t.local().x]);
    ///         });
    ///     });
    ///     # let _ = clusters;
    /// }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let x = stream.upload(&(0..=255_u8).cycle().take(1000).collect::<Vec<_>>())?;
    /// # let mut bins = stream.alloc_zeroed::<u32>(256)?;
    /// # histogram::load(&device)?.launch(&stream, LaunchConfig::grid(8, 64).cluster(4), (&x, &mut bins))?;
    /// # assert!(stream.download(&bins)?.iter().enumerate().all(|(i, &n)| n == if i < 232 { 4 } else { 3 }));
    /// # Ok(())
    /// # }
    /// ```
    #[inline(always)]
    pub fn atomic(&mut self) -> ClusterAtomics<'_, S> {
        ClusterAtomics {
            pointer: self.pointer,
            place: ClusterPlace::nowhere(self.launch),
            _memory: PhantomData,
        }
    }
}

impl<S: ?Sized + Slots> fmt::Debug for ClusterMemory<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterMemory").field("sizes", &S::sizes(self.pointer)).finish_non_exhaustive()
    }
}

/// The parts that the groups of a cluster have of a [`ClusterMemory`], to read. A step gets the parts for `&memory`,
/// and phases capture them.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::cluster::ClusterParts;
///
/// /// The sum of an element of all parts.
/// fn sum_over_groups(parts: ClusterParts<'_, [f32; 64]>, at: usize) -> f32 {
///     (0..parts.groups()).map(|rank| parts.of(rank)[at]).sum()
/// }
/// ```
///
/// # From CUDA
/// `cluster.map_shared_rank`, for memory that is only read.
#[derive(Clone, Copy)]
pub struct ClusterParts<'i, S: ?Sized + Slots> {
    pointer: *mut S,
    place: ClusterPlace,
    _memory: PhantomData<&'i S::Element>,
}

// SAFETY: a shared reference to plain values.
unsafe impl<S: ?Sized + Slots> Send for ClusterParts<'_, S> {}
// SAFETY: threads that share it only read plain values.
unsafe impl<S: ?Sized + Slots> Sync for ClusterParts<'_, S> {}

impl<'i, S: ?Sized + Slots> ClusterParts<'i, S> {
    /// # Safety
    /// The memory is the cluster's that the place is in, and nobody writes it for 'i.
    #[inline(always)]
    pub(super) unsafe fn new(pointer: *mut S, place: ClusterPlace) -> Self {
        Self { pointer, place, _memory: PhantomData }
    }

    /// The number of parts, which is the number of the cluster's groups.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn sum_of_all_groups(parts: &gridwright::ClusterParts<'_, [f32; 4]>) -> f32 {
    ///     (0..parts.groups()).flat_map(|rank| parts.of(rank)).sum()
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cluster.num_blocks()`.
    #[inline(always)]
    pub fn groups(&self) -> usize {
        self.place.groups
    }

    /// The part of the group whose number in the cluster is `rank`.
    ///
    /// On a GPU it is in the other group's memory, at several times the latency of the group's own.
    ///
    /// # Panics
    /// If the cluster has no such group.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn first_of_cluster(parts: &gridwright::ClusterParts<'_, [f32]>) -> f32 {
    ///     parts.of(0)[0]
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cluster.map_shared_rank(memory, rank)`.
    #[inline(always)]
    #[track_caller]
    pub fn of(&self, rank: usize) -> &'i S {
        let part = part(self.pointer, self.place, rank);
        // SAFETY: nobody writes it for 'i, as `new` asks; the cluster's groups run until the step has ended.
        unsafe { &*part }
    }
}

impl<S: ?Sized + Slots> fmt::Debug for ClusterParts<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterParts").field("groups", &self.groups()).finish_non_exhaustive()
    }
}

/// The parts that the groups of a cluster have of a [`ClusterMemory`], to update. A step gets the parts for
/// `memory.atomic()`, and phases capture them.
///
/// ```
/// # use gridwright::prelude::*;
/// use gridwright::cluster::ClusterAtomics;
///
/// /// Counts in bins that are shared out over the groups, 64 for each.
/// fn count(t: Thread, parts: ClusterAtomics<'_, [u32; 64]>, bin: usize) {
///     parts.of(bin / 64).fetch_add(t, bin % 64, 1);
/// }
/// ```
///
/// # From CUDA
/// `cluster.map_shared_rank`, for memory that atomic functions access.
#[derive(Clone, Copy)]
pub struct ClusterAtomics<'i, S: ?Sized + Slots> {
    pub(super) pointer: *mut S,
    pub(super) place: ClusterPlace,
    pub(super) _memory: PhantomData<&'i mut S::Element>,
}

// SAFETY: updates are atomic.
unsafe impl<S: ?Sized + Slots> Send for ClusterAtomics<'_, S> {}
// SAFETY: threads that share it update the memory atomically only.
unsafe impl<S: ?Sized + Slots> Sync for ClusterAtomics<'_, S> {}

impl<'i, S: ?Sized + Slots<Element: AtomicElement>> ClusterAtomics<'i, S> {
    /// The number of parts, which is the number of the cluster's groups.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn bins_of_cluster(parts: &gridwright::ClusterAtomics<'_, [u32; 4]>) -> usize {
    ///     4 * parts.groups()
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cluster.num_blocks()`.
    #[inline(always)]
    pub fn groups(&self) -> usize {
        self.place.groups
    }

    /// The part of the group whose number in the cluster is `rank`. Elements of several axes lie row after row.
    ///
    /// # Panics
    /// If the cluster has no such group.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn count_in_a_group(t: Thread, parts: &gridwright::ClusterAtomics<'_, [u32; 4]>) {
    ///     parts.of(t.index() % parts.groups()).fetch_add(t, 0, 1);
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `cluster.map_shared_rank(memory, rank)`, for atomic functions.
    #[inline(always)]
    #[track_caller]
    pub fn of(&self, rank: usize) -> Atomic<'i, [S::Element]> {
        let part = part(self.pointer, self.place, rank);
        let [x, y, z] = S::sizes(part);
        // SAFETY: so many elements are there, and while the step runs all access them by such atomics only.
        unsafe { Atomic::from_raw(part.cast(), x * y * z) }
    }
}

impl<S: ?Sized + Slots> fmt::Debug for ClusterAtomics<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterAtomics").finish_non_exhaustive()
    }
}

/// A pointer to the part of the group whose number in the cluster is `rank`.
#[inline(always)]
#[track_caller]
fn part<S: ?Sized + Slots>(pointer: *mut S, place: ClusterPlace, rank: usize) -> *mut S {
    if rank >= place.groups {
        no_group(rank, place.groups);
    }
    S::moved(pointer, arch::part_of_cluster(pointer.cast(), rank, place.stride))
}

#[cold]
#[inline(never)]
#[track_caller]
fn no_group(rank: usize, groups: usize) -> ! {
    panic!("group {rank} of a cluster of {groups}")
}
