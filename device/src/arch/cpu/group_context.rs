use super::group_origin::GroupOrigin;
use super::group_shape::GroupShape;
use super::group_view::GroupPlace;
use super::row_width::RowWidth;
use super::scratch::Scratch;
use super::{Identity, LaunchId};
use crate::Access;
use crate::block::Block;

/// What a group is, on the CPU: one OS thread that runs its threads in loops.
#[derive(Debug)]
pub struct GroupContext<'k, S> {
    pub(super) shape: S,
    pub(super) origin: GroupOrigin<'k>,
    pub(super) scratch: &'k Scratch,
    width: RowWidth,
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

    /// The thread of a number, which a context of one row has.
    #[inline(always)]
    pub(super) fn thread(&self, number: usize) -> Identity<'_> {
        self.origin.thread(self.shape, number, 0, 0)
    }

    #[inline(always)]
    pub(super) fn place(&self) -> GroupPlace {
        self.origin.place(self.sizes())
    }
}
