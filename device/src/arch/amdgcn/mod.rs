//! AMD, by the ids that the hardware puts in registers and the dispatch packet in memory.

mod async_copy;
mod bulk_copy;
mod cluster;
mod fragments;
mod hinted;
pub(super) mod texture;
mod time;
mod value;

use core::arch::amdgpu::{
    ballot as amdgpu_ballot, ds_bpermute, endpgm, s_barrier, wave_barrier, wavefrontsize, workgroup_id_x,
    workgroup_id_y, workgroup_id_z, workitem_id_x, workitem_id_y, workitem_id_z,
};
use core::intrinsics::gpu::{amdgpu_dispatch_ptr, gpu_launch_sized_workgroup_mem};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering, compiler_fence, fence};

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

/// Offsets of the workgroup's size, three `u16`, and of the grid's in threads, three `u32`, in the dispatch
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
    // SAFETY: the packet lives as long as the kernel, and is aligned to 64 bytes.
    let threads = unsafe { packet.add(GRID_SIZE).cast::<[u32; 3]>().read() };
    let size = group_size();
    core::array::from_fn(|axis| threads[axis] / size[axis].max(1))
}

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.amdgcn.s.waitcnt"]
    fn s_waitcnt(counters: u32);
}

/// Threads in a wave.
#[inline(always)]
pub(super) fn warp_size() -> u32 {
    wavefrontsize()
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

/// Waits until all threads of the group are here; what they wrote to workgroup memory is seen by all.
///
/// The hardware's barrier orders no memory: before it each wave waits for its own accesses, and the compiler moves none
/// over it. A fence of the language would reach to the whole system, and cost it.
#[inline(always)]
pub(super) fn barrier() {
    compiler_fence(Ordering::SeqCst);
    // SAFETY: it waits for all counters that it can name.
    unsafe { s_waitcnt(0) };
    s_barrier();
    compiler_fence(Ordering::SeqCst);
}

/// Waits until all threads of the group are here; what they wrote to workgroup and global memory is seen by all.
#[inline(always)]
pub(super) fn barrier_of_global() {
    fence(Ordering::Release);
    s_barrier();
    fence(Ordering::Acquire);
}

/// Waits until all lanes of the wave that are there are here; what they wrote to memory is seen by all of them.
///
/// The lanes run in step, and the hardware keeps a wave's accesses to its workgroup's memory in order: it is for the
/// compiler, which may move none over it. Source: LLVM's user guide for AMDGPU, memory model, scope `wavefront`.
#[inline(always)]
pub(super) fn barrier_of_warp(_: u64) {
    compiler_fence(Ordering::SeqCst);
    wave_barrier();
    compiler_fence(Ordering::SeqCst);
}

/// Orders this thread's accesses to memory among those of the device. The language has a fence of the whole system only.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn fence_of_device() {
    fence(Ordering::AcqRel);
}

/// The value of a lane of the wave, whose number is taken modulo the wave's size.
///
/// # Safety
/// All lanes of the wave that are there call it, and the lane named is one of them.
#[inline(always)]
pub(super) unsafe fn shuffle(_: u64, value: u32, lane: u32) -> u32 {
    // SAFETY: all lanes that are there call it, and the lane named is one of them, as this function asks. Lanes are named by the
    // byte.
    unsafe { ds_bpermute(lane << 2, value) }
}

/// The value of the lane `distance` places before `lane`, which is this one, and whether it is in the same run of `size` lanes: else
/// this lane's own.
///
/// # Safety
/// All lanes of the wave that are there call it, and those before one that is there are there. The distance is less than the wave's size.
#[inline(always)]
pub(super) unsafe fn shuffle_up(lanes: u64, value: u32, lane: u32, distance: u32, size: u32) -> (u32, bool) {
    let is_there = lane % size >= distance;
    let from = if is_there { lane - distance } else { lane };
    // SAFETY: all lanes that are there call it, and the lane is one before this, or this, as this function asks.
    (unsafe { shuffle(lanes, value, from) }, is_there)
}

/// The value of the lane `distance` places behind `lane`, which is this one, if it is one of the first `threads` of the same run of
/// `size` lanes: else this lane's own.
///
/// # Safety
/// All lanes of the wave that are there call it, and the first `threads` of a run that has one of them are there. The distance is less
/// than the wave's size.
#[inline(always)]
pub(super) unsafe fn shuffle_down(
    lanes: u64,
    value: u32,
    lane: u32,
    distance: u32,
    size: u32,
    threads: u32,
) -> u32 {
    let from = if distance < threads - lane % size { lane + distance } else { lane };
    // SAFETY: all lanes that are there call it, and the lane is one of the run's threads, as this function asks.
    unsafe { shuffle(lanes, value, from) }
}

