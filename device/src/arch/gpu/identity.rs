use core::marker::PhantomData;

use crate::Local;

/// Who a thread is, on a GPU. What nobody asks for, the optimiser leaves out.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'t> {
    pub(super) col: usize,
    pub(super) row: usize,
    pub(super) plane: usize,
    pub(super) index: usize,
    pub(super) local: Local,
    pub(super) number: usize,
    pub(super) lane: usize,
    pub(super) group: usize,
    /// Threads of the launch.
    pub(super) threads: usize,
    pub(super) _kernel: PhantomData<&'t ()>,
}

/// Identity of a launch: on a GPU there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchId;

impl Identity<'_> {
    #[inline(always)]
    pub(crate) fn is_of(self, _: LaunchId) -> bool {
        true
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
        self.local
    }

    /// The thread's number among those at hand: in its group row after row, in its warp, or in the grid.
    #[inline(always)]
    pub(crate) fn number(self) -> usize {
        self.number
    }

    #[inline(always)]
    pub(crate) fn lane(self) -> usize {
        self.lane
    }

    #[inline(always)]
    pub(crate) fn group_index(self) -> usize {
        self.group
    }

    /// The number of threads of the launch.
    #[inline(always)]
    pub(crate) fn threads_of_grid(self) -> usize {
        self.threads
    }
}
