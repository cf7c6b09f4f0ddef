use core::marker::PhantomData;

use crate::Local;
use crate::arch::hardware;

/// Who a thread is, on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'t> {
    pub(super) col: usize,
    pub(super) row: usize,
    pub(super) plane: usize,
    pub(super) index: usize,
    pub(super) _kernel: PhantomData<&'t ()>,
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
        let [x, y, z] = hardware::thread_in_group().map(|place| place as usize);
        Local { x, y, z }
    }

    #[inline(always)]
    pub(crate) fn group_index(self) -> usize {
        let [x, y, z] = hardware::group_in_grid().map(|place| place as usize);
        let [cols, rows, _] = hardware::groups_in_grid().map(|count| count as usize);
        (z * rows + y) * cols + x
    }
}
