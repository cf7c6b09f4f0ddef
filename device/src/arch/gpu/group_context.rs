use core::marker::PhantomData;

use gridwright_core::KernelArg;

use super::meeting::Meeting;
use super::so_far::SoFar;
use super::warp_lanes::Warp;
use super::{Identity, Last, LaunchId};
use crate::arch::hardware;
use crate::block::Block;
use crate::{Access, Local};

/// How a group's threads are laid out: `S` of a [`Group<'_, S>`](crate::Group).
///
/// # Safety
/// The block is the launch's.
pub unsafe trait GroupShape: Copy + 'static {
    /// The group's block.
    type Block: Block;
    /// The width of index arithmetic.
    type Width: Last;
    /// What the threads at hand compute together: as a group, by groups, or as lanes.
    #[doc(hidden)]
    type Together: Together<Self>;
    /// The dimensions in which the kernel's threads have positions.
    const RANK: usize;
    /// Whether the threads at hand are those of a block, each at its place in it: by places tiles are loaded, and the hardware
    /// copies in bulk for the threads of its own barrier.
    #[doc(hidden)]
    const ARE_A_BLOCK: bool = true;
    /// The lanes that the group's warps have at least, but for the last one: a tile of them has no more.
    #[doc(hidden)]
    const LANES: usize = 32;

    /// The warp of the thread of a number, in a group of so many threads.
    #[doc(hidden)]
    #[inline(always)]
    fn warp(number: u32, threads: u32) -> Warp {
        Warp::whole(number, threads)
    }

    /// The tile of so many lanes that has the thread of a number, in a group of so many threads.
    #[doc(hidden)]
    #[inline(always)]
    fn tile(number: u32, threads: u32, lanes: u32) -> Warp {
        Warp::tile_of_group(number, threads, lanes)
    }

    /// The number of the threads at hand where a part of them is seen: no number is computed that isn't needed.
    #[doc(hidden)]
    #[inline(always)]
    fn threads_around<R: GroupShape>(part: &GroupContext<'_, R>) -> usize {
        part.sizes().iter().product()
    }

    /// The number of the threads at hand.
    #[doc(hidden)]
    #[inline(always)]
    fn threads(context: &GroupContext<'_, Self>) -> usize {
        context.threads_of_group()
    }

    /// This thread's number among those at hand.
    #[doc(hidden)]
    #[inline(always)]
    fn number(context: &GroupContext<'_, Self>) -> u32 {
        context.number_in_group()
    }

    /// This thread's lane, as [`Thread::lane`](crate::Thread::lane) gives it.
    #[doc(hidden)]
    #[inline(always)]
    fn lane(context: &GroupContext<'_, Self>) -> u32 {
        context.number_in_group() % hardware::warp_size()
    }

    /// Begins an access of the threads at hand to memory that others of them see.
    #[doc(hidden)]
    #[inline(always)]
    fn begin(_: &GroupContext<'_, Self>, access: Access) {
        match access {
            Access::WriteGlobal => hardware::barrier_of_global(),
            Access::None | Access::Read | Access::Write => {}
        }
    }

    /// Ends an access of the threads at hand to memory that others of them see.
    #[doc(hidden)]
    #[inline(always)]
    fn end(_: &GroupContext<'_, Self>, access: Access) {
        match access {
            Access::None => {}
            Access::Read | Access::Write => hardware::barrier(),
            Access::WriteGlobal => hardware::barrier_of_global(),
        }
    }
}

