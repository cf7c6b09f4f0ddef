use core::fmt;
use core::marker::PhantomData;

use gridwright_core::KernelArg;

use crate::arch::{self, Cells, Endless, GroupShape, OfWarp, Team};
use crate::thread::{Brand, Repeatable};
use crate::{Access, GroupMemory, InPhase, Items, LaneItems, Private, Thread, Whole};

/// A warp (AMD: wave): a run of a group's threads that compute together, which [`Group::each_warp`] hands to its closure.
///
/// It has 32 threads on NVIDIA and on the CPU, 32 or 64 on AMD. The group's threads are counted row after row. The last
/// warp of a group may have fewer threads. The closure runs at *warp level*: every thread of the warp runs it, all with
/// the same values, while other warps may take another way. What threads do on their own they do in phases, as those of
/// a [`Group`](crate::Group). A phase that touches memory that the warp shares ends with a barrier of the warp. The
/// closure can't reach the group's barrier.
///
/// A function that takes a warp is generic over the group's shape: `fn helper<S: GroupShape>(w: &Warp<'_, S>)`.
///
/// [`Group::each_warp`]: crate::Group::each_warp
///
/// ```
/// use gridwright::prelude::*;
///
/// /// One sum a workgroup: each warp's into a slot, then the sum of the slots.
/// #[gpu_kernel(block = 256)]
/// fn block_sum(g: &Group, x: &[u32], mut out: PerGroup<[u32]>, mut sums: Workgroup<[u32; 8]>) {
///     let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
///     g.each_warp((&mine, sums.each_warp_mut(1)), |w, (mine, mut sum)| {
///         w.set(&mut sum, 0, w.reduce(mine, |a, b| a + b));
///     });
///     let mut total = 0;
///     for warp in 0..g.warps() {
///         total += g.read(&sums, warp);
///     }
///     out.set(g, total);
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let x = stream.upload(&[1; 1000])?;
/// let mut sums = stream.alloc_zeroed::<u32>(4)?;
/// block_sum::load(&device)?.launch(&stream, LaunchConfig::grid(4, 256), (&x, &mut sums))?;
/// assert_eq!(stream.download(&sums)?, [256, 256, 256, 232]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// A warp, `cg::tiled_partition<32>(block)`. Collectives take no mask: all lanes are there.
pub struct Warp<'w, S: GroupShape> {
    pub(crate) team: Team<'w, OfWarp<S>>,
    _brand: PhantomData<Brand<'w>>,
}

impl<'w, S: GroupShape> Warp<'w, S> {
    #[inline(always)]
    pub(crate) fn new(team: Team<'w, OfWarp<S>>) -> Self {
        Self { team, _brand: PhantomData }
    }

    /// The number of the warp in its group.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>) -> bool {
    /// let first = w.index() == 0;
    /// # first }
    /// ```
    ///
    /// # From CUDA
    /// `threadIdx.x / warpSize`, in one dimension.
    #[inline(always)]
    pub fn index(&self) -> usize {
        self.team.warp_place().index
    }

    /// The number of the warp's threads: fewer than [`size`](Self::size) only in the last warp of a group.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) -> f32 {
    /// let mean = w.reduce(values, |a, b| a + b) / w.len() as f32;
    /// # mean }
    /// ```
    #[inline(always)]
    #[allow(clippy::len_without_is_empty)] // a warp has a thread
    pub fn len(&self) -> usize {
        self.team.threads()
    }

