//! A cluster: one context of its threads, which steps go through one group after the other. The groups' memory lies side by side.

use core::ops::Range;
use core::ptr;

use gridwright_core::{COLLECTIVE_BYTES, ParamList, partition_bytes};

use super::grid::GridLanes;
use super::grid_view::ClusterParams;
use super::group_context::GroupContext;
use super::group_origin::GroupOrigin;
use super::group_shape::GroupShape;
use super::groups::UNWRITTEN;
use super::isa::in_isa;
use super::scratch::with_scratch;
use super::witness::GroupWitness;
use super::{Isa, LaunchId, LaunchSizes};
use crate::block::{AnyBlock, Block};
use crate::cluster::ClusterPlace;
use crate::{Cluster, Local, Memory};
use gridwright_core::{Raw, Signature};

/// A kernel that is a function of a cluster.
///
/// # Safety
/// Written by the macro only: `run` runs the kernel's body once.
pub unsafe trait ClusterKernel: Signature<Params: ClusterParams> {
    /// The kernel's block.
    type Block: Block;

    /// Runs a cluster.
    ///
    /// # Safety
    /// As for [`with_cluster_parameters`]; the memory has what the kernel's parameters take, once for each group.
    unsafe fn run<S: GroupShape>(cluster: &Cluster<'_, S>, arguments: &Raw<Self>, memory: Memory<'_>);
}

/// How the threads of a cluster are laid out, whose groups are of the shape `S`: in a row.
#[derive(Clone, Copy, Debug)]
pub struct OfCluster<S> {
    groups: S,
    /// Groups of a cluster.
    count: usize,
}

// SAFETY: as for the groups; the number of groups is the launch's.
unsafe impl<S: GroupShape> GroupShape for OfCluster<S> {
    type Block = AnyBlock<1>;
    const RANK: usize = 1;
    const ISA: Isa = S::ISA;
    const LANES: usize = S::LANES;

    #[inline(always)]
    fn block(self) -> AnyBlock<1> {
        let [threads, ..] = self.groups.block().sizes();
        AnyBlock::of([threads * self.count, 1, 1])
    }

    #[inline(always)]
    fn local(self, x: usize, _: usize, _: usize) -> Local {
        let [threads, ..] = self.groups.block().sizes();
        Local { x: x % threads, y: 0, z: 0 }
    }

    #[inline(always)]
    fn offset(self, [x, ..]: [usize; 3], _: usize) -> (Local, usize, usize) {
        let [threads, ..] = self.groups.block().sizes();
        (Local { x, y: 0, z: 0 }, x / threads, x % threads)
    }
}

/// Runs clusters one after the other. The arguments are as for [`run_groups`](super::run_groups), but for the range.
///
/// # Safety
/// - `arguments` points at a [`Raw<K>`] of live memory of its types. What is read, nobody writes until this returns;
///   what groups and their threads own, nobody else accesses; what is updated atomically, nobody accesses otherwise.
/// - This machine has `isa`, and the kernel code for it.
/// - The clusters are of the launch, whose geometry and workgroup memory were resolved for this kernel, and whose groups are a multiple
///   of a cluster's.
pub unsafe fn run_clusters<K: ClusterKernel>(
    isa: Isa,
    launch: &LaunchSizes,
    clusters: Range<usize>,
    arguments: *const (),
) {
    // SAFETY: the pointer is at the kernel's raw arguments, which outlive the call, and this machine has `isa`: this function asks
    // for both, and for arguments and clusters that `run` may have.
    unsafe {
        let arguments = &*arguments.cast::<Raw<K>>();
        in_isa!(K, isa, run::<K, ISA>(launch, clusters, arguments));
    }
}

