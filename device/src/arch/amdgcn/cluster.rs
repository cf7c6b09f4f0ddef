//! Clusters, which AMD's GPUs don't have: each group is one of its own.

/// Whether the processor has clusters.
#[inline(always)]
pub(in crate::arch) fn has_clusters() -> bool {
    false
}

/// The group's number in its cluster.
#[inline(always)]
pub(in crate::arch) fn rank_in_cluster() -> u32 {
    0
}

/// The groups of the cluster.
#[inline(always)]
pub(in crate::arch) fn groups_in_cluster() -> u32 {
    1
}

/// The barrier of a cluster, which nobody calls.
#[inline(always)]
pub(in crate::arch) fn barrier_of_cluster() {}

/// The barrier of a cluster for diverged warps, which nobody calls.
#[inline(always)]
pub(in crate::arch) fn divergent_barrier_of_cluster() {}

/// The memory of the one group.
#[inline(always)]
pub(in crate::arch) fn of_peer(pointer: *mut u8, _: u32) -> *mut u8 {
    pointer
}

/// Bytes of a group's memory, which nobody asks for.
#[inline(always)]
pub(in crate::arch) fn workgroup_bytes() -> u32 {
    0
}
