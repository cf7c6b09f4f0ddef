use core::marker::PhantomData;

use crate::Local;
use crate::arch::hardware;

/// Who a thread is, on a GPU. What nobody asks for, the optimiser leaves out.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'t> {
    pub(super) col: usize,
    pub(super) row: usize,
    pub(super) plane: usize,
    pub(super) index: usize,
    pub(super) local: Local,
    pub(super) number: usize,
    pub(super) group: usize,
    pub(super) _kernel: PhantomData<&'t ()>,
}

/// Which launch it is: on a GPU there is one.
#[derive(Clone, Copy, Debug)]
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

    /// The number of the thread in its group, row after row.
    #[inline(always)]
    pub(crate) fn number(self) -> usize {
        self.number
    }

    #[inline(always)]
    pub(crate) fn lane(self) -> usize {
        self.number % hardware::warp_size() as usize
    }

    #[inline(always)]
    pub(crate) fn group_index(self) -> usize {
        self.group
    }
}
