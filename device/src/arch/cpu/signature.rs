//! Kernels as `#[gpu_kernel]` writes them for the CPU, by level.

use gridwright_core::{Raw, Signature};

use super::fiber_view::FiberParams;
use super::group_params::GroupParams;
use super::group_shape::GroupShape;
use super::group_view::GroupPlace;
use super::{Chunk, Shape, ThreadParams};
use crate::block::Block;
use crate::{Group, Memory, Thread};

/// A kernel that is a function of one thread.
///
/// # Safety
/// Written by the macro only: `run` runs the kernel's body once for each thread of the chunk.
pub unsafe trait ThreadKernel: Signature<Params: ThreadParams> {
    /// A bit for each parameter that may be read at the thread's own place: of the others no facts are stated, and they don't
    /// make the interior smaller.
    const DIRECT: u64 = u64::MAX;

    /// Runs the threads of a chunk.
    ///
    /// # Safety
    /// As for [`run_threads`](super::run_threads).
    unsafe fn run<S: Shape>(shape: S, chunk: &Chunk<'_>, arguments: &Raw<Self>);
}

/// A kernel that is a function of a workgroup.
///
/// # Safety
/// Written by the macro only: `run` runs the kernel's body once.
pub unsafe trait GroupKernel: Signature<Params: GroupParams> {
    /// The kernel's block.
    type Block: Block;

    /// Runs a group.
    ///
    /// # Safety
    /// As for [`with_parameters`](super::with_parameters); the memory has what the kernel's parameters take.
    unsafe fn run<S: GroupShape>(group: &Group<'_, S>, arguments: &Raw<Self>, memory: Memory<'_>);
}

/// A kernel that is an `unsafe fn`: one of a thread, which may wait for the others of its group.
///
/// # Safety
/// Written by the macro only: `run` runs the kernel's body once.
pub unsafe trait FiberKernel: Signature<Params: FiberParams> {
    /// Runs a thread. All threads of a group get the same memory, which they reach through raw pointers only.
    ///
    /// It is compiled for each `C` anew, one for each instruction set, so that each copy has one caller and is inlined
    /// there.
    ///
    /// # Safety
    /// As for [`with_fiber_parameters`](super::with_fiber_parameters), and what the kernel's author asks of callers; the
    /// memory has what the kernel's parameters take.
    unsafe fn run<C>(thread: Thread<'_>, place: &GroupPlace, arguments: &Raw<Self>, memory: Memory<'_>);
}
