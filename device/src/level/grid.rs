use core::fmt;
use core::marker::PhantomData;

use crate::arch::{GroupContext, GroupShape, OfGrid};
use crate::thread::Brand;
use crate::warp::WarpPlace;
use crate::{Access, GridItems, Group, InPhase};

/// All threads of a launch: the first argument, `grid: &Grid`, of a kernel whose body runs for the whole launch at once.
///
/// The kernel's body runs at *grid level*: every thread of the launch runs it, all with the same values. What threads do on
/// their own they do in phases, as those of a [`Group`](crate::Group), and what groups do in
/// [`each_group`](Self::each_group). A phase that touches a [`GridMemory`](crate::GridMemory) ends with a barrier of the whole grid: so what
/// it wrote, all threads read in the next one, and a loop of phases, until a method has converged, is one launch.
///
/// The launch of such a kernel is cooperative: all its groups run at the same time. So there can be no more than the
/// device holds, which [`Kernel::occupancy`] tells, and a launch of more is refused with both numbers. A thread that
/// has more than one element to do takes [`GridMemory::grid_stride_mut`](crate::GridMemory::grid_stride_mut). On the CPU one thread of the host runs the
/// grid.
///
/// The grid has one dimension. If a thread panics, the others end at their next barrier, also where it is another kernel's
/// thread on the same device: what they were to write is missing then, and the panic is reported as always.
///
/// A function that takes a grid is generic over its groups' shape: `fn helper<S: GroupShape>(grid: &Grid<'_, S>)`.
///
/// [`Kernel::occupancy`]: https://docs.rs/gridwright/latest/gridwright/struct.Kernel.html#method.occupancy
///
/// ```
/// use gridwright::prelude::*;
///
/// /// The heat of a rod whose ends are kept: Jacobi's method, until no element changes by more than `least`.
/// #[gpu_kernel(requires = now.len() == next.len())]
/// fn jacobi(grid: &Grid, least: f32, mut now: GridMemory<[f32]>, mut next: GridMemory<[f32]>) {
///     let (last, mut now, mut next) = (now.len() - 1, now.reborrow(), next.reborrow());
///     loop {
///         let mut change = grid.private(0.0_f32);
///         grid.each((next.grid_stride_mut(), now.shared(), &mut change), |_, (next, now, change)| {
///             next.for_each(|i, next| {
///                 *next = if i == 0 || i == last { now[i] } else { (now[i - 1] + now[i + 1]) / 2.0 };
///                 *change = change.max((*next - now[i]).abs());
///             });
///         });
///         core::mem::swap(&mut now, &mut next);
///         if grid.reduce(&change, f32::max) <= least {
///             break;
///         }
///     }
///     // Whichever of the two has the result, both do in the end.
///     grid.each((next.grid_stride_mut(), now.shared()), |_, (next, now)| next.for_each(|i, next| *next = now[i]));
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let mut rod = vec![0.0_f32; 100];
/// rod[99] = 99.0;
/// let (mut now, mut next) = (stream.upload(&rod)?, stream.upload(&rod)?);
/// jacobi::load(&device)?.launch(&stream, LaunchConfig::grid(2, 32), (1e-4, &mut now, &mut next))?;
/// for (i, heat) in stream.download(&now)?.into_iter().enumerate() {
///     assert!((heat - i as f32).abs() < 0.5, "{i}: {heat}");
/// }
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `cg::grid_group`, in a kernel that `cudaLaunchCooperativeKernel` launches.
pub struct Grid<'k, S: GroupShape> {
    pub(crate) context: GroupContext<'k, OfGrid<S>>,
    _brand: PhantomData<Brand<'k>>,
}

impl<'k, S: GroupShape> Grid<'k, S> {
    #[inline(always)]
    pub(crate) fn new(context: GroupContext<'k, OfGrid<S>>) -> Self {
        Self { context, _brand: PhantomData }
    }

    /// The number of workgroups of the launch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(grid: &Grid<'_, S>) -> usize {
    /// let threads_of_a_group = grid.len() / grid.groups();
    /// # threads_of_a_group }
    /// ```
    ///
    /// # From CUDA
    /// `gridDim.x`.
    #[inline(always)]
    pub fn groups(&self) -> usize {
        self.context.grid()[0]
    }

    /// Calls `body` for each workgroup, which runs it on its own, with phases and collectives of the group.
    ///
    /// `items` says what each group gets: one of [`GridItems`](crate::GridItems), or a tuple of up to eight. Groups run in
    /// no order and may take different ways. When all have ended, the grid goes on, and sees what they wrote. Workgroup
    /// memory holds bytes that mean nothing when `body` begins, also if the last `each_group` had it.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// Divides by the sum of all.
    /// #[gpu_kernel]
    /// fn normalise(grid: &Grid, mut x: GridMemory<[f32]>, mut sums: GridMemory<[f32]>) {
    ///     let groups = grid.groups();
    ///     grid.each_group((x.per_thread(), sums.per_group()), |g, (mut x, mut sum)| {
    ///         let mine = g.map(x.elements_mut(), |_, x| x.map_or(0.0, |x| *x));
    ///         sum.set(g, g.reduce(&mine, |a, b| a + b));
    ///     });
    ///     grid.each((x.elements_mut(), sums.shared()), |_, (x, sums)| {
    ///         if let Some(x) = x {
    ///             *x /= sums[..groups].iter().sum::<f32>();
    ///         }
    ///     });
    /// }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let mut x = stream.upload(&[2.0; 100])?;
    /// # let mut sums = stream.alloc_zeroed(4)?;
    /// # normalise::load(&device)?.launch(&stream, LaunchConfig::grid(4, 32), (&mut x, &mut sums))?;
    /// # assert_eq!(stream.download(&x)?, [0.01; 100]);
    /// # Ok(())
    /// # }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn each_group<D, F>(&self, mut items: D, body: F)
    where
        D: GridItems,
        F: for<'g, 'i> Fn(&Group<'g, S>, D::Item<'i>) + InPhase,
    {
        items.check(self.len(), self.context.launch());
        self.context.each_group(|context| {
            let group = Group::new(context);
            let (index, threads) = (group.index(), group.len());
            let place = WarpPlace { index, first: index * threads, threads, warps: group.groups() };
            // SAFETY: just checked; each group comes by once.
            let mut part = unsafe { items.part(place) };
            // SAFETY: once.
            body(&group, unsafe { D::lend(&mut part) });
        });
        // Also where it got no memory: it may have read what it captured, and the grid's next phase may write that.
        self.context.end(Access::Write);
    }
}

impl<S: GroupShape> fmt::Debug for Grid<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grid").field("groups", &self.groups()).field("len", &self.len()).finish()
    }
}
