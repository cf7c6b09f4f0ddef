use super::group_view::GroupPlace;
use super::identity::WARP;
use super::scratch::Scratch;
use super::signature::GroupKernel;
use super::thread_order::RowWidth;
use super::{Identity, Isa, LaunchId, LaunchSizes, Place};
use crate::block::Block;
use crate::{Access, Local};

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
    const ISA: Isa = super::shape::isa(ISA);

    #[inline(always)]
    fn block(self) -> K::Block {
        self.0
    }
}

/// What a group is, on the CPU: one OS thread that runs its threads in loops.
#[derive(Debug)]
pub struct GroupContext<'k, S> {
    pub(super) shape: S,
    pub(super) origin: GroupOrigin<'k>,
    pub(super) scratch: &'k Scratch,
    width: RowWidth,
}

/// Place of a group in its launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupOrigin<'k> {
    pub(super) launch: &'k LaunchSizes,
    pub(super) group: usize,
    /// Column, row and plane of the group's first thread.
    pub(super) col: usize,
    pub(super) row: usize,
    pub(super) plane: usize,
}

impl<'k> GroupOrigin<'k> {
    /// The origin of the group of a number, which is below the number of groups.
    pub(super) fn new(launch: &'k LaunchSizes, group: usize) -> Self {
        let [groups_x, groups_y, _] = launch.geometry.groups;
        let [x, y, z] = launch.geometry.block;
        // A launch of one dimension needs no divisions, which may take as long as a phase.
        let divided = |number: usize, by: usize| {
            if number < by { (number, 0) } else { (number % by, number / by) }
        };
        let (across, rest) = divided(group, groups_x);
        let (down, deep) = divided(rest, groups_y);
        Self { launch, group, col: across * x, row: down * y, plane: deep * z }
    }

    /// The place that parameters ask for, with threads along x, y and z.
    #[inline(always)]
    pub(super) fn place(&self, [cols, rows, _]: [usize; 3]) -> GroupPlace {
        let &Self { launch, group, col, row, .. } = self;
        let (launch_cols, launch) = (launch.geometry.threads[0], LaunchId::of(launch));
        GroupPlace { group, first: col, cols, row, rows, launch_cols, launch }
    }

    /// The thread at a place in the block.
    #[inline(always)]
    pub(super) fn thread<S: GroupShape>(&self, shape: S, x: usize, y: usize, z: usize) -> Identity<'k> {
        let [cols, rows, _] = shape.block().sizes();
        let number = match S::Block::AXES {
            1 => x,
            2 => y * cols + x,
            _ => (z * rows + y) * cols + x,
        };
        self.numbered_thread(shape, [x, y, z], number)
    }

    /// The thread at a place in the block, whose number is known.
    #[inline(always)]
    pub(super) fn numbered_thread<S: GroupShape>(
        &self,
        shape: S,
        [x, y, z]: [usize; 3],
        number: usize,
    ) -> Identity<'k> {
        let local = shape.local(x, y, z);
        let (offset, groups, in_group) = shape.offset([x, y, z], number);
        let (col, row, plane) = (self.col + offset.x, self.row + offset.y, self.plane + offset.z);
        let [stride, rows, _] = self.launch.geometry.threads;
        let index = match S::RANK {
            1 => col,
            2 => row * stride + col,
            _ => (plane * rows + row) * stride + col,
        };
        let place = Some(Place { local, number, in_group, group: self.group + groups });
        Identity { launch: self.launch, index, plane, row, col, place }
    }
}

impl<'k, S: GroupShape> GroupContext<'k, S> {
    #[inline(always)]
    pub(super) fn new(shape: S, origin: GroupOrigin<'k>, scratch: &'k Scratch) -> Self {
        Self { shape, origin, scratch, width: RowWidth::of(shape) }
    }

    #[inline(always)]
    pub(super) fn width(&self) -> RowWidth {
        self.width
    }
}

impl<S: GroupShape> GroupContext<'_, S> {
    #[inline(always)]
    pub(crate) fn sizes(&self) -> [usize; 3] {
        self.shape.block().sizes()
    }

    /// Threads of the group along x, y and z, also of a warp's.
    #[inline(always)]
    pub(super) fn group(&self) -> [usize; 3] {
        self.shape.group()
    }

    #[inline(always)]
    pub(crate) fn threads(&self) -> usize {
        let [x, y, z] = self.sizes();
        x * y * z
    }

    #[inline(always)]
    pub(crate) fn index(&self) -> usize {
        self.origin.group
    }

    /// The index of the first thread.
    #[inline(always)]
    pub(crate) fn first_index(&self) -> usize {
        self.origin.thread(self.shape, 0, 0, 0).index
    }

    #[inline(always)]
    pub(crate) fn launch(&self) -> LaunchId {
        LaunchId::of(self.origin.launch)
    }

    /// The groups of the launch along x, y and z.
    #[inline(always)]
    pub(crate) fn grid(&self) -> [usize; 3] {
        self.origin.launch.geometry.groups
    }

    /// Column, row and plane of the first thread.
    #[inline(always)]
    pub(crate) fn origin(&self) -> [usize; 3] {
        [self.origin.col, self.origin.row, self.origin.plane]
    }

    /// The group is one OS thread: what it wrote before, it sees.
    #[inline(always)]
    pub(crate) fn begin(&self, _: Access) {}

    /// The group is one OS thread: what it wrote before the end, it sees.
    #[inline(always)]
    pub(crate) fn end(&self, _: Access) {}

    /// Whether this is the thread that writes what the group as a whole writes.
    #[inline(always)]
    pub(crate) fn leads(&self) -> bool {
        true
    }

    #[inline(always)]
    pub(super) fn place(&self) -> GroupPlace {
        self.origin.place(self.sizes())
    }
}
