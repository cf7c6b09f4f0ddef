//! What kernels that are an `unsafe fn` have on a GPU in place of a group.

use super::{Last, group};
use crate::arch::hardware;
use crate::block::Block;
use crate::{Memory, Thread};

/// This thread of a kernel whose launches have whole groups.
///
/// # Safety
/// In a kernel's entry, once; the block is the launch's.
#[inline(always)]
pub unsafe fn thread_of_group<'t, B: Block, L: Last + 'static, const RANK: usize>() -> Thread<'t> {
    // SAFETY: a kernel's entry calls it once, and the block is the launch's, as this function asks.
    let group = unsafe { group::<B, L, RANK>() };
    Thread::new(group.context.thread())
}

/// The group's memory: there are no collectives to leave some to.
///
/// # Safety
/// In a kernel's entry, once; the launch gave the group what its parameters take.
#[inline(always)]
pub unsafe fn memory_of_threads<'k>() -> Memory<'k> {
    // SAFETY: the launch gave this group what its parameters take, and nobody else gets it, as this function asks; it begins at a
    // multiple of 16 bytes.
    unsafe { Memory::new(hardware::workgroup_memory(), &[]) }
}

/// # Safety
/// As the contract of [`sync_threads`](crate::sync_threads) says.
#[inline(always)]
pub(crate) unsafe fn sync_threads(_: Thread<'_>) {
    // CUDA's orders all memory, too.
    hardware::barrier_of_global();
}
