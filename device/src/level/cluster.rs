use core::fmt;
use core::marker::PhantomData;

use crate::arch::{GroupContext, GroupShape, LaunchId, OfCluster};
use crate::thread::Brand;
use crate::{ClusterItems, Group, InPhase};

/// A cluster of workgroups, which run together and read each other's memory.
///
/// It is the first argument, `cluster: &Cluster`, of a kernel whose body runs for a whole cluster at once.
///
/// The kernel's body runs at *cluster level*: every thread of the cluster runs it, all with the same values. What groups do on
/// their own they do in *steps*, closures that [`each_group`](Self::each_group) calls for each. A step ends with a barrier of the
/// whole cluster. What it does with a [`ClusterMemory`] is one of three: each group has its own part, to read and write; all
/// groups read all parts; or all groups update all parts, atomically. So what one step wrote, all groups read in the next one, nobody writes
/// what another one reads, and no group ends while its memory is read.
///
/// A launch says how many groups a cluster has with [`LaunchConfig::cluster`], 1 if it doesn't. Clusters of one run everywhere. Larger
/// ones run on NVIDIA's GPUs of compute capability 9.0 and newer, with an image for `sm_90` or newer, of up to 8 groups, or 16
/// where there is room; and on the CPU, where one thread of the host runs a cluster, of up to 16. Elsewhere the launch is refused with
/// `Error::AttributeUnsupported`. Launches have one dimension.
///
/// A function that takes a cluster is generic over its groups' shape: `fn helper<S: GroupShape>(cluster: &Cluster<'_, S>)`.
///
/// [`ClusterMemory`]: crate::ClusterMemory
/// [`LaunchConfig::cluster`]: https://docs.rs/gridwright/latest/gridwright/struct.LaunchConfig.html#method.cluster
///
/// ```
/// use gridwright::prelude::*;
///
/// /// Sums of as many elements as a cluster has threads, through the memory of its groups: nothing of it is seen outside.
/// #[gpu_kernel(block = 64)]
/// fn sums(cluster: &Cluster, x: &[f32], mut out: PerGroup<[f32]>, mut sum: ClusterMemory<[f32; 1]>) {
///     cluster.each_group(&mut sum, |g, mut sum| {
///         let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0.0));
///         let total = g.reduce(&mine, |a, b| a + b);
///         g.fill(&mut sum, total);
///     });
///     cluster.each_group((&sum, &mut out), |g, (sums, mut out)| {
///         let total = (0..sums.groups()).map(|rank| sums.of(rank)[0]).sum();
///         out.set(g, total);
///     });
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let x = stream.upload(&[1.0_f32; 500])?;
/// let mut out = stream.alloc_zeroed(8)?;
/// sums::load(&device)?.launch(&stream, LaunchConfig::grid(8, 64).cluster(4), (&x, &mut out))?;
/// assert_eq!(stream.download(&out)?, [256.0, 256.0, 256.0, 256.0, 244.0, 244.0, 244.0, 244.0]);
/// # Ok(())
/// # }
/// ```
///
/// A step can't be begun in a step, where groups may take different ways:
///
/// ```compile_fail,E0277
/// # use gridwright::prelude::*;
/// #[gpu_kernel(block = 64)]
/// fn nested(cluster: &Cluster, mut x: PerThread<[f32]>) {
///     cluster.each_group(&mut x, |_, _| {
///         cluster.each_group((), |_, ()| {}); // error: a phase can't use this of the code around it
///     });
/// }
/// ```
///
/// # From CUDA
/// A thread block cluster, `cg::cluster_group`. The ends of steps are `cluster.sync()`.
pub struct Cluster<'k, S: GroupShape> {
    pub(crate) context: GroupContext<'k, OfCluster<S>>,
    _brand: PhantomData<Brand<'k>>,
}

