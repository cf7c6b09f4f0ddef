//! Clusters, which GPUs have from sm_90 on.

use core::arch::asm;

use super::version;

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.nvvm.read.ptx.sreg.cluster.ctarank"]
    fn cluster_ctarank() -> u32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.cluster.nctarank"]
    fn cluster_nctarank() -> u32;
    #[link_name = "llvm.nvvm.barrier.cluster.arrive.aligned"]
    fn arrive_aligned();
    #[link_name = "llvm.nvvm.barrier.cluster.wait.aligned"]
    fn wait_aligned();
    #[link_name = "llvm.nvvm.barrier.cluster.arrive"]
    fn arrive();
    #[link_name = "llvm.nvvm.barrier.cluster.wait"]
    fn wait();
    #[link_name = "llvm.nvvm.mapa"]
    fn mapa(pointer: *mut u8, rank: u32) -> *mut u8;
}

/// Whether the processor that the image is for has clusters.
#[inline(always)]
pub(in crate::arch) fn has_clusters() -> bool {
    version() >= 900
}

/// The group's number in its cluster: `%cluster_ctarank`.
#[inline(always)]
pub(in crate::arch) fn rank_in_cluster() -> u32 {
    // SAFETY: special registers can be read anywhere.
    if has_clusters() { unsafe { cluster_ctarank() } } else { 0 }
}

/// The groups of the cluster: `%cluster_nctarank`.
#[inline(always)]
pub(in crate::arch) fn groups_in_cluster() -> u32 {
    // SAFETY: special registers can be read anywhere.
    if has_clusters() { unsafe { cluster_nctarank() } } else { 1 }
}

/// Waits until all threads of the cluster are here, or have ended; what they wrote to memory is seen by all: `barrier.cluster`.
#[inline(always)]
pub(in crate::arch) fn barrier_of_cluster() {
    if has_clusters() {
        // SAFETY: called at cluster level only, which all threads of the cluster reach.
        unsafe {
            arrive_aligned();
            wait_aligned();
        }
    }
}

/// Waits at the cluster's barrier, on a thread whose warp's others may be elsewhere.
#[inline(always)]
pub(in crate::arch) fn divergent_barrier_of_cluster() {
    if has_clusters() {
        // SAFETY: each arrival is waited for before the next.
        unsafe {
            arrive();
            wait();
        }
    }
}

/// The place of `pointer` in the memory of the group of a rank, which is below the number of the cluster's groups.
#[inline(always)]
pub(in crate::arch) fn of_peer(pointer: *mut u8, rank: u32) -> *mut u8 {
    // SAFETY: it computes an address.
    if has_clusters() { unsafe { mapa(pointer, rank) } } else { pointer }
}

/// The bytes of workgroup memory that the launch gave the group.
#[inline(always)]
pub(in crate::arch) fn workgroup_bytes() -> u32 {
    let bytes;
    // SAFETY: special registers can be read anywhere.
    unsafe { asm!("mov.u32 {}, %dynamic_smem_size;", out(reg32) bytes, options(pure, nomem, nostack)) };
    bytes
}
