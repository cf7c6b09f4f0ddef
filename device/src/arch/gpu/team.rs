use core::cell::Cell;
use core::intrinsics::is_val_statically_known;
use core::marker::PhantomData;

use super::{Identity, Last};
use crate::arch::hardware;
use crate::block::Block;
use crate::{Access, Group, Local};

/// How a group's threads are laid out: `S` of a [`Group<'_, S>`](crate::Group).
///
/// # Safety
/// The block is the launch's.
pub unsafe trait GroupShape: Copy + 'static {
    /// The block.
    type Block: Block;
    /// The width of index arithmetic.
    type Width: Last;
    /// The dimensions in which the kernel's threads have positions.
    const RANK: usize;
}

/// Groups of a block on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Hardware<B, L, const RANK: usize>(PhantomData<(B, L)>);

// SAFETY: `group` reads the block of the launch.
unsafe impl<B: Block, L: Last + 'static, const RANK: usize> GroupShape for Hardware<B, L, RANK> {
    type Block = B;
    type Width = L;
    const RANK: usize = RANK;
}

/// What a group is, on a GPU: this thread is one of many that run the same.
#[derive(Debug)]
pub struct Team<'k, S: GroupShape> {
    block: S::Block,
    /// The group's place in the grid, and the grid's size in groups.
    at: [u32; 3],
    groups: [u32; 3],
    since: SinceBarrier,
    _kernel: PhantomData<&'k ()>,
}

/// What was done since the last barrier to memory that other threads see. The group's code is the same for all of its
/// threads, so they agree on it; where that code is a straight line, the compiler knows it.
#[derive(Debug, Default)]
struct SinceBarrier {
    /// Memory that other threads write was read.
    read: Cell<bool>,
    /// The leading thread wrote global memory of the group.
    led: Cell<bool>,
    /// The collectives' own memory was read.
    board: Cell<bool>,
}

/// This thread's group.
///
/// # Safety
/// In a kernel's entry, once; the block is the launch's.
#[inline(always)]
pub unsafe fn group<'k, B: Block, L: Last + 'static, const RANK: usize>() -> Group<'k, Hardware<B, L, RANK>> {
    let block = B::of(hardware::group_size().map(|size| size as usize));
    // Axes that the kernel doesn't tell apart have one group.
    let known =
        |of: [u32; 3], rest: u32| core::array::from_fn(|axis| if axis < RANK { of[axis] } else { rest });
    Group::new(Team {
        block,
        at: known(hardware::group_in_grid(), 0),
        groups: known(hardware::groups_in_grid(), 1),
        since: SinceBarrier::default(),
        _kernel: PhantomData,
    })
}

