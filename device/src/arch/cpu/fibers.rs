//! Kernels that are `unsafe fn`. Each thread of a group is a fiber of the engine's, which [`sync_threads`] leaves and comes back to.

use core::ops::Range;
use core::ptr;

use gridwright_core::{CpuEntry, LaunchSizes, Raw};
use gridwright_cpu::fibers::{self, FiberThread, Threads, Worker, with_worker};

use super::group_origin::GroupOrigin;
use super::groups::UNWRITTEN;
use super::isa::{by_instruction_set, by_isa, in_isa};
use super::scratch::with_scratch;
use super::shape::isa;
use super::signature::FiberKernel;
use super::witness::Witness;
use super::{Identity, Isa, Place};
use crate::{Local, Memory, Thread};

/// The code for the CPU of a kernel that is an `unsafe fn`.
pub const fn fibers<K: FiberKernel>() -> CpuEntry {
    CpuEntry::Fibers(run_fibers::<K>)
}

/// Leaves the thread's fiber until all others of its group are at a barrier, or have ended.
///
/// # Safety
/// As the contract of [`sync_threads`](crate::sync_threads) says. Where there is no fiber of the thread, it panics.
#[track_caller]
pub(crate) unsafe fn sync_threads(thread: Thread<'_>) {
    // SAFETY: all threads of the group come to as many barriers, or end, as this function asks.
    unsafe { fibers::sync_threads(number(thread.identity)) };
}

/// What tells a thread from all others that are under way.
fn number(thread: Identity<'_>) -> FiberThread {
    let (launch, group) = (ptr::from_ref(thread.launch).addr(), thread.group_index());
    FiberThread { launch, group, number: thread.number() }
}

/// Runs groups one after the other.
///
/// # Safety
/// - `arguments` points at a [`Raw<K>`] of live memory of its types, which is as the kernel's author asks of callers.
/// - This machine has `isa`, and the kernel code for it.
/// - The groups are of the launch, whose geometry and workgroup memory were resolved for this kernel.
unsafe fn run_fibers<K: FiberKernel>(
    isa: Isa,
    launch: &LaunchSizes,
    groups: Range<usize>,
    arguments: *const (),
) {
    // SAFETY: the pointer is at the kernel's raw arguments, which outlive the call, and this machine has `isa`: this function asks
    // for both, and for arguments and groups that `run` may have.
    unsafe {
        let arguments = &*arguments.cast::<Raw<K>>();
        in_isa!(K, isa, run::<K, ISA>(launch, groups, arguments));
    }
}

/// # Safety
/// As for `run_fibers`, and this machine has the instruction set.
unsafe fn run<K: FiberKernel, const ISA: u8>(launch: &LaunchSizes, groups: Range<usize>, arguments: &Raw<K>) {
    let bytes = launch.memory.bytes;
    with_scratch(|scratch| {
        with_worker(|worker| {
            for number in groups {
                let memory = scratch.take::<u8>(bytes);
                // SAFETY: there is room for so many bytes.
                let memory = unsafe {
                    ptr::write_bytes(memory.as_ptr(), UNWRITTEN, bytes);
                    Memory::new(memory.as_ptr(), &launch.memory.lens)
                };
                // SAFETY: the arguments are as the kernel's author asks, and this machine has `ISA`, as this function asks. The
                // memory is this group's, and as large as the launch resolved.
                unsafe { run_group::<K, ISA>(worker, GroupOrigin::new(launch, number), arguments, memory) };
                scratch.reset();
            }
        });
    });
}

/// # Safety
/// As for `run`; the memory is the group's.
unsafe fn run_group<K: FiberKernel, const ISA: u8>(
    worker: &mut Worker,
    origin: GroupOrigin<'_>,
    arguments: &Raw<K>,
    memory: Memory<'_>,
) {
    let [cols, rows, planes] = origin.launch.geometry.block;
    let place = origin.place([cols, rows, planes]);
    let body = |thread: Identity<'_>| {
        // SAFETY: the arguments are as the kernel's author asks, and `memory` is this group's, as `run_group` asks.
        let body = || unsafe { K::run::<Copy<ISA>>(Thread::new(thread), &place, arguments, memory) };
        // SAFETY: this machine has the instruction set, as this function asks.
        unsafe { by_isa!(isa(ISA), Call::baseline(body), Call::avx2(body), Call::avx512(body)) };
    };
    let threads = GroupThreads { origin, body };
    for z in 0..planes {
        for y in 0..rows {
            for x in 0..cols {
                // SAFETY: what the body borrows outlives `finish`, or `begin` where it panics: no fiber does either.
                unsafe { worker.begin([x, y, z], &threads) };
            }
        }
    }
    worker.finish(&threads);
}

/// The threads of a group, with the kernel's body.
struct GroupThreads<'k, F> {
    origin: GroupOrigin<'k>,
    body: F,
}

impl<'k, F: Fn(Identity<'k>)> Threads for GroupThreads<'k, F> {
    type Thread = Identity<'k>;

    fn at(&self, [x, y, z]: [usize; 3]) -> Identity<'k> {
        thread(&self.origin, x, y, z)
    }

    fn number(&self, thread: Identity<'k>) -> FiberThread {
        number(thread)
    }

    fn run(&self, thread: Identity<'k>) {
        (self.body)(thread);
    }

    fn panicked(&self, thread: Identity<'k>) {
        drop(Witness::new(thread));
    }
}

/// The copy of a kernel's code for an instruction set.
struct Copy<const ISA: u8>;

/// The thread at a place in its group.
fn thread<'k>(origin: &GroupOrigin<'k>, x: usize, y: usize, z: usize) -> Identity<'k> {
    let GroupOrigin { launch, group, col, row, plane } = *origin;
    let [cols, rows, _] = launch.geometry.block;
    let (col, row, plane) = (col + x, row + y, plane + z);
    let number = (z * rows + y) * cols + x;
    let place = Some(Place { local: Local { x, y, z }, number, in_group: number, group });
    Identity { launch, index: launch.index(plane, row, col), plane, row, col, place }
}

by_instruction_set! {
    /// Calls a kernel's body for one thread.
    Call [] [] where F: [FnOnce()],
    fn(body,) {
        body();
    }
}
