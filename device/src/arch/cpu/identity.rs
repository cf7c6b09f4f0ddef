use super::LaunchSizes;
use crate::Local;

/// Threads in a warp, for what kernels do with lanes: NVIDIA's number.
pub(crate) const WARP: usize = 32;

/// Who a thread is, on the CPU.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'t> {
    pub(super) launch: &'t LaunchSizes,
    pub(super) index: usize,
    pub(super) plane: usize,
    pub(super) row: usize,
    pub(super) col: usize,
    /// The thread's place, known where a whole group runs. Elsewhere it takes divisions, so nobody makes it
    /// before it is asked for.
    pub(super) place: Option<Place>,
}

/// Place of a thread in its group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(super) local: Local,
    /// The thread's number among those at hand: in the group row after row, in the warp, or in the grid.
    pub(super) number: usize,
    /// The thread's number in the group, or in the warp.
    pub(super) in_group: usize,
    pub(super) group: usize,
}

/// Identity of a launch, among those that run one within the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchId(*const LaunchSizes);

impl LaunchId {
    #[inline(always)]
    pub(super) fn of(launch: &LaunchSizes) -> Self {
        Self(launch)
    }
}

impl Identity<'_> {
    #[inline(always)]
    pub(super) fn launch_id(self) -> LaunchId {
        LaunchId::of(self.launch)
    }

    #[inline(always)]
    pub(crate) fn is_of(self, launch: LaunchId) -> bool {
        self.launch_id() == launch
    }

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
        if let Some(place) = self.place {
            return place.local;
        }
        let [x, y, z] = self.launch.geometry.block;
        Local { x: self.col % x, y: self.row % y, z: self.plane % z }
    }

    /// The number of the thread in its group, row after row.
    #[inline(always)]
    pub(crate) fn number(self) -> usize {
        if let Some(place) = self.place {
            return place.number;
        }
        let Local { x, y, z } = self.local();
        let [cols, rows, _] = self.launch.geometry.block;
        (z * rows + y) * cols + x
    }

    #[inline(always)]
    pub(crate) fn lane(self) -> usize {
        self.place.map_or_else(|| self.number(), |place| place.in_group) % WARP
    }

    /// The number of threads of a launch of one dimension.
    #[inline(always)]
    pub(crate) fn threads_of_grid(self) -> usize {
        self.launch.geometry.threads[0]
    }

    #[inline(always)]
    pub(crate) fn group_index(self) -> usize {
        if let Some(place) = self.place {
            return place.group;
        }
        let [x, y, z] = self.launch.geometry.block;
        let [groups_x, groups_y, _] = self.launch.geometry.groups;
        (self.plane / z * groups_y + self.row / y) * groups_x + self.col / x
    }
}
