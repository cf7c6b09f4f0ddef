use super::Isa;
use super::identity::WARP;
use crate::Local;
use crate::block::Block;

/// How a group's threads are laid out and what runs them: `S` of a [`Group<'_, S>`](crate::Group).
///
/// ```
/// use gridwright::prelude::*;
///
/// /// A helper is generic over it.
/// fn total<S: GroupShape>(g: &Group<'_, S>, values: &Private<f32>) -> f32 {
///     g.reduce(values, |a, b| a + b)
/// }
/// ```
///
/// # Safety
/// The block is the launch's, and this machine has the instruction set where a value exists.
pub unsafe trait GroupShape: Copy + 'static {
    /// The group's block.
    type Block: Block;
    /// The dimensions in which the kernel's threads have positions.
    const RANK: usize;
    /// The instruction set.
    const ISA: Isa;
    /// The lanes of the group's warps, but for the last one.
    #[doc(hidden)]
    const LANES: usize = WARP;

    /// The group's block.
    #[doc(hidden)]
    fn block(self) -> Self::Block;

    /// Threads of the group along x, y and z.
    #[doc(hidden)]
    #[inline(always)]
    fn group(self) -> [usize; 3] {
        self.block().sizes()
    }

    /// The place in the group of the thread at a place of the block.
    #[doc(hidden)]
    #[inline(always)]
    fn local(self, x: usize, y: usize, z: usize) -> Local {
        Local { x, y, z }
    }

    /// Place of the thread at a place of the block, from the first one at hand, the number of its group from
    /// the first one's, and its number in the group.
    #[doc(hidden)]
    #[inline(always)]
    fn offset(self, [x, y, z]: [usize; 3], number: usize) -> (Local, usize, usize) {
        (self.local(x, y, z), 0, number)
    }
}
