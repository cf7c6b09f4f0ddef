use gridwright_core::{Bounds, GroupExtent, Images, ParamList, PartitionLayout};

use super::fiber_view::FiberParams;
use super::group_view::GroupPlace;
use super::groups::{GroupParams, GroupsEntry};
use super::run::Entry;
use super::team::GroupShape;
use super::{Chunk, Shape, ThreadParams};
use crate::block::Block;
use crate::{Group, Memory, Thread};

/// What crosses from host to device at a launch of the kernel `K`.
pub type Raw<K> = <<K as Signature>::Params as ParamList>::Raw;

/// A kernel's code for the CPU.
#[derive(Clone, Copy, Debug)]
pub enum Cpu {
    /// Code of a thread kernel: runs the threads of a chunk.
    Threads(Entry),
    /// Code of a group kernel: runs groups.
    Groups(GroupsEntry),
    /// Code of a kernel that is an `unsafe fn`: runs groups, each of their threads on a stack of its own.
    Fibers(GroupsEntry),
    /// Code of a cluster's kernel: runs clusters, by their numbers.
    Clusters(GroupsEntry),
    /// Code of a grid kernel: runs all groups together.
    Grid(GroupsEntry),
    /// No code: the kernel was compiled elsewhere, for GPUs.
    Foreign,
}

impl Cpu {
    /// Whether the kernel's groups run together.
    pub const fn is_grid(&self) -> bool {
        matches!(self, Self::Grid(_))
    }

    /// Whether the kernel is a cluster's.
    pub const fn is_of_clusters(&self) -> bool {
        matches!(self, Self::Clusters(_))
    }

    /// Whether the kernel is safe to launch.
    pub const fn is_safe(&self) -> bool {
        matches!(self, Self::Threads(_) | Self::Groups(_) | Self::Clusters(_) | Self::Grid(_))
    }
}

/// A kernel as `#[gpu_kernel]` describes it to the host.
///
/// # Safety
/// Written by the macro only: `CPU` runs the kernel's body once for each thread, or once for each group.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kernel, or not an instance of one",
    label = "no such instance",
    note = "a generic kernel runs with the types that `#[gpu_kernel(instances(…))]` names: add this one there"
)]
pub unsafe trait Signature: 'static {
    /// The types of the parameters, without workgroup memory.
    type Params: ParamList;
    /// The element types of launch-sized workgroup memory: a nested tuple such as `((), f32)`.
    type Sizes: 'static;
    /// The kernel's name, with the generic arguments of an instance.
    const NAME: &'static str;
    /// The names of the parameters, without workgroup memory.
    const PARAMETERS: &'static [&'static str];
    /// What the kernel demands of a launch.
    const BOUNDS: Bounds;
    /// The launch-sized partitions of workgroup memory.
    const PARTITIONS: &'static [PartitionLayout];
    /// Bytes of workgroup memory that every launch takes.
    const FIXED_BYTES: usize;
    /// The name of the entry in device images.
    const ENTRY: &'static str;
    /// The images that have the entry, of the crate that has the kernel.
    const IMAGES: &'static Images;
    /// The kernel's code for the CPU.
    const CPU: Cpu;
    /// A bit for each parameter by value, the first one's the lowest: whether AMD's entry takes it in words, which it does unless
    /// it is a number.
    const VALUES_IN_WORDS: u16 = 0;

    /// Evaluates `requires = …`; the error is the text of the first condition that doesn't hold.
    fn require(arguments: &Raw<Self>, group: GroupExtent, lens: &[usize]) -> Result<(), &'static str>;
}

/// A kernel that is a function of one thread.
///
/// # Safety
/// Written by the macro only: `run` runs the kernel's body once for each thread of the chunk.
pub unsafe trait ThreadKernel: Signature<Params: ThreadParams> {
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
