//! Tiles of warps: as far as what lanes do together knows, warps of fewer lanes.

use core::marker::PhantomData;

use super::team::GroupShape;
use super::warp::Warp;

/// How the threads of a group, or of a warp, are laid out whose warps are tiles of `N` lanes: as without.
#[derive(Clone, Copy, Debug)]
pub struct Tiled<S, const N: usize>(PhantomData<S>);

// SAFETY: the block is the group's.
unsafe impl<S: GroupShape, const N: usize> GroupShape for Tiled<S, N> {
    type Block = S::Block;
    type Width = S::Width;
    const RANK: usize = S::RANK;
    const IS_WARP: bool = S::IS_WARP;
    const LANES: usize = N;

    #[inline(always)]
    fn warp(number: u32, threads: u32) -> Warp {
        const { assert!(N <= S::LANES, "a tile has more lanes than what it is a tile of") };
        if S::IS_WARP {
            S::warp(number, threads).tile(N as u32)
        } else {
            Warp::tile_of_group(number, threads, N as u32)
        }
    }
}