impl<S: GroupShape> Team<'_, S> {
    #[inline(always)]
    pub(crate) fn sizes(&self) -> [usize; 3] {
        self.block.sizes()
    }

    #[inline(always)]
    pub(crate) fn threads(&self) -> usize {
        let [x, y, z] = self.sizes().map(|size| size as u32);
        // At most 1024, by every device's limits.
        (x * y * z) as usize
    }

    #[inline(always)]
    pub(crate) fn index(&self) -> usize {
        let ([x, y, z], [cols, rows, _]) = (self.at, self.groups);
        match S::RANK {
            1 => x as usize,
            2 => S::Width::index(S::Width::from(y), S::Width::from(cols - 1), S::Width::from(x)).widen(),
            _ => {
                let row = S::Width::index(S::Width::from(z), S::Width::from(rows - 1), S::Width::from(y));
                S::Width::index(row, S::Width::from(cols - 1), S::Width::from(x)).widen()
            }
        }
    }

    /// Column, row and plane of the first thread.
    #[inline(always)]
    pub(crate) fn origin(&self) -> [usize; 3] {
        let sizes = self.sizes();
        core::array::from_fn(|axis| S::Width::position(self.at[axis], sizes[axis] as u32, 0).widen())
    }

    /// Before memory that other threads see is accessed: a barrier, if it is written, and was read since the last one.
    #[inline(always)]
    pub(crate) fn begin(&self, access: Access) {
        let needed = match access {
            Access::None | Access::Read => false,
            Access::Write => self.since.read.get(),
            Access::WriteGlobal => self.since.read.get() | self.since.led.get(),
        };
        self.barrier_if(needed);
    }

    /// Memory that other threads see was accessed: a barrier, if it was written.
    ///
    /// At once, since loops at group level write before they read many times more often than they write twice.
    #[inline(always)]
    pub(crate) fn end(&self, access: Access) {
        match access {
            Access::None => {}
            Access::Read => self.since.read.set(true),
            Access::Write => self.barrier(),
            Access::WriteGlobal => {
                self.since.led.set(true);
                self.barrier();
            }
        }
    }

    /// The leading thread wrote global memory of the group.
    #[inline(always)]
    pub(crate) fn end_to_lead(&self) {
        self.since.led.set(true);
    }

    /// Before the collectives' own memory is written.
    #[inline(always)]
    pub(crate) fn begin_board(&self) {
        self.barrier_if(self.since.board.get());
    }

    /// The collectives' own memory was read.
    #[inline(always)]
    pub(crate) fn end_board(&self) {
        self.since.board.set(true);
    }

    /// A barrier, unless the compiler knows that none is needed. In a loop it rarely does, and a test of its own would cost
    /// more, and have the loop's first turn peeled off.
    #[inline(always)]
    fn barrier_if(&self, needed: bool) {
        if needed | !is_val_statically_known(needed) {
            self.barrier();
        }
    }

    #[inline(always)]
    pub(crate) fn barrier(&self) {
        let SinceBarrier { read, led, board } = &self.since;
        if led.get() | !is_val_statically_known(led.get()) {
            hardware::barrier_of_global();
        } else {
            hardware::barrier();
        }
        read.set(false);
        led.set(false);
        board.set(false);
    }

    /// Whether this is the thread that writes what the group as a whole writes.
    #[inline(always)]
    pub(crate) fn leads(&self) -> bool {
        self.number() == 0
    }

    /// This thread's place in the group, which is inside the block.
    #[inline(always)]
    fn place(&self) -> [u32; 3] {
        let (at, sizes) = (hardware::thread_in_group(), self.sizes());
        core::array::from_fn(|axis| {
            if axis >= S::Block::AXES {
                return 0;
            }
            // SAFETY: the hardware made the group of this block.
            unsafe { core::hint::assert_unchecked((at[axis] as usize) < sizes[axis]) };
            at[axis]
        })
    }

    /// This thread's number in the group, row after row.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        let [x, y, z] = self.place();
        let [cols, rows, _] = self.sizes().map(|size| size as u32);
        match S::Block::AXES {
            1 => x,
            2 => y * cols + x,
            _ => (z * rows + y) * cols + x,
        }
    }

    /// This thread.
    #[inline(always)]
    pub(crate) fn thread<'t>(&self) -> Identity<'t> {
        let (place, sizes) = (self.place(), self.sizes());
        let [col, row, plane] = core::array::from_fn(|axis| {
            let at = if axis < S::RANK { self.at[axis] } else { 0 };
            S::Width::position(at, sizes[axis] as u32, place[axis])
        });
        let last = |axis: usize| {
            S::Width::position(self.groups[axis] - 1, sizes[axis] as u32, sizes[axis] as u32 - 1)
        };
        let index = match S::RANK {
            1 => col,
            2 => S::Width::index(row, last(0), col),
            _ => S::Width::index(S::Width::index(plane, last(1), row), last(0), col),
        };
        let [x, y, z] = place.map(|place| place as usize);
        Identity {
            col: col.widen(),
            row: row.widen(),
            plane: plane.widen(),
            index: index.widen(),
            local: Local { x, y, z },
            number: self.number() as usize,
            group: self.index(),
            _kernel: PhantomData,
        }
    }
}
