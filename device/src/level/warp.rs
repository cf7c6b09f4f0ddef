use core::fmt;
use core::marker::PhantomData;

use gridwright_core::KernelArg;

use crate::arch::{self, GroupContext, GroupShape, OfWarp};
use crate::thread::Brand;
use crate::warp::WarpPlace;
use crate::{InPhase, Thread};

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
///     g.each_warp((&mine, sums.warp_chunks_mut(1)), |w, (mine, mut sum)| {
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
    pub(crate) context: GroupContext<'w, OfWarp<S>>,
    _brand: PhantomData<Brand<'w>>,
}

impl<'w, S: GroupShape> Warp<'w, S> {
    #[inline(always)]
    pub(crate) fn new(context: GroupContext<'w, OfWarp<S>>) -> Self {
        Self { context, _brand: PhantomData }
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
        self.context.warp_place().index
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
        self.context.lanes()
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
        arch::warp::invoke(&self.context, lane, body)
    }

    #[inline(always)]
    pub(crate) fn place(&self) -> WarpPlace {
        self.context.warp_place()
    }
}

impl<S: GroupShape> fmt::Debug for Warp<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Warp").field("index", &self.index()).field("len", &self.len()).finish()
    }
}
