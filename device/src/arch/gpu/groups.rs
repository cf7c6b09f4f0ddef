//! The workgroup that this thread is of.

use core::marker::PhantomData;

use super::Last;
use super::collective::AsGroup;
use super::group_context::{GroupContext, GroupShape};
use crate::Group;
use crate::block::Block;

/// Groups of a block on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Hardware<B, L, const RANK: usize>(PhantomData<(B, L)>);

// SAFETY: `group` reads the block of the launch.
unsafe impl<B: Block, L: Last + 'static, const RANK: usize> GroupShape for Hardware<B, L, RANK> {
    type Block = B;
    type Width = L;
    type Together = AsGroup;
    const RANK: usize = RANK;
}

/// This thread's group.
///
/// # Safety
/// In a kernel's entry, once; the block is the launch's.
#[inline(always)]
pub unsafe fn group<'k, B: Block, L: Last + 'static, const RANK: usize>() -> Group<'k, Hardware<B, L, RANK>> {
    // SAFETY: a kernel's entry calls it, and the block is the launch's, as this function asks.
    Group::new(unsafe { GroupContext::at_hand() })
}