/// The value of the lane whose number is that of `lane`, which is this one, with the bits of `mask` flipped, if it is one of the first
/// `threads` of the same run of `size` lanes: else this lane's own.
///
/// # Safety
/// All lanes of the wave that are there call it, and the first `threads` of a run that has one of them are there. The mask is less
/// than `size`.
#[inline(always)]
pub(super) unsafe fn shuffle_xor(
    lanes: u64,
    value: u32,
    lane: u32,
    mask: u32,
    size: u32,
    threads: u32,
) -> u32 {
    let from = if (lane % size ^ mask) < threads { lane ^ mask } else { lane };
    // SAFETY: all lanes that are there call it, and the lane is one of the run's threads, as this function asks.
    unsafe { shuffle(lanes, value, from) }
}

/// A lane that is at work, the same for all that call it: the one named, or the first of `lanes`.
///
/// `s_endpgm` ends the whole wave, but the compiler orders the ways on which lanes part: those that panic may come to it only
/// when the others have come to the end of the kernel, and are switched off as long. Who is on is a scalar register: this takes
/// a few scalar instructions.
///
/// # Safety
/// All lanes of the wave that are there call it, and the lane named is one of `lanes`.
#[inline(always)]
pub(super) unsafe fn living_lane(lanes: u64, lane: u32) -> u32 {
    let living = amdgpu_ballot(true) & lanes;
    if living >> lane & 1 == 1 { lane } else { living.trailing_zeros() }
}

/// The number of a lane that was got from lane `this`, if it is a lower one, or the largest number: so a way from lane to
/// lane has an end also where it leads to one that is switched off, of which a shuffle gets anything.
#[inline(always)]
pub(super) fn lower_lane(lane: u32, this: u32) -> u32 {
    if lane < this { lane } else { u32::MAX }
}

/// A bit for each lane of the wave whose value is true.
///
/// # Safety
/// All lanes of the wave that are there call it.
#[inline(always)]
pub(super) unsafe fn ballot(_: u64, value: bool) -> u64 {
    amdgpu_ballot(value)
}

/// A bit for each lane of the wave that has the same value.
///
/// # Safety
/// All lanes of the wave that are there call it.
#[inline(always)]
pub(super) unsafe fn match_any(lanes: u64, value: u64) -> u64 {
    let mut mask = 0;
    for lane in 0..warp_size() {
        // SAFETY: all lanes that are there call it, as this function asks; one that isn't there gives zero, which is left out.
        let [low, high] =
            unsafe { [shuffle(lanes, value as u32, lane), shuffle(lanes, (value >> 32) as u32, lane)] };
        let same = u64::from(high) << 32 | u64::from(low) == value;
        mask |= u64::from(same) << lane;
    }
    mask & lanes
}

/// A bit for each lane of the wave whose value has the same lowest bits.
///
/// # Safety
/// All lanes of the wave that are there call it.
#[inline(always)]
pub(super) unsafe fn match_bits(lanes: u64, value: u32, bits: u32) -> u64 {
    let mut same = lanes;
    for bit in 0..bits.min(32) {
        let is_set = value >> bit & 1 != 0;
        let votes = amdgpu_ballot(is_set);
        same &= if is_set { votes } else { !votes };
    }
    same
}

/// `None`: no instruction combines values of lanes.
///
/// # Safety
/// None.
#[inline(always)]
pub(super) unsafe fn reduce(_: u64, _: u32, _: Reduction, _: bool) -> Option<u32> {
    None
}

macro_rules! add {
    ($name:ident, $float:ty, $atomic:ty) => {
        /// Adds to a float, atomically and relaxed. Returns what was there.
        ///
        /// # Safety
        /// The pointer is at a value that others access atomically only.
        #[inline(always)]
        pub(super) unsafe fn $name(at: *mut $float, value: $float) -> $float {
            // SAFETY: others access the value atomically only, as this function asks; a float and its bits have one size and
            // alignment.
            let at = unsafe { <$atomic>::from_ptr(at.cast()) };
            let add = |bits| Some((<$float>::from_bits(bits) + value).to_bits());
            let (Ok(before) | Err(before)) = at.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
            <$float>::from_bits(before)
        }
    };
}

add!(add_f32, f32, AtomicU32);
add!(add_f64, f64, AtomicU64);

/// Ends the wave, and so the thread: there is no instruction for less.
#[inline(always)]
pub(super) fn end_thread() -> ! {
    endpgm()
}
