//! A cluster as far as this thread knows: it is one of many that run the same, and waits for those of its cluster's other groups.
//!
//! A group's memory has to be there as long as others read it. A group that goes on to the end of the kernel came to the barrier behind
//! every step that reads, so that nobody reads its memory when it ends. But threads also end by panics, and barriers don't wait for
//! those. So the last thread of a group that leaves by a panic stays until all groups are done: it comes to each barrier, and reads a
//! word in its group's memory in which groups that are done are counted. Where no group of the cluster lost all of its threads, that
//! word is zero, and the end of a kernel costs a look at it.

use core::marker::PhantomData;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{AcqRel, Relaxed};

use gridwright_core::{ALIGNMENT, CLUSTER_BYTES, KernelArg};

use super::collective::{ByGroups, OfGroups};
use super::group_context::{GroupContext, GroupShape};
use super::groups::{Hardware, group};
use super::warp_lanes::Warp;
use super::{Last, LaunchId};
use crate::arch::hardware;
use crate::block::Block;
use crate::cluster::ClusterPlace;
use crate::{Access, Cluster};

/// How the threads of a cluster are laid out, whose groups are of the shape `S`.
#[derive(Clone, Copy, Debug)]
pub struct OfCluster<S>(PhantomData<S>);

// SAFETY: the block is the launch's.
unsafe impl<S: GroupShape> GroupShape for OfCluster<S> {
    type Block = S::Block;
    type Width = S::Width;
    type Together = ByGroups;
    const RANK: usize = S::RANK;
    const ARE_A_BLOCK: bool = false;
    const LANES: usize = S::LANES;

    #[inline(always)]
    fn warp(number: u32, threads: u32) -> Warp {
        S::warp(number, threads)
    }

    #[inline(always)]
    fn threads(context: &GroupContext<'_, Self>) -> usize {
        context.threads_of_group() * context.groups_of_cluster()
    }

    #[inline(always)]
    fn number(context: &GroupContext<'_, Self>) -> u32 {
        hardware::rank_in_cluster() * context.threads_of_group() as u32 + context.number_in_group()
    }

    #[inline(always)]
    fn begin(_: &GroupContext<'_, Self>, _: Access) {}

    #[inline(always)]
    fn end(context: &GroupContext<'_, Self>, access: Access) {
        match access {
            Access::None => {}
            Access::Read | Access::Write | Access::WriteGlobal => context.end_of_step(),
        }
    }
}

impl<S: GroupShape> OfGroups for OfCluster<S> {
    type Group = S;

    #[inline(always)]
    fn groups(context: &GroupContext<'_, Self>) -> usize {
        context.groups_of_cluster()
    }

    #[inline(always)]
    fn rank(_: &GroupContext<'_, Self>) -> usize {
        hardware::rank_in_cluster() as usize
    }

    #[inline(always)]
    fn place<T>(_: &GroupContext<'_, Self>, rank: usize) -> *mut T {
        // In front of the kernel's own memory, as of every group's collectives.
        hardware::of_peer(hardware::workgroup_memory(), rank as u32).cast()
    }

    #[inline(always)]
    fn wait(context: &GroupContext<'_, Self>) {
        context.end_of_step();
    }
}

/// This thread's cluster.
///
/// # Safety
/// In a kernel's entry, once; the block is the launch's, and its workgroup memory what `CLUSTER_BYTES` says.
#[inline(always)]
pub unsafe fn cluster<'k, B: Block, L: Last + 'static>() -> Cluster<'k, Hardware<B, L, 1>> {
    // SAFETY: a kernel's entry calls it once, and the block is the launch's, as this function asks.
    let group = unsafe { group::<B, L, 1>() };
    if let Some(Words { left, done }) = words()
        && group.context.leads()
    {
        left.store(0, Relaxed);
        done.store(0, Relaxed);
    }
    // All groups have begun, and their memory is there, before one reads another's.
    hardware::barrier_of_cluster();
    Cluster::new(group.context.seen_as())
}

