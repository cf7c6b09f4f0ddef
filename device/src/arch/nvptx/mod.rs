//! NVIDIA, by PTX's special registers.

mod async_copy;
mod bulk_copy;
mod cluster;
mod fragments;
mod hinted;
pub(super) mod texture;
mod time;
mod value;

use core::arch::asm;
use core::arch::nvptx::{
    _block_dim_x, _block_dim_y, _block_dim_z, _block_idx_x, _block_idx_y, _block_idx_z, _grid_dim_x,
    _grid_dim_y, _grid_dim_z, _syncthreads, _thread_idx_x, _thread_idx_y, _thread_idx_z,
};
use core::intrinsics::gpu::gpu_launch_sized_workgroup_mem;

use crate::warp::Reduction;
pub(super) use async_copy::{commit_copies, copies_by_itself, copy, is_global, wait_for_copies};
pub(super) use bulk_copy::copy_in_bulk;
pub(super) use cluster::{
    barrier_of_cluster, divergent_barrier_of_cluster, groups_in_cluster, has_clusters, of_peer,
    rank_in_cluster, workgroup_bytes,
};
pub(super) use fragments::{SUMS, WORDS, factor_place, load_words, loads_words, round_to_tf32, sum_place};
pub(super) use hinted::{
    load_1, load_2, load_4, load_8, load_16, store_1, store_2, store_4, store_8, store_16,
};
pub(crate) use time::{breakpoint, clock, fence_of, nanoseconds, sleep, trap};
pub(super) use value::value;
pub use value::{ValueChunk, ValueWord, WholeValue};

/// The thread's place in its workgroup along x, y and z: `%tid`.
#[inline(always)]
pub(super) fn thread_in_group() -> [u32; 3] {
    // SAFETY: special registers can be read anywhere.
    unsafe { [_thread_idx_x(), _thread_idx_y(), _thread_idx_z()] }
}

/// The workgroup's place in the grid along x, y and z: `%ctaid`.
#[inline(always)]
pub(super) fn group_in_grid() -> [u32; 3] {
    // SAFETY: special registers can be read anywhere.
    unsafe { [_block_idx_x(), _block_idx_y(), _block_idx_z()] }
}

/// The threads of a workgroup along x, y and z: `%ntid`.
#[inline(always)]
pub(super) fn group_size() -> [u32; 3] {
    // SAFETY: special registers can be read anywhere.
    unsafe { [_block_dim_x(), _block_dim_y(), _block_dim_z()] }
}

