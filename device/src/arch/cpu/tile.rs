//! Tiles of warps: as far as what lanes do together knows, warps of fewer lanes.

use super::Isa;
use super::group_context::GroupContext;
use super::group_shape::GroupShape;
use crate::Local;

/// How the threads of a group, or of a warp, are laid out whose warps are tiles of `N` lanes: as without.
#[derive(Clone, Copy, Debug)]
pub struct Tiled<S, const N: usize>(S);

// SAFETY: as for the shape itself.
unsafe impl<S: GroupShape, const N: usize> GroupShape for Tiled<S, N> {
    type Block = S::Block;
    const RANK: usize = S::RANK;
    const ISA: Isa = S::ISA;
    const LANES: usize = N;

    #[inline(always)]
    fn block(self) -> S::Block {
        self.0.block()
    }

    #[inline(always)]
    fn group(self) -> [usize; 3] {
        self.0.group()
    }

    #[inline(always)]
    fn local(self, x: usize, y: usize, z: usize) -> Local {
        self.0.local(x, y, z)
    }
}

impl<'k, S: GroupShape> GroupContext<'k, S> {
    /// This group, with tiles of `N` lanes for its warps.
    #[inline(always)]
    pub(crate) fn tiled<const N: usize>(&self) -> GroupContext<'k, Tiled<S, N>> {
        const { assert!(N <= S::LANES, "a tile has more lanes than what it is a tile of") };
        GroupContext::new(Tiled(self.shape), self.origin, self.scratch)
    }
}
