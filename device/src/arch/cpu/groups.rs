use core::ops::Range;
use core::ptr;

use gridwright_core::{COLLECTIVE_BYTES, Raw};

use super::group_context::GroupContext;
use super::group_origin::GroupOrigin;
use super::group_shape::GroupShape;
use super::isa::in_isa;
use super::scratch::with_scratch;
use super::signature::GroupKernel;
use super::witness::GroupWitness;
use super::{Isa, LaunchSizes, shape};
use crate::block::Block;
use crate::{Group, Memory};

/// Byte that fills workgroup memory before a group runs: a float of such bytes is NaN, and an index out of
/// bounds, so that what a kernel forgot to write is seen, and nothing of another group is.
pub(super) const UNWRITTEN: u8 = 0xff;

/// Runs groups one after the other.
///
/// # Safety
/// - `arguments` points at a [`Raw<K>`] of live memory of its types. What is read, nobody writes until this returns;
///   what groups and their threads own, nobody else accesses; what is updated atomically, nobody accesses otherwise.
/// - This machine has `isa`, and the kernel code for it.
/// - The groups are of the launch, whose geometry and workgroup memory were resolved for this kernel.
pub unsafe fn run_groups<K: GroupKernel>(
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
/// As for `run_groups`, and this machine has the instruction set.
unsafe fn run<K: GroupKernel, const ISA: u8>(launch: &LaunchSizes, groups: Range<usize>, arguments: &Raw<K>) {
    let block = K::Block::of(launch.geometry.block);
    // SAFETY: the block is the launch's, which was resolved for this kernel, and this machine has `ISA`, as this function asks.
    let shape = unsafe { Lanes::<K, ISA>::new(block) };
    let bytes = launch.memory.bytes.saturating_sub(COLLECTIVE_BYTES);
    with_scratch(|scratch| {
        for number in groups {
            let origin = GroupOrigin::new(launch, number);
            let witness = GroupWitness::new(origin);
            let memory = scratch.take::<u8>(bytes);
            // SAFETY: there is room for so many bytes.
            unsafe { ptr::write_bytes(memory.as_ptr(), UNWRITTEN, bytes) };
            {
                let group = Group::new(GroupContext::new(shape, origin, scratch));
                // SAFETY: the arguments are at live memory, of which nobody else writes what is read or accesses what is owned, as
                // `run_groups` asks. The scratch aligns workgroup memory to 64 bytes; it is this group's, and as large as resolved.
                unsafe {
                    K::run(&group, arguments, Memory::new(memory.as_ptr(), &launch.memory.lens));
                }
            }
            scratch.reset();
            witness.dismiss();
        }
    });
}

/// The groups of a kernel, whose threads are SIMD lanes of an instruction set, an [`Isa`] as a number.
#[derive(Debug)]
pub struct Lanes<K: GroupKernel, const ISA: u8>(K::Block);

impl<K: GroupKernel, const ISA: u8> Lanes<K, ISA> {
    /// # Safety
    /// The block is the launch's, and this machine has the instruction set.
    pub(super) unsafe fn new(block: K::Block) -> Self {
        Self(block)
    }
}

impl<K: GroupKernel, const ISA: u8> Clone for Lanes<K, ISA> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: GroupKernel, const ISA: u8> Copy for Lanes<K, ISA> {}

// SAFETY: `new` asks for it.
unsafe impl<K: GroupKernel, const ISA: u8> GroupShape for Lanes<K, ISA> {
    type Block = K::Block;
    const RANK: usize = K::BOUNDS.rank as usize;
    const ISA: Isa = shape::isa(ISA);

    #[inline(always)]
    fn block(self) -> K::Block {
        self.0
    }
}
