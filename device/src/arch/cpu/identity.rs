use super::Launch;
use crate::Local;

/// Who a thread is, on the CPU.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'t> {
    pub(super) launch: &'t Launch,
    pub(super) index: usize,
    pub(super) plane: usize,
    pub(super) row: usize,
    pub(super) col: usize,
}

impl Identity<'_> {
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.index
    }

    #[inline(always)]
    pub(crate) fn plane(self) -> usize {
        self.plane
    }

    #[inline(always)]
    pub(crate) fn row(self) -> usize {
        self.row
    }

    #[inline(always)]
    pub(crate) fn col(self) -> usize {
        self.col
    }

    #[inline(always)]
    pub(crate) fn local(self) -> Local {
        let [x, y, z] = self.launch.geometry.block;
        Local { x: self.col % x, y: self.row % y, z: self.plane % z }
    }

    #[inline(always)]
    pub(crate) fn group_index(self) -> usize {
        let [x, y, z] = self.launch.geometry.block;
        let [groups_x, groups_y, _] = self.launch.geometry.groups;
        (self.plane / z * groups_y + self.row / y) * groups_x + self.col / x
    }
}
