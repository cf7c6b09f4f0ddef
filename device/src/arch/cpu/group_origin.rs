use super::group_shape::GroupShape;
use super::group_view::GroupPlace;
use super::{Identity, LaunchId, LaunchSizes, Place};
use crate::block::Block;

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
