//! AMD, by the ids that the hardware puts in registers and the dispatch packet in memory.

use core::arch::amdgpu::{
    endpgm, workgroup_id_x, workgroup_id_y, workgroup_id_z, workitem_id_x, workitem_id_y, workitem_id_z,
};
use core::intrinsics::gpu::amdgpu_dispatch_ptr;

/// Where the workgroup's size, three `u16`, and the grid's in threads, three `u32`, are in the dispatch
/// packet. Source: HSA Platform System Architecture Specification 1.2, section 2.9.6,
/// `hsa_kernel_dispatch_packet_t`.
const WORKGROUP_SIZE: usize = 4;
const GRID_SIZE: usize = 12;

/// The thread's place in its workgroup along x, y and z.
#[inline(always)]
pub(super) fn thread_in_group() -> [u32; 3] {
    [workitem_id_x(), workitem_id_y(), workitem_id_z()]
}

/// The workgroup's place in the grid along x, y and z.
#[inline(always)]
pub(super) fn group_in_grid() -> [u32; 3] {
    [workgroup_id_x(), workgroup_id_y(), workgroup_id_z()]
}

/// The threads of a workgroup along x, y and z.
#[inline(always)]
pub(super) fn group_size() -> [u32; 3] {
    let packet: *const u8 = amdgpu_dispatch_ptr().cast();
    // SAFETY: the packet lives as long as the kernel, and is aligned to 64 bytes.
    let size = unsafe { packet.add(WORKGROUP_SIZE).cast::<[u16; 3]>().read() };
    size.map(u32::from)
}

/// The workgroups of the grid along x, y and z.
#[inline(always)]
pub(super) fn groups_in_grid() -> [u32; 3] {
    let packet: *const u8 = amdgpu_dispatch_ptr().cast();
    // SAFETY: as above.
    let threads = unsafe { packet.add(GRID_SIZE).cast::<[u32; 3]>().read() };
    let size = group_size();
    core::array::from_fn(|axis| threads[axis] / size[axis].max(1))
}

/// Ends the wave, and so the thread: there is no instruction for less.
#[inline(always)]
pub(super) fn end_thread() -> ! {
    endpgm()
}
