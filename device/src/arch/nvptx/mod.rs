//! NVIDIA, by PTX's special registers.

use core::arch::nvptx::{
    _block_dim_x, _block_dim_y, _block_dim_z, _block_idx_x, _block_idx_y, _block_idx_z, _grid_dim_x,
    _grid_dim_y, _grid_dim_z, _thread_idx_x, _thread_idx_y, _thread_idx_z,
};

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

/// Ends the thread. A trap would take the whole context with it.
#[inline(always)]
pub(super) fn end_thread() -> ! {
    // SAFETY: `exit` ends the thread; nothing comes after it.
    unsafe { core::arch::asm!("exit;", options(noreturn)) }
}
