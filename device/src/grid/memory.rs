use core::fmt;
use core::marker::PhantomData;

use gridwright_core::{Description, KernelArg, Layout, Param, RawSlice, SliceExtent, Slot};

use super::{GridParts, StrideMut};
use crate::arch::LaunchId;
use crate::per_group::GroupWindow;
use crate::per_thread::SliceWindow;
use crate::views::{OfGroup, OwnMut, Shared, Slots};
use crate::{PerGroup, PerThread};

/// Global memory that the threads of a [`Grid`](crate::Grid) share: what some write in one phase, all read in the next.
///
/// Phases hand it out: [`elements_mut`](Self::elements_mut) an element to each thread,
/// [`grid_stride_mut`](Self::grid_stride_mut) all that are its turn, [`shared`](Self::shared) all of it to read. For
/// [`Grid::each_group`](crate::Grid::each_group) there are [`per_thread`](Self::per_thread) and
/// [`per_group`](Self::per_group). Each borrows it, to read or to write, so that no phase does both.
///
/// A launch passes `&mut Buffer<T>`.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// Each element the sum of all before it and its own, in as many phases as doublings reach the end.
/// #[gpu_kernel(requires = x.len() == y.len())]
/// fn prefix_sums(grid: &Grid, mut x: GridMemory<[u32]>, mut y: GridMemory<[u32]>) {
///     let (mut x, mut y) = (x.reborrow(), y.reborrow());
///     let mut distance = 1;
///     while distance < x.len() {
///         grid.each((y.grid_stride_mut(), x.shared()), |_, (y, x)| {
///             y.for_each(|i, y| *y = x[i] + if i >= distance { x[i - distance] } else { 0 });
///         });
///         core::mem::swap(&mut x, &mut y);
///         distance *= 2;
///     }
///     grid.each((y.grid_stride_mut(), x.shared()), |_, (y, x)| y.for_each(|i, y| *y = x[i]));
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let (mut x, mut y) = (stream.upload(&[1_u32; 1000])?, stream.alloc_zeroed(1000)?);
/// prefix_sums::load(&device)?.launch(&stream, LaunchConfig::grid(3, 64), (&mut x, &mut y))?;
/// assert!(stream.download(&x)?.into_iter().eq(1..=1000));
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// A `T*` argument whose elements threads write before `grid.sync()`, and others read behind it.
pub struct GridMemory<'k, S: ?Sized + Slots> {
    pointer: *mut S,
    /// Number of the launch's threads.
    threads: usize,
    launch: LaunchId,
    _memory: PhantomData<&'k mut S::Element>,
}

// SAFETY: it gives views only, which phases hand out.
unsafe impl<S: ?Sized + Slots> Send for GridMemory<'_, S> {}
// SAFETY: threads that share it get views to read only, which phases hand out.
unsafe impl<S: ?Sized + Slots> Sync for GridMemory<'_, S> {}

#[allow(clippy::len_without_is_empty)] // as of other memory
impl<'k, T: KernelArg> GridMemory<'k, [T]> {
    /// # Safety
    /// The pointer is at so many elements that only this launch accesses, which has so many threads.
    #[inline(always)]
    pub(crate) unsafe fn from_raw(pointer: *mut T, len: usize, threads: usize, launch: LaunchId) -> Self {
        let pointer = core::ptr::slice_from_raw_parts_mut(pointer, len);
        Self { pointer, threads, launch, _memory: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn pointer(&self) -> *mut T {
        self.pointer.cast()
    }

    /// The window of the elements that the launch's threads own.
    #[inline(always)]
    fn window(&self) -> SliceWindow {
        let len = self.len();
        SliceWindow { start: 0, owned: self.threads.min(len), len }
    }

    /// The number of elements of the memory.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// fn last_index(x: GridMemory<[f32]>) -> usize {
    ///     x.len() - 1
    /// }
    /// ```
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.pointer.len()
    }

    /// A reborrow of the memory, which can be used up in the memory's place, or swapped with another reborrow.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn ten_turns(grid: &Grid, mut a: GridMemory<[u32]>, mut b: GridMemory<[u32]>) {
    ///     let (mut now, mut next) = (a.reborrow(), b.reborrow());
    ///     for _turn in 0..10 {
    ///         grid.each((next.elements_mut(), now.shared()), |t, (next, now)| {
    ///             if let Some(next) = next {
    ///                 *next = now[t.index() / 2] + 1;
    ///             }
    ///         });
    ///         core::mem::swap(&mut now, &mut next);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn reborrow(&mut self) -> GridMemory<'_, [T]> {
        GridMemory { pointer: self.pointer, threads: self.threads, launch: self.launch, _memory: PhantomData }
    }

