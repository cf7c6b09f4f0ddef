use crate::{Geometry, WorkgroupMemory};

/// The sizes of a launch, resolved and checked.
///
/// ```
/// use gridwright_core::{Geometry, LaunchSizes, WorkgroupMemory};
///
/// let geometry = Geometry { threads: [10, 4, 1], block: [32, 8, 1], groups: [1, 1, 1] };
/// let sizes = LaunchSizes { geometry, memory: WorkgroupMemory::default(), cluster: 1 };
/// assert_eq!(sizes.index(0, 1, 2), 12);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LaunchSizes {
    /// The checked sizes.
    pub geometry: Geometry,
    /// The checked sizes of each group's memory.
    pub memory: WorkgroupMemory,
    /// Groups of a cluster, which the launch's are a multiple of; 1 where the kernel is no cluster's.
    pub cluster: usize,
}

impl LaunchSizes {
    /// The index of the thread at a plane, row and column.
    #[inline(always)]
    pub fn index(&self, plane: usize, row: usize, col: usize) -> usize {
        let [cols, rows, _] = self.geometry.threads;
        (plane * rows + row) * cols + col
    }
}