    /// The number of threads of a full warp, as [`Group::warp_size`](crate::Group::warp_size) gives it. For a tile it is `N`.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>) -> usize {
    /// let first_thread = w.index() * w.size();
    /// # first_thread }
    /// ```
    ///
    /// # From CUDA
    /// `warpSize`.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.team.lanes()
    }

    /// A phase of the warp: calls `body` for each thread, with the thread's item of each view.
    ///
    /// It works as [`Group::each`](crate::Group::each), but takes views that go by lanes: [`LaneItems`]. The
    /// [`lane`](Thread::lane) of a thread is its place in the warp, or in the tile. The next phase sees what threads
    /// write to the warp's memory.
    ///
    /// # Panics
    /// If a view has fewer slots than threads take part.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # fn in_a_kernel(g: &Group, mut memory: Workgroup<[u32]>) {
    /// g.each_warp(memory.each_warp_mut(g.warp_size()), |w, mut memory| {
    ///     w.each(memory.reborrow().each_mut(), |t, slot| *slot = t.index() as u32);
    ///     let (low, high) = memory.split_at_mut(w.len() / 2);
    ///     w.each((low.each_mut().take(w.len() / 2), high.each().take(w.len() / 2)), |_, (low, high)| *low += *high);
    /// });
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// The code between two `__syncwarp()`. The phase ends with one, if it touches memory that the warp shares.
    #[inline(always)]
    #[track_caller]
    pub fn each<D, F>(&self, items: D, body: F)
    where
        D: LaneItems,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) + InPhase,
    {
        items.each(&self.team, body);
    }

    /// A phase that makes a value for each thread of the warp.
    ///
    /// # Panics
    /// As for [`each`](Self::each).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, x: &[f32]) -> f32 {
    /// let squares = w.map((), |t, ()| x.get(t.index()).map_or(0.0, |x| x * x));
    /// # w.reduce(&squares, |a, b| a + b) }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn map<D, R, F>(&self, items: D, body: F) -> Private<'w, R>
    where
        D: LaneItems + Whole,
        R: Copy + 'static,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) -> R + InPhase,
    {
        Private { cells: items.map(&self.team, body) }
    }

    /// A phase that calls `body` for each thread of the warp again and again, until `body` returns `false` for that thread.
    ///
    /// It works as [`Group::each_while`](crate::Group::each_while).
    ///
    /// # Panics
    /// As for [`each`](Self::each).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>) {
    /// let mut root = w.private(0_usize);
    /// w.each_while(&mut root, |t, root| {
    ///     if (*root + 1) * (*root + 1) > t.index() {
    ///         return false;
    ///     }
    ///     *root += 1;
    ///     true
    /// });
    /// # }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn each_while<D, F>(&self, items: D, body: F)
    where
        D: LaneItems,
        F: for<'t, 'i> Fn(Thread<'t, Repeatable>, D::Item<'i>) -> bool + InPhase,
    {
        items.each_while(&self.team, Endless, body);
    }

    /// A phase that calls `body` for each thread of the warp until `body` returns `false`, at most `most` times.
    ///
    /// All threads of the warp have one `most`. On the CPU this common limit costs nothing, whereas a count that each
    /// thread keeps itself is a comparison in each call.
    ///
    /// # Panics
    /// As for [`each`](Self::each).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, most: u32) {
    /// let mut root = w.private(0_usize);
    /// w.each_while_up_to(most, &mut root, |t, root| {
    ///     if (*root + 1) * (*root + 1) > t.index() {
    ///         return false;
    ///     }
    ///     *root += 1;
    ///     true
    /// });
    /// # }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn each_while_up_to<D, F>(&self, most: u32, items: D, body: F)
    where
        D: LaneItems,
        F: for<'t, 'i> Fn(Thread<'t, Repeatable>, D::Item<'i>) -> bool + InPhase,
    {
        items.each_while(&self.team, most, body);
    }

    /// A phase that calls `body` for each thread of the warp exactly until `body` returns `false`: `body` may have effects.
    ///
    /// The calls for one thread are made in order.
    ///
    /// # Panics
    /// As for [`each`](Self::each).
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, queue: &Atomic<[u32]>, jobs: u32) {
    /// w.each_while_branching((), |t, ()| {
    ///     let job = queue.fetch_add(t, 0, 1);
    ///     job < jobs
    /// });
    /// # }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn each_while_branching<D, F>(&self, items: D, body: F)
    where
        D: LaneItems,
        F: for<'t, 'i> Fn(Thread<'t>, D::Item<'i>) -> bool + InPhase,
    {
        items.each_while_branching(&self.team, body);
    }

    /// A private value for each thread of the warp: each begins as `value`, and the warp's phases change it.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>) {
    /// let mut sum = w.private(0.0_f32);
    /// w.each(&mut sum, |t, sum| *sum += t.lane() as f32);
    /// # }
    /// ```
    #[inline(always)]
    pub fn private<T: Copy + 'static>(&self, value: T) -> Private<'w, T> {
        Private { cells: Cells::filled(&self.team, value) }
    }

    /// Reads an element of workgroup memory at warp level: of the warp's own part, or of memory that no warp writes.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # fn in_a_kernel(g: &Group, bounds: Workgroup<[u32]>) {
    /// g.each_warp((), |w, ()| {
    ///     for _turn in 0..w.read(&bounds, w.index()) {
    ///         // each warp as often as its bound says
    ///     }
    /// });
    /// # }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn read<M: GroupMemory>(&self, memory: &M, index: usize) -> M::Element {
        self.team.begin(Access::Read);
        // SAFETY: what the warp wrote, a barrier of it came after; the rest nobody writes before the group's next barrier.
        let value = unsafe { memory.get(index) };
        self.team.end(Access::Read);
        value
    }

    /// Writes an element of the warp's own workgroup memory.
    ///
    /// # Panics
    /// Beyond the last element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # #[gpu_kernel]
    /// # fn in_a_kernel(g: &Group, x: &[u32], mut counts: Workgroup<[u32]>) {
    /// let found = g.map((), |t, ()| x.get(t.index()) == Some(&0));
    /// g.each_warp((&found, counts.each_warp_mut(1)), |w, (found, mut count)| {
    ///     w.set(&mut count, 0, w.count(found) as u32);
    /// });
    /// # }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn set<M: GroupMemory>(&self, memory: &mut M, index: usize, value: M::Element) {
        let elements = memory.elements();
        let len = elements.len();
        assert!(index < len, "index {index} of {len} elements in workgroup memory");
        self.team.begin(Access::Write);
        if self.team.leads() {
            // SAFETY: the index was just seen to be inside; the memory is the warp's own, and one thread writes it.
            unsafe { elements.cast::<M::Element>().add(index).write(value) };
        }
        self.team.end(Access::Write);
    }

    /// Combines the values of all threads of the warp into one, two by two, in an order of the device's choosing.
    ///
    /// [`Group::reduce`](crate::Group::reduce) says what `combine` has to be.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) -> f32 {
    /// let greatest = w.reduce(values, f32::max);
    /// # greatest }
    /// ```
    ///
    /// # From CUDA
    /// `cub::WarpReduce`, or `cg::reduce`.
    #[inline(always)]
    pub fn reduce<T, F>(&self, values: &Private<'_, T>, combine: F) -> T
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        arch::collective::reduce(&self.team, &values.cells, combine)
    }

    /// Each thread gets its own value combined with those of all lanes before it. `combine` has to be associative.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, values: &Private<u32>) {
    /// let sums = w.scan_inclusive(values, |a, b| a + b);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::WarpScan`, or `cg::inclusive_scan`.
    #[inline(always)]
    pub fn scan_inclusive<T, F>(&self, values: &Private<'_, T>, combine: F) -> Private<'w, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        Private { cells: arch::collective::scan_inclusive(&self.team, &values.cells, combine) }
    }

    /// Each thread gets `start` combined with the values of all lanes before it. `combine` has to be associative, with
    /// `start` as its neutral element.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, counts: &Private<u32>) {
    /// let offsets = w.scan_exclusive(counts, 0, |a, b| a + b);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cub::WarpScan`, or `cg::exclusive_scan`.
    #[inline(always)]
    pub fn scan_exclusive<T, F>(&self, values: &Private<'_, T>, start: T, combine: F) -> Private<'w, T>
    where
        T: KernelArg,
        F: Fn(T, T) -> T + InPhase,
    {
        Private { cells: arch::collective::scan_exclusive(&self.team, &values.cells, start, combine) }
    }

    /// Calls `body` for the warp's first thread alone, and gives the result to all its threads.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, found: &Private<bool>, total: &Atomic<[u32]>) -> u32 {
    /// let count = w.count(found) as u32;
    /// let before = w.invoke_one(|t| total.fetch_add(t, 0, count)); // one update a warp
    /// # before }
    /// ```
    ///
    /// # From CUDA
    /// `cg::invoke_one_broadcast`, always by the first thread.
    #[inline(always)]
    #[track_caller]
    pub fn invoke_one<T, F>(&self, body: F) -> T
    where
        T: KernelArg,
        F: for<'t> Fn(Thread<'t>) -> T + InPhase,
    {
        self.invoke(0, body)
    }

    /// Calls `body` for the thread of one lane alone, and gives what it returns to all threads.
    #[inline(always)]
    #[track_caller]
    pub(super) fn invoke<T, F>(&self, lane: usize, body: F) -> T
    where
        T: KernelArg,
        F: for<'t> Fn(Thread<'t>) -> T + InPhase,
    {
        let results = ().map(&self.team, |t, ()| if t.lane() == lane { body(t) } else { T::zeroed() });
        arch::collective::broadcast(&self.team, &results, lane)
    }

    /// Gives all threads of the warp the value of one lane.
    ///
    /// # Panics
    /// If the warp has no such lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) -> f32 {
    /// let last = w.broadcast(values, w.len() - 1);
    /// # last }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_sync` with one source lane for all lanes.
    #[inline(always)]
    #[track_caller]
    pub fn broadcast<T: KernelArg>(&self, values: &Private<'_, T>, lane: usize) -> T {
        let lanes = self.len();
        assert!(lane < lanes, "lane {lane} of a warp of {lanes}");
        arch::collective::broadcast(&self.team, &values.cells, lane)
    }

    /// Whether the value of any lane is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, found: &Private<bool>) -> bool {
    /// let somebody_found_it = w.any(found);
    /// # somebody_found_it }
    /// ```
    ///
    /// # From CUDA
    /// `__any_sync`.
    #[inline(always)]
    pub fn any(&self, values: &Private<'_, bool>) -> bool {
        arch::collective::any(&self.team, &values.cells)
    }

    /// Whether every lane's value is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, done: &Private<bool>) -> bool {
    /// let all_are_done = w.all(done);
    /// # all_are_done }
    /// ```
    ///
    /// # From CUDA
    /// `__all_sync`.
    #[inline(always)]
    pub fn all(&self, values: &Private<'_, bool>) -> bool {
        arch::collective::all(&self.team, &values.cells)
    }

    /// The number of lanes whose value is true.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, found: &Private<bool>) -> usize {
    /// let found = w.count(found);
    /// # found }
    /// ```
    ///
    /// # From CUDA
    /// `__popc(__ballot_sync(mask, value))`.
    #[inline(always)]
    pub fn count(&self, values: &Private<'_, bool>) -> usize {
        arch::collective::count(&self.team, &values.cells)
    }

    /// A mask with a bit for each lane whose value is true. The lowest bit is lane 0.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, found: &Private<bool>) -> u32 {
    /// let first = w.ballot(found).trailing_zeros();
    /// # first }
    /// ```
    ///
    /// # From CUDA
    /// `__ballot_sync`, as 64 bits: AMD's waves can have 64 lanes.
    #[inline(always)]
    pub fn ballot(&self, values: &Private<'_, bool>) -> u64 {
        arch::warp::ballot_of(&self.team, &values.cells)
    }

    /// Each thread gets a mask with a bit for each lane that has the same value as itself.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, bins: &Private<u64>) {
    /// let with_the_same_bin = w.match_any(bins);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `__match_any_sync`.
    #[inline(always)]
    pub fn match_any(&self, values: &Private<'_, u64>) -> Private<'w, u64> {
        Private { cells: arch::warp::match_any(&self.team, &values.cells) }
    }

    /// Each thread gets the value of the lane whose number it has in `lanes`, or its own value if there is no such lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) {
    /// let lanes = w.map((), |t, ()| t.lane() as u32 / 4 * 4);
    /// let of_the_first_in_four = w.shuffle(values, &lanes);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_sync`. A value can have any size.
    #[inline(always)]
    pub fn shuffle<T: KernelArg>(&self, values: &Private<'_, T>, lanes: &Private<'_, u32>) -> Private<'w, T> {
        Private { cells: arch::warp::shuffle_to(&self.team, &values.cells, &lanes.cells) }
    }

    /// Each thread gets the value of the lane whose number is its own with the bits of `mask` flipped, or its own value
    /// if there is no such lane.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) {
    /// let of_the_other_in_the_pair = w.shuffle_xor(values, 1);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_xor_sync`.
    #[inline(always)]
    pub fn shuffle_xor<T: KernelArg>(&self, values: &Private<'_, T>, mask: usize) -> Private<'w, T> {
        Private { cells: arch::warp::shuffle(&self.team, &values.cells, |_, lane| lane ^ mask) }
    }

    /// Each thread gets the value of the lane `delta` places before its own. The first `delta` lanes keep their own values.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) {
    /// let of_the_one_before = w.shuffle_up(values, 1);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_up_sync`.
    #[inline(always)]
    pub fn shuffle_up<T: KernelArg>(&self, values: &Private<'_, T>, delta: usize) -> Private<'w, T> {
        Private { cells: arch::warp::shift_up(&self.team, &values.cells, delta) }
    }

    /// Each thread gets the value of the lane `delta` places behind its own. The last `delta` lanes keep their own values.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(w: &Warp<'_, S>, values: &Private<f32>) {
    /// let of_the_next = w.shuffle_down(values, 1);
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `__shfl_down_sync`.
    #[inline(always)]
    pub fn shuffle_down<T: KernelArg>(&self, values: &Private<'_, T>, delta: usize) -> Private<'w, T> {
        Private { cells: arch::warp::shift_down(&self.team, &values.cells, delta) }
    }

    #[inline(always)]
    pub(crate) fn place(&self) -> super::WarpPlace {
        self.team.warp_place()
    }
}

impl<S: GroupShape> fmt::Debug for Warp<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Warp").field("index", &self.index()).field("len", &self.len()).finish()
    }
}
