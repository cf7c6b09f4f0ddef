//! NVIDIA, by PTX's special registers.

use core::arch::asm;
use core::arch::nvptx::{
    _block_dim_x, _block_dim_y, _block_dim_z, _block_idx_x, _block_idx_y, _block_idx_z, _grid_dim_x,
    _grid_dim_y, _grid_dim_z, _syncthreads, _thread_idx_x, _thread_idx_y, _thread_idx_z,
};
use core::intrinsics::gpu::gpu_launch_sized_workgroup_mem;

/// The thread's place in its workgroup along x, y and z: `%tid`.
#[inline(always)]
pub(super) fn thread_in_group() -> [u32; 3] {
    // SAFETY: special registers can be read anywhere.
    unsafe { [_thread_idx_x(), _thread_idx_y(), _thread_idx_z()] }
}

/// The workgroup's place in the grid along x, y and z: `%ctaid`.
#[inline(always)]
pub(super) fn group_in_grid() -> [u32; 3] {
    // SAFETY: as above.
    unsafe { [_block_idx_x(), _block_idx_y(), _block_idx_z()] }
}

/// The threads of a workgroup along x, y and z: `%ntid`.
#[inline(always)]
pub(super) fn group_size() -> [u32; 3] {
    // SAFETY: as above.
    unsafe { [_block_dim_x(), _block_dim_y(), _block_dim_z()] }
}

/// The workgroups of the grid along x, y and z: `%nctaid`.
#[inline(always)]
pub(super) fn groups_in_grid() -> [u32; 3] {
    // SAFETY: as above.
    unsafe { [_grid_dim_x(), _grid_dim_y(), _grid_dim_z()] }
}

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
    fn shfl_sync_idx(lanes: u32, value: u32, lane: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.vote.ballot.sync"]
    fn vote_ballot_sync(lanes: u32, value: bool) -> u32;
    #[link_name = "llvm.nvvm.bar.warp.sync"]
    fn bar_warp_sync(lanes: u32);
    #[link_name = "llvm.nvvm.match.any.sync.i64"]
    fn match_any_sync(lanes: u32, value: u64) -> u32;
}

/// Threads in a warp.
#[inline(always)]
pub(super) fn warp_size() -> u32 {
    32
}

/// The memory that the launch gave the group, aligned to 16 bytes.
#[inline(always)]
pub(super) fn workgroup_memory() -> *mut u8 {
    gpu_launch_sized_workgroup_mem::<Aligned>().cast()
}

/// To what every element in workgroup memory is aligned.
#[repr(align(16))]
struct Aligned {
    _bytes: [u8; 16],
}

/// Waits until all threads of the group are here; what they wrote to workgroup memory is seen by all: `bar.sync`.
#[inline(always)]
pub(super) fn barrier() {
    // SAFETY: called at group level only, which all of its threads reach.
    unsafe { _syncthreads() }
}

/// The same, with what they wrote to global memory.
#[inline(always)]
pub(super) fn barrier_of_global() {
    // `bar.sync` orders all memory among the threads of the group.
    barrier();
}

/// Waits until all lanes of the warp that are there are here; what they wrote to memory is seen by all of them:
/// `bar.warp.sync`.
#[inline(always)]
pub(super) fn barrier_of_warp(lanes: u64) {
    // SAFETY: called at warp level only, which all of its lanes reach.
    unsafe { bar_warp_sync(lanes as u32) }
}

/// The value of a lane of the warp; `lanes` has a bit for each that is there.
///
/// # Safety
/// All lanes of the warp that are there call it, and the lane named is one of them.
#[inline(always)]
pub(super) unsafe fn shuffle(lanes: u64, value: u32, lane: u32) -> u32 {
    // SAFETY: the caller's contract. 0x1f lets all 32 lanes be named.
    unsafe { shfl_sync_idx(lanes as u32, value, lane, 0x1f) }
}

/// A bit for each lane of the warp whose value is true.
///
/// # Safety
/// All lanes of the warp that are there call it.
#[inline(always)]
pub(super) unsafe fn ballot(lanes: u64, value: bool) -> u64 {
    // SAFETY: the caller's contract.
    unsafe { vote_ballot_sync(lanes as u32, value) }.into()
}

/// A bit for each lane of the warp that has the same value.
///
/// # Safety
/// All lanes of the warp that are there call it.
#[inline(always)]
pub(super) unsafe fn match_any(lanes: u64, value: u64) -> u64 {
    // SAFETY: the caller's contract.
    unsafe { match_any_sync(lanes as u32, value) }.into()
}

/// Adds to a float, atomically and relaxed. Returns what was there.
///
/// # Safety
/// The pointer is at a value that others access atomically only.
#[inline(always)]
pub(super) unsafe fn add_f32(at: *mut f32, value: f32) -> f32 {
    let before;
    // SAFETY: the caller's contract; the address is generic.
    unsafe {
        asm!("atom.relaxed.sys.add.f32 {}, [{}], {};", out(reg32) before, in(reg64) at, in(reg32) value)
    };
    before
}

/// Adds to a float, atomically and relaxed. Returns what was there.
///
/// # Safety
/// As for `add_f32`.
#[inline(always)]
pub(super) unsafe fn add_f64(at: *mut f64, value: f64) -> f64 {
    let before;
    // SAFETY: as above.
    unsafe {
        asm!("atom.relaxed.sys.add.f64 {}, [{}], {};", out(reg64) before, in(reg64) at, in(reg64) value)
    };
    before
}

/// Ends the thread. A trap would take the whole context with it.
#[inline(always)]
pub(super) fn end_thread() -> ! {
    // SAFETY: `exit` ends the thread; nothing comes after it.
    unsafe { asm!("exit;", options(noreturn)) }
}
