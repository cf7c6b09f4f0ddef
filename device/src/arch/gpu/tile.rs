//! Tiles of warps: as far as what lanes do together knows, warps of fewer lanes.

use core::marker::PhantomData;

use gridwright_core::KernelArg;

use super::group_context::{GroupContext, GroupShape, Together};
use super::so_far::SoFar;
use super::warp_lanes::Warp;
use crate::Access;

/// How the threads of a group, or of a warp, are laid out whose warps are tiles of `N` lanes: as without.
#[derive(Clone, Copy, Debug)]
pub struct Tiled<S, const N: usize>(PhantomData<S>);

// SAFETY: the block is the group's.
unsafe impl<S: GroupShape, const N: usize> GroupShape for Tiled<S, N> {
    type Block = S::Block;
    type Width = S::Width;
    type Together = AsUntiled;
    const RANK: usize = S::RANK;
    const ARE_A_BLOCK: bool = false;
    const LANES: usize = N;

    #[inline(always)]
    fn warp(number: u32, threads: u32) -> Warp {
        const { assert!(N <= S::LANES, "a tile has more lanes than what it is a tile of") };
        S::tile(number, threads, N as u32)
    }

    #[inline(always)]
    fn tile(number: u32, threads: u32, lanes: u32) -> Warp {
        Self::warp(number, threads).tile(lanes)
    }

    // The threads at hand are those that the tiles are of.
    #[inline(always)]
    fn threads_around<R: GroupShape>(part: &GroupContext<'_, R>) -> usize {
        S::threads_around(part)
    }

    #[inline(always)]
    fn threads(context: &GroupContext<'_, Self>) -> usize {
        S::threads_around(context)
    }

    #[inline(always)]
    fn number(context: &GroupContext<'_, Self>) -> u32 {
        context.seen_as::<S>().number()
    }

    #[inline(always)]
    fn lane(context: &GroupContext<'_, Self>) -> u32 {
        S::lane(&context.seen_as())
    }

    #[inline(always)]
    fn begin(context: &GroupContext<'_, Self>, access: Access) {
        context.seen_as::<S>().begin(access);
    }

    #[inline(always)]
    fn end(context: &GroupContext<'_, Self>, access: Access) {
        context.seen_as::<S>().end(access);
    }
}

/// The threads that tiles are of compute together what they do without tiles.
#[derive(Clone, Copy, Debug)]
pub struct AsUntiled;

impl<S: GroupShape, const N: usize> Together<Tiled<S, N>> for AsUntiled {
    #[inline(always)]
    fn reduce<T: KernelArg, F: Fn(T, T) -> T>(
        context: &GroupContext<'_, Tiled<S, N>>,
        value: T,
        combine: F,
    ) -> T {
        S::Together::reduce(&context.seen_as(), value, combine)
    }

    #[inline(always)]
    fn scan<T: KernelArg, F: Fn(T, T) -> T>(
        context: &GroupContext<'_, Tiled<S, N>>,
        value: T,
        combine: F,
    ) -> SoFar<T> {
        S::Together::scan(&context.seen_as(), value, combine)
    }

    #[inline(always)]
    fn broadcast<T: KernelArg>(context: &GroupContext<'_, Tiled<S, N>>, value: T, thread: usize) -> T {
        S::Together::broadcast(&context.seen_as(), value, thread)
    }
}

impl<'k, S: GroupShape> GroupContext<'k, S> {
    /// This group, with tiles of `N` lanes for its warps.
    #[inline(always)]
    pub(crate) fn tiled<const N: usize>(&self) -> GroupContext<'k, Tiled<S, N>> {
        self.seen_as()
    }
}