/// What threads of a shape compute together.
#[doc(hidden)]
pub trait Together<S: GroupShape> {
    /// The values of all threads at hand, combined: for each thread the same.
    fn reduce<T: KernelArg, F: Fn(T, T) -> T>(context: &GroupContext<'_, S>, value: T, combine: F) -> T;

    /// The values up to this thread's, combined in order.
    fn scan<T: KernelArg, F: Fn(T, T) -> T>(context: &GroupContext<'_, S>, value: T, combine: F) -> SoFar<T>;

    /// The value of the thread of a number, for each thread.
    fn broadcast<T: KernelArg>(context: &GroupContext<'_, S>, value: T, thread: usize) -> T;

    /// How many threads' values are true.
    #[inline(always)]
    fn count(context: &GroupContext<'_, S>, value: bool) -> usize {
        Self::reduce(context, u32::from(value), |a, b| a + b) as usize
    }

    /// Whether the value of any thread is true.
    #[inline(always)]
    fn any(context: &GroupContext<'_, S>, value: bool) -> bool {
        Self::reduce(context, u32::from(value), |a, b| a | b) != 0
    }

    /// Whether the value of each thread is true.
    #[inline(always)]
    fn all(context: &GroupContext<'_, S>, value: bool) -> bool {
        Self::reduce(context, u32::from(value), |a, b| a & b) != 0
    }
}

/// What a group is, on a GPU: this thread is one of many that run the same.
#[derive(Debug)]
pub struct GroupContext<'k, S: GroupShape> {
    block: S::Block,
    /// The group's place in the grid, and the grid's size in groups.
    at: [u32; 3],
    groups: [u32; 3],
    /// This thread's place in the group, inside the block, and its position in the grid: computed once, before any
    /// branch, as the compiler finds one value in two phases only where it dominates both.
    place: [u32; 3],
    position: [S::Width; 3],
    col: usize,
    row: usize,
    plane: usize,
    /// How the group meets the grid's other groups.
    pub(super) meeting: Meeting,
    _kernel: PhantomData<&'k ()>,
}

impl<'k, S: GroupShape> GroupContext<'k, S> {
    /// This thread's group.
    ///
    /// # Safety
    /// In a kernel's entry; the block is the launch's.
    #[inline(always)]
    pub(super) unsafe fn at_hand() -> Self {
        let block = S::Block::of(hardware::group_size().map(|size| size as usize));
        // Axes that the kernel doesn't tell apart have one group.
        let known = |of: [u32; 3], rest: u32| {
            core::array::from_fn(|axis| if axis < S::RANK { of[axis] } else { rest })
        };
        let (at, sizes) = (known(hardware::group_in_grid(), 0), block.sizes());
        let thread = hardware::thread_in_group();
        let place = core::array::from_fn(|axis| {
            if axis >= S::Block::AXES {
                return 0;
            }
            // SAFETY: the hardware made the group of this block.
            unsafe { core::hint::assert_unchecked((thread[axis] as usize) < sizes[axis]) };
            thread[axis]
        });
        let position: [S::Width; 3] =
            core::array::from_fn(|axis| S::Width::position(at[axis], sizes[axis] as u32, place[axis]));
        let [col, row, plane] = position.map(Last::widen);
        Self {
            block,
            at,
            groups: known(hardware::groups_in_grid(), 1),
            place,
            position,
            col,
            row,
            plane,
            meeting: Meeting::NONE,
            _kernel: PhantomData,
        }
    }

    /// This thread's warp, or its tile of one.
    #[inline(always)]
    pub(super) fn warp(&self) -> Warp {
        let [x, y, z] = self.sizes().map(|size| size as u32);
        S::warp(self.number_in_group(), x * y * z)
    }

    #[inline(always)]
    pub(crate) fn launch(&self) -> LaunchId {
        LaunchId
    }

    #[inline(always)]
    pub(crate) fn sizes(&self) -> [usize; 3] {
        self.block.sizes()
    }

    /// The number of the threads at hand.
    #[inline(always)]
    pub(crate) fn threads(&self) -> usize {
        S::threads(self)
    }

    #[inline(always)]
    pub(super) fn threads_of_group(&self) -> usize {
        let [x, y, z] = self.sizes().map(|size| size as u32);
        // At most 1024, by every device's limits.
        (x * y * z) as usize
    }

    /// This group, which meets the grid's other groups by `meeting`.
    #[inline(always)]
    pub(super) fn meeting_by(&self, meeting: Meeting) -> Self {
        Self { meeting, ..self.seen_as() }
    }

    #[inline(always)]
    pub(super) fn seen_as<R: GroupShape<Block = S::Block, Width = S::Width>>(&self) -> GroupContext<'k, R> {
        let &Self { block, at, groups, place, position, col, row, plane, meeting, _kernel } = self;
        GroupContext { block, at, groups, place, position, col, row, plane, meeting, _kernel }
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

    /// The groups of the launch along x, y and z.
    #[inline(always)]
    pub(crate) fn grid(&self) -> [usize; 3] {
        self.groups.map(|groups| groups as usize)
    }

    /// Column, row and plane of the first thread.
    #[inline(always)]
    pub(crate) fn origin(&self) -> [usize; 3] {
        let sizes = self.sizes();
        core::array::from_fn(|axis| S::Width::position(self.at[axis], sizes[axis] as u32, 0).widen())
    }

    /// Begins an access to memory that other threads see: a barrier, if it is global memory, which the
    /// leading thread may have written since the last one.
    #[inline(always)]
    pub(crate) fn begin(&self, access: Access) {
        S::begin(self, access);
    }

    /// Ends an access to memory that other threads see: a barrier.
    ///
    /// To leave it out where nothing comes after was tried, by flags that the compiler knows in code without branches:
    /// in loops it made copies of the first turn.
    #[inline(always)]
    pub(crate) fn end(&self, access: Access) {
        S::end(self, access);
    }

    /// This thread's column in the grid.
    #[inline(always)]
    pub(super) fn col(&self) -> u32 {
        self.col as u32
    }

    #[inline(always)]
    pub(crate) fn barrier(&self) {
        hardware::barrier();
    }

    /// Whether this is the thread that writes what the group as a whole writes.
    #[inline(always)]
    pub(crate) fn leads(&self) -> bool {
        self.number() == 0
    }

    /// This thread's number among those at hand.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        S::number(self)
    }

    /// This thread's column and row, if the threads at hand are a block that is declared to have so many columns and rows.
    #[inline(always)]
    pub(super) fn place_in_block_of(&self, cols: usize, rows: usize) -> Option<[usize; 2]> {
        // Not by the arrays' own comparison: LLVM makes a call of it.
        let [x, y, z] = self.sizes();
        let is_block = S::ARE_A_BLOCK && S::Block::THREADS.is_some();
        let is_so = is_block && x == cols && y == rows && z == 1;
        is_so.then(|| [self.place[0] as usize, self.place[1] as usize])
    }

    /// This thread's number in the group, row after row.
    #[inline(always)]
    pub(super) fn number_in_group(&self) -> u32 {
        let [x, y, z] = self.place;
        let [cols, rows, _] = self.sizes().map(|size| size as u32);
        let number = match S::Block::AXES {
            1 => x,
            2 => y * cols + x,
            _ => (z * rows + y) * cols + x,
        };
        if let Some(threads) = S::Block::THREADS {
            // SAFETY: the hardware made the group of this block.
            unsafe { core::hint::assert_unchecked((number as usize) < threads) };
        }
        number
    }

    /// This thread.
    #[inline(always)]
    pub(crate) fn thread<'t>(&self) -> Identity<'t> {
        let (sizes, [col, row, plane]) = (self.sizes(), self.position);
        let last = |axis: usize| {
            S::Width::position(self.groups[axis] - 1, sizes[axis] as u32, sizes[axis] as u32 - 1)
        };
        let index = match S::RANK {
            1 => col,
            2 => S::Width::index(row, last(0), col),
            _ => S::Width::index(S::Width::index(plane, last(1), row), last(0), col),
        };
        let [x, y, z] = self.place.map(|place| place as usize);
        Identity {
            col: self.col,
            row: self.row,
            plane: self.plane,
            index: index.widen(),
            local: Local { x, y, z },
            number: self.number() as usize,
            lane: S::lane(self) as usize,
            group: self.index(),
            threads: self.threads_of_grid(),
            _kernel: PhantomData,
        }
    }
}