/// The workgroups of the grid along x, y and z: `%nctaid`.
#[inline(always)]
pub(super) fn groups_in_grid() -> [u32; 3] {
    // SAFETY: special registers can be read anywhere.
    unsafe { [_grid_dim_x(), _grid_dim_y(), _grid_dim_z()] }
}

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
    fn shfl_sync_idx(lanes: u32, value: u32, lane: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.down.i32"]
    fn shfl_sync_down(lanes: u32, value: u32, distance: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.bfly.i32"]
    fn shfl_sync_bfly(lanes: u32, value: u32, mask: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.vote.ballot.sync"]
    fn vote_ballot_sync(lanes: u32, value: bool) -> u32;
    #[link_name = "llvm.nvvm.bar.warp.sync"]
    fn bar_warp_sync(lanes: u32);
    #[link_name = "llvm.nvvm.match.any.sync.i64"]
    fn match_any_sync(lanes: u32, value: u64) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.add"]
    fn redux_sync_add(value: u32, lanes: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.umin"]
    fn redux_sync_umin(value: u32, lanes: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.min"]
    fn redux_sync_min(value: u32, lanes: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.umax"]
    fn redux_sync_umax(value: u32, lanes: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.max"]
    fn redux_sync_max(value: u32, lanes: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.and"]
    fn redux_sync_and(value: u32, lanes: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.or"]
    fn redux_sync_or(value: u32, lanes: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.xor"]
    fn redux_sync_xor(value: u32, lanes: u32) -> u32;
    #[link_name = "llvm.nvvm.reflect"]
    fn reflect(name: *const u8) -> u32;
}

// Not of C, by which a number and a predicate would be returned as one number.
#[allow(improper_ctypes)]
unsafe extern "Rust" {
    #[link_name = "llvm.nvvm.shfl.sync.up.i32p"]
    fn shfl_sync_up(lanes: u32, value: u32, distance: u32, clamp: u32) -> (u32, bool);
}

/// The processor that the image is compiled for: 800 is sm_80. It is known when the image is compiled, of which this crate is
/// a part, and not before: branches on it are decided then.
#[inline(always)]
fn version() -> u32 {
    // Not a static: LLVM looks at the text where it finds the call.
    const NAME: *const [u8; 12] = b"__CUDA_ARCH\0";
    // SAFETY: the name of a number, with its end.
    unsafe { reflect(NAME as *const u8) }
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

/// A type with the alignment of every element in workgroup memory.
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

/// Waits until all threads of the group are here; what they wrote to workgroup and global memory is seen by all.
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

/// The value of a lane of the warp, whose number is taken modulo the warp's size; `lanes` has a bit for each that is there.
///
/// # Safety
/// All lanes of the warp that are there call it, and the lane named is one of them.
#[inline(always)]
pub(super) unsafe fn shuffle(lanes: u64, value: u32, lane: u32) -> u32 {
    // SAFETY: all lanes that are there call it, and the lane named is one of them, as this function asks. 0x1f lets all 32 lanes be
    // named, by the lowest five bits.
    unsafe { shfl_sync_idx(lanes as u32, value, lane, 0x1f) }
}

/// The value of the lane `distance` places before this one, and whether it is in the same run of `size` lanes: else this lane's own.
///
/// # Safety
/// All lanes of the warp that are there call it, and those before one that is there are there. The distance is less than the warp's size.
#[inline(always)]
pub(super) unsafe fn shuffle_up(lanes: u64, value: u32, _: u32, distance: u32, size: u32) -> (u32, bool) {
    // SAFETY: all lanes that are there call it, and what is before them is there, as this function asks.
    unsafe { shfl_sync_up(lanes as u32, value, distance, clamp(size, 0)) }
}

/// The value of the lane `distance` places behind this one, if it is one of the first `threads` of the same run of `size` lanes: else
/// this lane's own.
///
/// # Safety
/// All lanes of the warp that are there call it, and the first `threads` of a run that has one of them are there. The distance is less
/// than the warp's size.
#[inline(always)]
pub(super) unsafe fn shuffle_down(
    lanes: u64,
    value: u32,
    _: u32,
    distance: u32,
    size: u32,
    threads: u32,
) -> u32 {
    // SAFETY: all lanes that are there call it, and lanes behind the last of the threads aren't asked.
    unsafe { shfl_sync_down(lanes as u32, value, distance, clamp(size, threads - 1)) }
}

/// The value of the lane whose number is this one's with the bits of `mask` flipped, if it is one of the first `threads` of the same run
/// of `size` lanes: else this lane's own.
///
/// # Safety
/// All lanes of the warp that are there call it, and the first `threads` of a run that has one of them are there. The mask is less
/// than `size`.
#[inline(always)]
pub(super) unsafe fn shuffle_xor(lanes: u64, value: u32, _: u32, mask: u32, size: u32, threads: u32) -> u32 {
    // SAFETY: all lanes that are there call it, and lanes behind the last of the threads aren't asked.
    unsafe { shfl_sync_bfly(lanes as u32, value, mask, clamp(size, threads - 1)) }
}

/// What keeps a shuffle within runs of `size` lanes, a power of two, and behind or before the lane of a number in its run.
#[inline(always)]
fn clamp(size: u32, lane: u32) -> u32 {
    32 - size << 8 | lane
}

/// A lane that hasn't ended, the same for all that call it: the one named, or the next of `lanes` behind it.
///
/// Where no thread of a kernel can end before the others it is the one named, which isn't known before the whole kernel is
/// compiled: then `gridwright-build` replaces the instructions by the one in the comment, and takes the vote out.
///
/// # Safety
/// All lanes of the warp that are there call it, and the lane named is one of `lanes`.
#[inline(always)]
pub(super) unsafe fn living_lane(lanes: u64, lane: u32) -> u32 {
    // SAFETY: all lanes that are there call it, as this function asks.
    let living = unsafe { vote_ballot_sync(lanes as u32, true) };
    let found;
    // SAFETY: it computes in registers: how many lanes further on one lives, modulo 32, as a shuffle takes the number of a lane.
    unsafe {
        asm!(
            "// unless threads end: mov.b32 {found}, {lane}; without {living}",
            "{{ .reg .b32 %t; shf.r.wrap.b32 %t, {living}, {living}, {lane}; brev.b32 %t, %t; bfind.shiftamt.u32 %t, %t; add.u32 {found}, {lane}, %t; }}",
            found = out(reg32) found,
            lane = in(reg32) lane,
            living = in(reg32) living,
            options(pure, nomem, nostack)
        );
    }
    found
}

/// The number of a lane that was got from lane `this`, if it is a lower one, or the largest number: so a way from lane to
/// lane has an end also where it leads to one that has ended, of which a shuffle gets anything.
#[inline(always)]
pub(super) fn lower_lane(lane: u32, this: u32) -> u32 {
    let lower;
    // SAFETY: it computes in registers.
    unsafe {
        asm!(
            "// unless threads end: mov.b32 {lower}, {lane};",
            "{{ .reg .pred %q; setp.lt.u32 %q, {lane}, {this}; selp.b32 {lower}, {lane}, -1, %q; }}",
            lower = out(reg32) lower,
            lane = in(reg32) lane,
            this = in(reg32) this,
            options(pure, nomem, nostack)
        );
    }
    lower
}

/// A bit for each lane of the warp whose value is true.
///
/// # Safety
/// All lanes of the warp that are there call it.
#[inline(always)]
pub(super) unsafe fn ballot(lanes: u64, value: bool) -> u64 {
    // SAFETY: all lanes that are there call it, as this function asks.
    unsafe { vote_ballot_sync(lanes as u32, value) }.into()
}

/// A bit for each lane of the warp that has the same value.
///
/// # Safety
/// All lanes of the warp that are there call it.
#[inline(always)]
pub(super) unsafe fn match_any(lanes: u64, value: u64) -> u64 {
    // SAFETY: all lanes that are there call it, as this function asks.
    unsafe { match_any_sync(lanes as u32, value) }.into()
}

/// A bit for each lane of the warp whose value has the same lowest bits: four instructions for each.
///
/// # Safety
/// All lanes of the warp that are there call it.
#[inline(always)]
pub(super) unsafe fn match_bits(lanes: u64, value: u32, bits: u32) -> u64 {
    let mut same = lanes as u32;
    for bit in 0..bits.min(32) {
        let masked: u32;
        // SAFETY: it computes in registers. LLVM would test the bit twice, in two ways, if it saw what this is.
        unsafe {
            asm!(
                "and.b32 {masked}, {value}, {mask};",
                masked = out(reg32) masked,
                value = in(reg32) value,
                mask = in(reg32) 1_u32 << bit,
                options(pure, nomem, nostack)
            );
        }
        let is_set = masked != 0;
        // SAFETY: all lanes that are there call it, as this function asks.
        let votes = unsafe { vote_ballot_sync(lanes as u32, is_set) };
        same &= if is_set { votes } else { !votes };
    }
    same.into()
}

/// The values of those lanes of the warp, combined: `redux.sync`, which GPUs have from sm_80 on. None before.
///
/// # Safety
/// The lanes named are there and call it with the same `lanes`, of which the caller is one.
#[inline(always)]
pub(super) unsafe fn reduce(lanes: u64, value: u32, reduction: Reduction, signed: bool) -> Option<u32> {
    if version() < 800 {
        return None;
    }
    let lanes = lanes as u32;
    // SAFETY: the lanes named call it with the same `lanes`, as this function asks; the processor has the instructions.
    Some(unsafe {
        match (reduction, signed) {
            (Reduction::Add, _) => redux_sync_add(value, lanes),
            (Reduction::Min, false) => redux_sync_umin(value, lanes),
            (Reduction::Min, true) => redux_sync_min(value, lanes),
            (Reduction::Max, false) => redux_sync_umax(value, lanes),
            (Reduction::Max, true) => redux_sync_max(value, lanes),
            (Reduction::And, _) => redux_sync_and(value, lanes),
            (Reduction::Or, _) => redux_sync_or(value, lanes),
            (Reduction::Xor, _) => redux_sync_xor(value, lanes),
        }
    })
}

/// Orders this thread's accesses to memory among those of the device: `fence.acq_rel.gpu`. That of the language reaches to
/// the whole system.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn fence_of_device() {
    // SAFETY: a fence can stand anywhere. The compiler moves no access over it, since it may use memory.
    unsafe { asm!("fence.acq_rel.gpu;") }
}

/// Adds to a float, atomically and relaxed. Returns what was there.
///
/// # Safety
/// The pointer is at a value that others access atomically only.
#[inline(always)]
pub(super) unsafe fn add_f32(at: *mut f32, value: f32) -> f32 {
    let before;
    // SAFETY: others access the value atomically only, as this function asks; the address is generic.
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
    // SAFETY: others access the value atomically only, as this function asks; the address is generic.
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
