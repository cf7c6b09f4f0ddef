//! A whole grid: one context of all its threads, which phases go through one group after the other.

use core::ops::Range;
use core::ptr;

use gridwright_core::{COLLECTIVE_BYTES, KernelArg, ParamList};

use super::grid_view::GridParams;
use super::group_context::GroupContext;
use super::group_origin::GroupOrigin;
use super::group_shape::GroupShape;
use super::groups::UNWRITTEN;
use super::isa::in_isa;
use super::scratch::with_scratch;
use super::shape::isa;
use super::witness::GroupWitness;
use super::{Isa, LaunchSizes};
use crate::block::{AnyBlock, Block};
use crate::{Grid, Local, Memory};
use gridwright_core::{Raw, Signature};

/// A kernel that is a function of a grid.
///
/// # Safety
/// Written by the macro only: `run` runs the kernel's body once.
pub unsafe trait GridKernel: Signature<Params: GridParams> {
    /// The kernel's block.
    type Block: Block;

    /// Runs the grid.
    ///
    /// # Safety
    /// As for [`with_grid_parameters`](super::with_grid_parameters); the memory has what the kernel's parameters take.
    unsafe fn run<S: GroupShape>(grid: &Grid<'_, S>, arguments: &Raw<Self>, memory: Memory<'_>);
}

/// The groups of a grid, whose threads are SIMD lanes of an instruction set, an [`Isa`] as a number.
#[derive(Clone, Copy, Debug)]
pub struct GridLanes<B, const ISA: u8>(B);

impl<B, const ISA: u8> GridLanes<B, ISA> {
    /// # Safety
    /// The block is the launch's, and this machine has the instruction set.
    pub(super) unsafe fn new(block: B) -> Self {
        Self(block)
    }
}

// SAFETY: `run` makes it of the launch's block, where the instruction set is.
unsafe impl<B: Block, const ISA: u8> GroupShape for GridLanes<B, ISA> {
    type Block = B;
    const RANK: usize = 1;
    const ISA: Isa = isa(ISA);

    #[inline(always)]
    fn block(self) -> B {
        self.0
    }
}

/// How the threads of a grid are laid out, whose groups are of the shape `S`: in a row.
#[derive(Clone, Copy, Debug)]
pub struct OfGrid<S> {
    groups: S,
    threads: usize,
}

// SAFETY: as for the groups; the number of threads is the launch's.
unsafe impl<S: GroupShape> GroupShape for OfGrid<S> {
    type Block = AnyBlock<1>;
    const RANK: usize = 1;
    const ISA: Isa = S::ISA;
    const LANES: usize = S::LANES;

    #[inline(always)]
    fn block(self) -> AnyBlock<1> {
        AnyBlock::of([self.threads, 1, 1])
    }

    #[inline(always)]
    fn local(self, x: usize, _: usize, _: usize) -> Local {
        let [threads, ..] = self.groups.block().sizes();
        Local { x: x % threads, y: 0, z: 0 }
    }

    #[inline(always)]
    fn offset(self, [x, ..]: [usize; 3], _: usize) -> (Local, usize, usize) {
        let [threads, ..] = self.groups.block().sizes();
        (Local { x, y: 0, z: 0 }, x / threads, x % threads)
    }
}

/// Runs all groups of a launch together. The arguments are as for [`run_groups`](super::run_groups).
///
/// # Safety
/// - `arguments` points at a [`Raw<K>`] of live memory of its types, which nobody else accesses but to read what is read.
/// - This machine has `isa`, and the kernel code for it.
/// - The groups are all of the launch, whose geometry and workgroup memory were resolved for this kernel.
pub unsafe fn run_grid<K: GridKernel>(isa: Isa, launch: &LaunchSizes, _: Range<usize>, arguments: *const ()) {
    // SAFETY: the pointer is at the kernel's raw arguments, which outlive the call, and this machine has `isa`: this function asks
    // for both, and for arguments that `run` may have.
    unsafe {
        let arguments = &*arguments.cast::<Raw<K>>();
        in_isa!(K, isa, run::<K, ISA>(launch, arguments));
    }
}

/// # Safety
/// As for `run_grid`, and this machine has the instruction set.
unsafe fn run<K: GridKernel, const ISA: u8>(launch: &LaunchSizes, arguments: &<K::Params as ParamList>::Raw) {
    let groups = GridLanes::<K::Block, ISA>(K::Block::of(launch.geometry.block));
    let shape = OfGrid { groups, threads: launch.geometry.threads[0] };
    let origin = GroupOrigin::new(launch, 0);
    let bytes = launch.memory.bytes.saturating_sub(COLLECTIVE_BYTES);
    with_scratch(|scratch| {
        let witness = GroupWitness::of_groups(origin, launch.geometry.groups[0]);
        let memory = scratch.take::<u8>(bytes);
        // SAFETY: there is room for so many bytes.
        unsafe { ptr::write_bytes(memory.as_ptr(), UNWRITTEN, bytes) };
        {
            let grid = Grid::new(GroupContext::new(shape, origin, scratch));
            // SAFETY: the arguments are at live memory, which nobody else accesses but to read what is read, as `run_grid` asks.
            // The memory is aligned, as large as the launch resolved, and the groups', one after the other.
            unsafe { K::run(&grid, arguments, Memory::new(memory.as_ptr(), &launch.memory.lens)) };
        }
        scratch.reset();
        witness.dismiss();
    });
}

impl<'k, S: GroupShape> GroupContext<'k, OfGrid<S>> {
    /// Calls the body for each group.
    #[inline(always)]
    pub(crate) fn each_group(&self, mut body: impl FnMut(GroupContext<'k, S>)) {
        let launch = self.origin.launch;
        for group in 0..launch.geometry.groups[0] {
            let origin = GroupOrigin::new(launch, group);
            let witness = GroupWitness::new(origin);
            body(GroupContext::new(self.shape.groups, origin, self.scratch));
            witness.dismiss();
        }
    }
}

/// What a group finds in workgroup memory: nothing of another one's.
///
/// # Safety
/// The memory is borrowed exclusively.
#[inline(always)]
pub(crate) unsafe fn unwritten<T: KernelArg>(memory: *mut T, len: usize) {
    // SAFETY: this function asks for `len` elements that are borrowed exclusively; any bytes are a value.
    unsafe { ptr::write_bytes(memory, UNWRITTEN, len) };
}
