//! The workgroup that this thread is of.

use core::marker::PhantomData;

use gridwright_core::KernelArg;

use super::group_context::{GroupContext, GroupShape};
use super::so_far::SoFar;
use super::{Last, collective};
use crate::Group;
use crate::block::Block;

/// Groups of a block on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Hardware<B, L, const RANK: usize>(PhantomData<(B, L)>);

// SAFETY: `group` reads the block of the launch.
unsafe impl<B: Block, L: Last + 'static, const RANK: usize> GroupShape for Hardware<B, L, RANK> {
    type Block = B;
    type Width = L;
    const RANK: usize = RANK;

    #[inline(always)]
    fn reduce<T: KernelArg, F: Fn(T, T) -> T>(context: &GroupContext<'_, Self>, value: T, combine: F) -> T {
        collective::reduce_group(context, value, combine)
    }

    #[inline(always)]
    fn scan<T: KernelArg, F: Fn(T, T) -> T>(
        context: &GroupContext<'_, Self>,
        value: T,
        combine: F,
    ) -> SoFar<T> {
        collective::scan_group(context, value, combine)
    }

    #[inline(always)]
    fn broadcast<T: KernelArg>(context: &GroupContext<'_, Self>, value: T, thread: usize) -> T {
        collective::broadcast_in_group(context, value, thread)
    }
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