/// # Safety
/// As for `run_clusters`, and this machine has the instruction set.
unsafe fn run<K: ClusterKernel, const ISA: u8>(
    launch: &LaunchSizes,
    clusters: Range<usize>,
    arguments: &<K::Params as ParamList>::Raw,
) {
    // SAFETY: the block is the launch's, which was resolved for this kernel, and this machine has `ISA`, as this function asks.
    let groups = unsafe { GridLanes::<K::Block, ISA>::new(K::Block::of(launch.geometry.block)) };
    let shape = OfCluster { groups, count: launch.cluster };
    // A launch's groups have their memory, so that no product overflows: it was made once for each already.
    let bytes = stride(launch) * launch.cluster;
    with_scratch(|scratch| {
        for number in clusters {
            let origin = GroupOrigin::new(launch, number * launch.cluster);
            let witness = GroupWitness::of_groups(origin, launch.cluster);
            let memory = scratch.take::<u128>(bytes / size_of::<u128>()).cast::<u8>();
            // SAFETY: there is room for so many bytes.
            unsafe { ptr::write_bytes(memory.as_ptr(), UNWRITTEN, bytes) };
            {
                let cluster = Cluster::new(GroupContext::new(shape, origin, scratch));
                // SAFETY: the arguments are at live memory, of which nobody else writes what is read or accesses what is owned, as
                // `run_clusters` asks. The memory is aligned, this cluster's, and as large for each group as the launch resolved.
                unsafe { K::run(&cluster, arguments, Memory::new(memory.as_ptr(), &launch.memory.lens)) };
            }
            scratch.reset();
            witness.dismiss();
        }
    });
}

/// Bytes from a group's memory to the next one's.
#[inline(always)]
fn stride(launch: &LaunchSizes) -> usize {
    partition_bytes(launch.memory.bytes.saturating_sub(COLLECTIVE_BYTES))
}

/// Calls a cluster kernel's body with its parameters.
///
/// # Safety
/// `raw` points at live memory of its types. What is read, nobody writes until this returns; what the cluster's groups and their
/// threads own, nobody else accesses; what is updated atomically, nobody accesses otherwise.
#[inline(always)]
pub unsafe fn with_cluster_parameters<P, S, F>(cluster: &Cluster<'_, S>, raw: &P::Raw, body: F)
where
    P: ClusterParams,
    S: GroupShape,
    F: for<'k> FnOnce(<P::Passing as super::GridViews>::Items<'k>),
{
    use super::GridViews;
    // SAFETY: `raw` points at live memory; nobody else writes what is read or accesses what is owned, as this function asks.
    unsafe { <P::Passing as GridViews>::with(&cluster.context.place(), raw, body) }
}

impl<'k, S: GroupShape> GroupContext<'k, OfCluster<S>> {
    #[inline(always)]
    pub(crate) fn groups_of_cluster(&self) -> usize {
        self.shape.count
    }

    #[inline(always)]
    pub(crate) fn first_group(&self) -> usize {
        self.origin.group
    }

    /// The groups of the launch.
    #[inline(always)]
    pub(crate) fn grid_of_groups(&self) -> usize {
        self.origin.launch.geometry.groups[0]
    }

    /// Calls the body for each group.
    #[inline(always)]
    pub(crate) fn each_group(&self, mut body: impl FnMut(GroupContext<'k, S>, ClusterPlace)) {
        let (launch, groups) = (self.origin.launch, self.shape.count);
        let [threads, ..] = self.shape.groups.block().sizes();
        for rank in 0..groups {
            let group = self.origin.group + rank;
            let origin = GroupOrigin::new(launch, group);
            let witness = GroupWitness::new(origin);
            let (stride, launch) = (stride(launch), LaunchId::of(launch));
            let place = ClusterPlace { group, rank, groups, threads, stride, launch };
            body(GroupContext::new(self.shape.groups, origin, self.scratch), place);
            witness.dismiss();
        }
    }

    /// The groups are one OS thread: what they wrote before, they see.
    #[inline(always)]
    pub(crate) fn end_of_step(&self) {}
}

/// The memory of the group of a rank, of which the first one's is given.
#[inline(always)]
pub(crate) fn part_of_cluster(first: *mut u8, rank: usize, stride: usize) -> *mut u8 {
    first.wrapping_add(rank * stride)
}

/// The memory of the group at hand, whose rank is given.
#[inline(always)]
pub(crate) fn own_part_of_cluster(first: *mut u8, rank: usize, stride: usize) -> *mut u8 {
    part_of_cluster(first, rank, stride)
}