impl<'k, S: GroupShape> Cluster<'k, S> {
    #[inline(always)]
    pub(crate) fn new(context: GroupContext<'k, OfCluster<S>>) -> Self {
        Self { context, _brand: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn launch(&self) -> LaunchId {
        self.context.launch()
    }

    /// The number of the cluster's workgroups.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(cluster: &Cluster<'_, S>) -> bool {
    /// let is_alone = cluster.groups() == 1;
    /// # is_alone }
    /// ```
    ///
    /// # From CUDA
    /// `cluster.num_blocks()`.
    #[inline(always)]
    pub fn groups(&self) -> usize {
        self.context.groups_of_cluster()
    }

    /// The number of the cluster in the launch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(cluster: &Cluster<'_, S>, threads: usize) -> usize {
    /// let first_thread = cluster.index() * cluster.groups() * threads;
    /// # first_thread }
    /// ```
    ///
    /// # From CUDA
    /// PTX's `%clusterid.x`.
    #[inline(always)]
    pub fn index(&self) -> usize {
        self.first_group() / self.groups()
    }

    /// The number in the launch of the cluster's first workgroup.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(cluster: &Cluster<'_, S>) {
    /// let first = cluster.first_group();
    /// cluster.each_group((), |g, ()| {
    ///     let rank = g.index() - first;
    ///     # let _ = rank;
    /// });
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `blockIdx.x - cluster.block_rank()`.
    #[inline(always)]
    pub fn first_group(&self) -> usize {
        self.context.first_group()
    }

    /// The number of clusters in the launch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn helper<S: GroupShape>(cluster: &Cluster<'_, S>) -> bool {
    /// let is_last = cluster.index() == cluster.clusters() - 1;
    /// # is_last }
    /// ```
    ///
    /// # From CUDA
    /// PTX's `%nclusterid.x`.
    #[inline(always)]
    pub fn clusters(&self) -> usize {
        self.context.grid_of_groups() / self.groups()
    }

    /// A step of the cluster: calls `body` for each workgroup, which runs it on its own, with phases and collectives of the group.
    ///
    /// `items` says what each group gets: one of [`ClusterItems`](crate::ClusterItems), or a tuple of up to eight. Groups run in no
    /// order and may take different ways. When all have ended, the cluster goes on, and sees what they wrote.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// /// Each element of the group after this one, in a circle.
    /// #[gpu_kernel]
    /// fn rotate(cluster: &Cluster, mut x: PerThread<[f32]>, mut m: ClusterMemory<[f32]>) {
    ///     let first = cluster.first_group();
    ///     cluster.each_group((&mut x, &mut m), |g, (mut x, mut m)| {
    ///         g.each((x.elements_mut(), m.elements_mut()), |_, (x, m)| *m = x.map_or(0.0, |x| *x));
    ///     });
    ///     cluster.each_group((&mut x, &m), |g, (mut x, parts)| {
    ///         let next = parts.of((g.index() - first + 1) % parts.groups());
    ///         g.each(x.elements_mut(), |t, x| {
    ///             if let Some(x) = x {
    ///                 *x = next[t.local().x];
    ///             }
    ///         });
    ///     });
    /// }
    /// # fn main() -> Result<(), gridwright::Error> {
    /// # let device = Device::cpu()?;
    /// # let stream = device.stream()?;
    /// # let mut x = stream.upload(&[0.0, 1.0, 2.0, 3.0])?;
    /// # let config = LaunchConfig::grid(2, 2).cluster(2).workgroup::<f32>(2);
    /// # rotate::load(&device)?.launch(&stream, config, (&mut x,))?;
    /// # assert_eq!(stream.download(&x)?, [2.0, 3.0, 0.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// The code between two `cluster.sync()`.
    #[inline(always)]
    #[track_caller]
    pub fn each_group<D, F>(&self, mut items: D, body: F)
    where
        D: ClusterItems,
        F: for<'g, 'i> Fn(&Group<'g, S>, D::Item<'i>) + InPhase,
    {
        self.context.each_group(|context, place| {
            let group = Group::new(context);
            // SAFETY: each group comes by once, with its own place.
            let mut part = unsafe { items.part(place) };
            // SAFETY: once.
            body(&group, unsafe { D::lend(&mut part) });
        });
        self.context.end_of_step();
    }
}

impl<S: GroupShape> fmt::Debug for Cluster<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster").field("index", &self.index()).field("groups", &self.groups()).finish()
    }
}