/// What a group of a cluster has at the end of its memory.
struct Words<'k> {
    /// Threads of the group that have left.
    left: &'k AtomicU32,
    /// Groups of the cluster all of whose threads have left.
    done: &'k AtomicU32,
}

/// The words of this group in a cluster of several groups; none elsewhere. Kernels of clusters are known by the bytes of their
/// workgroup memory: no other kernel of ours has so many.
#[inline(always)]
fn words<'k>() -> Option<Words<'k>> {
    if !hardware::has_clusters() || hardware::groups_in_cluster() == 1 {
        return None;
    }
    let bytes = hardware::workgroup_bytes() as usize;
    if bytes % ALIGNMENT != CLUSTER_BYTES {
        return None;
    }
    let words = hardware::workgroup_memory().wrapping_add(bytes - CLUSTER_BYTES).cast::<u32>();
    // SAFETY: the last words of the memory, which nobody else has, and which are accessed atomically. They are there as long as a
    // thread of the group is.
    unsafe { Some(Words { left: AtomicU32::from_ptr(words), done: AtomicU32::from_ptr(words.add(1)) }) }
}

/// A thread leaves the kernel before its end. If it is the last one of its group, it waits until no other group reads the group's
/// memory any more.
#[inline(always)]
pub(super) fn leave_cluster() {
    let Some(Words { left, done }) = words() else { return };
    let threads = hardware::group_size().iter().product::<u32>();
    if left.fetch_add(1, AcqRel) + 1 < threads {
        return;
    }
    let groups = hardware::groups_in_cluster();
    for rank in 0..groups {
        let word = hardware::of_peer(done.as_ptr().cast(), rank);
        // SAFETY: a group's words are there until this one is counted, too.
        unsafe { AtomicU32::from_ptr(word.cast()) }.fetch_add(1, Relaxed);
    }
    while done.load(Relaxed) < groups {
        // Those of groups that go on come to the barriers behind their steps, or to this one.
        hardware::divergent_barrier_of_cluster();
    }
}

/// Ends a kernel of clusters, behind its body.
#[inline(always)]
pub fn end_of_cluster() {
    // Whoever counted did so before the last barrier.
    if words().is_some_and(|words| words.done.load(Relaxed) > 0) {
        leave_cluster();
    }
}

impl<'k, S: GroupShape> GroupContext<'k, OfCluster<S>> {
    #[inline(always)]
    pub(crate) fn groups_of_cluster(&self) -> usize {
        hardware::groups_in_cluster() as usize
    }

    #[inline(always)]
    pub(crate) fn first_group(&self) -> usize {
        self.index() - hardware::rank_in_cluster() as usize
    }

    /// The groups of the launch.
    #[inline(always)]
    pub(crate) fn grid_of_groups(&self) -> usize {
        self.grid()[0]
    }

    /// Calls the body for this thread's group.
    #[inline(always)]
    pub(crate) fn each_group(&self, mut body: impl FnMut(GroupContext<'k, S>, ClusterPlace)) {
        let place = ClusterPlace {
            group: self.index(),
            rank: hardware::rank_in_cluster() as usize,
            groups: self.groups_of_cluster(),
            threads: self.threads_of_group(),
            stride: 0,
            launch: LaunchId,
        };
        body(self.seen_as(), place);
    }

    /// Waits until all threads of the cluster are here; what they wrote is seen by all.
    #[inline(always)]
    pub(crate) fn end_of_step(&self) {
        if hardware::has_clusters() {
            hardware::barrier_of_cluster();
        } else {
            hardware::barrier_of_global();
        }
    }
}

/// The memory of the group of a rank, at the place that the given pointer has in this thread's group's.
#[inline(always)]
pub(crate) fn part_of_cluster(own: *mut u8, rank: usize, _: usize) -> *mut u8 {
    hardware::of_peer(own, rank as u32)
}

/// The memory of this thread's own group.
#[inline(always)]
pub(crate) fn own_part_of_cluster(own: *mut u8, _: usize, _: usize) -> *mut u8 {
    own
}
