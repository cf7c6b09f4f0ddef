//! Kernels that are `unsafe fn`. Each thread of a group is a fiber: code on a stack of its own, which
//! [`sync_threads`] leaves and comes back to. An OS thread runs a group's fibers in turn.

mod barrier;
mod worker;

use core::ops::Range;
use core::ptr;

use super::chunk::Launch;
use super::groups::UNWRITTEN;
use super::isa::{Isa, by_instruction_set, by_isa, in_isa};
use super::scratch::with_scratch;
use super::shape::isa;
use super::signature::{Cpu, FiberKernel, Raw};
use super::team::Seat;
use super::{Identity, Place};
use crate::{Local, Memory, Thread};

pub(crate) use barrier::sync_threads;
use worker::{Worker, with_worker};

/// Whether kernels that are `unsafe fn` run on the CPU.
pub const HAS_FIBERS: bool = true;

/// The code for the CPU of a kernel that is an `unsafe fn`.
pub const fn fibers<K: FiberKernel>() -> Cpu {
    Cpu::Fibers(run_fibers::<K>)
}

/// Runs groups one after the other.
///
/// # Safety
/// - `arguments` points at a [`Raw<K>`] of live memory of its types, which is as the kernel's author asks of callers.
/// - This machine has `isa`, and the kernel code for it.
/// - The groups are of the launch, whose geometry and workgroup memory were resolved for this kernel.
unsafe fn run_fibers<K: FiberKernel>(isa: Isa, launch: &Launch, groups: Range<usize>, arguments: *const ()) {
    // SAFETY: the caller's contract.
    unsafe {
        let arguments = &*arguments.cast::<Raw<K>>();
        in_isa!(K, isa, run::<K, ISA>(launch, groups, arguments));
    }
}

/// # Safety
/// As for `run_fibers`, and this machine has the instruction set.
unsafe fn run<K: FiberKernel, const ISA: u8>(launch: &Launch, groups: Range<usize>, arguments: &Raw<K>) {
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
                // SAFETY: the caller's contract; the memory is this group's, and as large as the launch resolved.
                unsafe { run_group::<K, ISA>(worker, Seat::new(launch, number), arguments, memory) };
                scratch.reset();
            }
        });
    });
}

/// # Safety
/// As for `run`; the memory is the group's.
unsafe fn run_group<K: FiberKernel, const ISA: u8>(
    worker: &mut Worker,
    seat: Seat<'_>,
    arguments: &Raw<K>,
    memory: Memory<'_>,
) {
    let [cols, rows, planes] = seat.launch.geometry.block;
    let place = seat.place([cols, rows, planes]);
    let thread_at = |[x, y, z]: [usize; 3]| thread(&seat, x, y, z);
    let body = |thread: Identity<'_>| {
        // SAFETY: the caller's contract.
        let body = || unsafe { K::run::<Copy<ISA>>(Thread::new(thread), &place, arguments, memory) };
        // SAFETY: the caller's contract: this machine has the instruction set.
        unsafe { by_isa!(isa(ISA), Call::baseline(body), Call::avx2(body), Call::avx512(body)) };
    };
    for z in 0..planes {
        for y in 0..rows {
            for x in 0..cols {
                // SAFETY: what the body borrows outlives `finish`, or `begin` where it panics: no fiber does either.
                unsafe { worker.begin([x, y, z], &thread_at, &body) };
            }
        }
    }
    worker.finish(&thread_at);
}

/// The copy of a kernel's code for an instruction set.
struct Copy<const ISA: u8>;

/// The thread at a place in its group.
fn thread<'k>(seat: &Seat<'k>, x: usize, y: usize, z: usize) -> Identity<'k> {
    let Seat { launch, group, col, row, plane } = *seat;
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