    /// A view that gives each thread of the grid the element at its own index, if there is one: `Option<&mut T>`.
    ///
    /// # Panics
    /// The phase does, of another launch, which owns nothing of it.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn number_elements(grid: &Grid, mut x: GridMemory<[u32]>) {
    ///     grid.each(x.elements_mut(), |t, x| {
    ///         if let Some(x) = x {
    ///             *x = t.index() as u32;
    ///         }
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn elements_mut(&mut self) -> OfGroup<OwnMut<'_, [T]>> {
        let (pointer, window, launch) = (self.pointer(), self.window(), self.launch);
        let view = OwnMut { pointer, window, launch, _memory: PhantomData, _map: PhantomData };
        OfGroup { view, launch }
    }

    /// A view that gives each thread of the grid its elements of a *grid-stride loop* over all elements, however many
    /// threads there are.
    ///
    /// A thread's elements are the one at its own index, the one as many further on as the launch has threads, and so on.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn add_indices(grid: &Grid, mut x: GridMemory<[u32]>) {
    ///     grid.each(x.grid_stride_mut(), |_, x| x.for_each(|i, x| *x += i as u32));
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)`.
    #[inline(always)]
    pub fn grid_stride_mut(&mut self) -> StrideMut<'_, T> {
        StrideMut::new(self.pointer(), self.len(), self.launch)
    }

    /// A view with which every thread of the grid reads all of the memory.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn double_each(grid: &Grid, x: GridMemory<[u32]>, mut y: PerThread<[u32]>) {
    ///     grid.each((x.shared(), y.elements_mut()), |t, (x, y)| {
    ///         if let Some(y) = y {
    ///             *y = x[t.index() / 2];
    ///         }
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn shared(&self) -> Shared<'_, [T], true> {
        Shared { pointer: self.pointer, _memory: PhantomData }
    }

    /// A view for [`Grid::each_group`](crate::Grid::each_group) in which each thread owns the element at its own
    /// index.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn scan_each_group(grid: &Grid, mut x: GridMemory<[u32]>) {
    ///     grid.each_group(x.per_thread(), |g, mut x| {
    ///         let mine = g.map(x.elements_mut(), |_, x| x.map_or(0, |x| *x));
    ///         let before = g.scan_exclusive(&mine, 0, |a, b| a + b);
    ///         g.each((x.elements_mut(), &before), |_, (x, before)| {
    ///             if let Some(x) = x {
    ///                 *x = *before;
    ///             }
    ///         });
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn per_thread(&mut self) -> GridParts<PerThread<'_, [T]>> {
        // SAFETY: the memory is borrowed exclusively; threads get their own elements.
        GridParts(unsafe { PerThread::from_raw(self.pointer(), self.window(), self.launch) })
    }

    /// A view for [`Grid::each_group`](crate::Grid::each_group) in which each group owns the element at its own
    /// index.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn sum_each_group(grid: &Grid, x: &[u32], mut sums: GridMemory<[u32]>) {
    ///     grid.each_group(sums.per_group(), |g, mut sum| {
    ///         let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    ///         sum.set(g, g.reduce(&mine, |a, b| a + b));
    ///     });
    /// }
    /// ```
    #[inline(always)]
    pub fn per_group(&mut self) -> GridParts<PerGroup<'_, [T]>> {
        // The group is put in when the groups are known.
        let window = GroupWindow { group: 0, len: self.len() };
        // SAFETY: the memory is borrowed exclusively, so that it is the first group's, too.
        GridParts(unsafe { PerGroup::from_raw(self.pointer(), window, self.launch) })
    }
}

impl<S: ?Sized + Slots> fmt::Debug for GridMemory<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GridMemory").field("sizes", &S::sizes(self.pointer)).finish_non_exhaustive()
    }
}

/// The passing of a `GridMemory<[T]>`: the threads of a grid share the slice.
#[derive(Debug)]
pub struct GridSlice<T>(PhantomData<T>);

// SAFETY: the extent is the slice's; phases say who owns what, in launches of one dimension.
unsafe impl<T: KernelArg> Param for GridMemory<'static, [T]> {
    type Raw = RawSlice<T>;
    type Extent = SliceExtent;
    type Passing = GridSlice<T>;
    const RANK: u32 = 1;

    fn extent(raw: &RawSlice<T>) -> SliceExtent {
        SliceExtent { len: raw.len }
    }

    fn describe(raw: &RawSlice<T>) -> Description {
        Description::Slice { len: raw.len }
    }

    const LAYOUT: Layout = T::LAYOUT;
    const SPELLING: &'static str = "GridMemory<[_]>";

    fn slots(raw: &RawSlice<T>, slot: impl FnMut(Slot)) {
        raw.slots(slot);
    }
}
