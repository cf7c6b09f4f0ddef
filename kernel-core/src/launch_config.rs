use crate::workgroup_sizes::Asked;
use crate::{
    Bytes, Dim, LaunchAttributes, Limits, Partition, PartitionLayout, Sets, WorkgroupElement, WorkgroupError,
    WorkgroupMemory,
};

/// How many threads a launch runs, in what workgroups, and with what launch-sized workgroup memory.
///
/// ```
/// use gridwright_core::LaunchConfig;
///
/// LaunchConfig::threads(1000); // exactly 1000 threads in one dimension
/// LaunchConfig::for_matrix(480, 640); // one thread an element of a matrix
/// LaunchConfig::for_matrix(480, 640).block((32, 8)); // in workgroups of 32 columns, 8 rows
/// LaunchConfig::grid((4, 2), 64); // 4 by 2 workgroups of 64 threads
/// LaunchConfig::grid((4, 2), 64).workgroup::<f32>(64); // each with 64 elements for the kernel's `Workgroup<[f32]>`
/// ```
///
/// A kernel whose first parameter is a `&Group` runs in whole workgroups: threads are rounded up to them.
///
/// `W` is what was said about workgroup memory: the launch of a kernel that needs some takes only a config that
/// says how much. All else is checked at the launch, which returns an error that names the size and its limit.
///
/// # From CUDA
/// What stands in `<<<…>>>` but the stream: `cudaLaunchConfig_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a config does nothing until it is given to `launch`"]
pub struct LaunchConfig<W = ()> {
    pub(crate) extent: Extent,
    pub(crate) block: Option<Dim>,
    pub(crate) attributes: LaunchAttributes,
    workgroup: W,
}

/// What a config counts: threads, or whole workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    Threads(Dim),
    /// The elements of a matrix: a thread for each, or a workgroup for each tile.
    Elements(Dim),
    Groups(Dim),
}

impl LaunchConfig {
    /// `n` threads in one dimension. The last workgroup may be a part of one: threads beyond `n`
    /// don't run.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::threads(1000);
    /// ```
    ///
    /// # From CUDA
    /// `<<<(n + 255) / 256, 256>>>`, with `if (i < n)` in the kernel: threads beyond `n` don't run here.
    pub const fn threads(n: usize) -> Self {
        Self::exactly(Dim { x: n, y: 1, z: 1 })
    }

    /// One thread for each element of a matrix, `cols` along x and `rows` along y; for a kernel whose workgroups own
    /// tiles, a `PerGroup<Matrix<T>, Tiles<ROWS, COLS>>`, one workgroup for each tile, also of those that reach beyond the
    /// edge.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::for_matrix(480, 640);
    /// ```
    ///
    /// # From CUDA
    /// `dim3 block(32, 8)` and `dim3 grid((cols + 31) / 32, (rows + 7) / 8)`. Rows come first here, and
    /// columns are along x.
    pub const fn for_matrix(rows: usize, cols: usize) -> Self {
        Self {
            extent: Extent::Elements(Dim { x: cols, y: rows, z: 1 }),
            block: None,
            attributes: LaunchAttributes::NONE,
            workgroup: (),
        }
    }

    /// One thread for each element of a volume, `cols` along x, `rows` along y and `planes` along z.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::for_volume(64, 480, 640);
    /// ```
    ///
    /// # From CUDA
    /// A `dim3` of blocks for three axes, and `if` in the kernel for each. Planes come first here, and
    /// columns are along x.
    pub const fn for_volume(planes: usize, rows: usize, cols: usize) -> Self {
        Self::exactly(Dim { x: cols, y: rows, z: planes })
    }

    /// `groups` workgroups of `block` threads each.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::grid((40, 30), (16, 16));
    /// ```
    ///
    /// # From CUDA
    /// `<<<groups, block>>>`.
    pub fn grid(groups: impl Into<Dim>, block: impl Into<Dim>) -> Self {
        Self {
            extent: Extent::Groups(groups.into()),
            block: Some(block.into()),
            attributes: LaunchAttributes::NONE,
            workgroup: (),
        }
    }

    /// `n` bytes of workgroup memory for a kernel that has exactly one parameter `Workgroup<[T]>`, which gets as many
    /// elements as they make.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::threads(1000).dyn_workgroup_bytes(1024);
    /// ```
    ///
    /// # From CUDA
    /// The third argument of `<<<groups, block, n>>>`, for a kernel with one `extern __shared__` array.
    pub const fn dyn_workgroup_bytes(self, n: usize) -> LaunchConfig<Bytes> {
        let Self { extent, block, attributes, workgroup: () } = self;
        LaunchConfig { extent, block, attributes, workgroup: Bytes(n) }
    }

    const fn exactly(threads: Dim) -> Self {
        Self {
            extent: Extent::Threads(threads),
            block: None,
            attributes: LaunchAttributes::NONE,
            workgroup: (),
        }
    }
}

impl<W> LaunchConfig<W> {
    /// The threads of one workgroup. Without it, those that the kernel declares with `block = …`, else 256 in one
    /// dimension or 32 by 8 in more, or fewer if it declares `max_threads = …`, and longer along y or z where a grid would else
    /// have more workgroups there than the device takes. A GPU's driver may know a better number
    /// for a kernel of threads, whose workgroups are no part of what it computes: then that one is taken.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::threads(1000).block(128);
    /// ```
    ///
    /// # From CUDA
    /// The second argument of `<<<groups, block>>>`. Without it a GPU's driver may be asked, as by
    /// `cudaOccupancyMaxPotentialBlockSize`.
    pub fn block(mut self, block: impl Into<Dim>) -> Self {
        self.block = Some(block.into());
        self
    }

    /// `len` elements of workgroup memory for the kernel's next parameter `Workgroup<[T]>`: the first call is about
    /// the first of them.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::threads(1000).block(256).workgroup::<f32>(256);
    /// ```
    ///
    /// # From CUDA
    /// The third argument of `<<<groups, block, len * sizeof(T)>>>`. Each array has a size of its own.
    /// Beyond 48 KiB no `cudaFuncSetAttribute` is needed.
    pub fn workgroup<T: WorkgroupElement>(self, len: usize) -> LaunchConfig<(W, Partition<T>)> {
        self.and(Asked::Elements(len))
    }

    /// `k` elements of workgroup memory for each thread of a workgroup, for the kernel's next parameter
    /// `Workgroup<[T]>`. This is [`workgroup`](Self::workgroup) for launches that leave the block to the
    /// kernel or to Gridwright.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::threads(1000).workgroup_per_thread::<f32>(1);
    /// ```
    ///
    /// # From CUDA
    /// The third argument of `<<<groups, block, k * block * sizeof(T)>>>`.
    pub fn workgroup_per_thread<T: WorkgroupElement>(self, k: usize) -> LaunchConfig<(W, Partition<T>)> {
        self.and(Asked::PerThread(k))
    }

    fn and<T>(self, asked: Asked) -> LaunchConfig<(W, Partition<T>)> {
        let Self { extent, block, attributes, workgroup } = self;
        LaunchConfig { extent, block, attributes, workgroup: (workgroup, Partition::new(asked)) }
    }

    /// Checks the config's workgroup memory for a kernel with launch-sized `partitions`, of element types `N`, behind
    /// `fixed` bytes, for groups of `threads_per_group`, on a device with `limits`.
    ///
    /// # Errors
    /// [`WorkgroupError`] for a size that is zero, uneven, or over the limit.
    ///
    /// ```
    /// use gridwright_core::{LaunchConfig, Limits, PartitionLayout};
    ///
    /// const PARTITIONS: &[PartitionLayout] = &[PartitionLayout::of::<f32>("scratch")];
    ///
    /// let config = LaunchConfig::threads(1000).workgroup_per_thread::<f32>(2);
    /// let memory = config.workgroup_memory::<((), f32)>(PARTITIONS, 1024, 256, &Limits::PORTABLE)?;
    /// assert_eq!((memory.lens(), memory.bytes), (&[512][..], 1024 + 2048));
    /// # Ok::<(), gridwright_core::WorkgroupError>(())
    /// ```
    pub fn workgroup_memory<N>(
        &self,
        partitions: &'static [PartitionLayout],
        fixed: usize,
        threads_per_group: usize,
        limits: &Limits,
    ) -> Result<WorkgroupMemory, WorkgroupError>
    where
        W: Sets<N>,
    {
        self.workgroup.resolve(partitions, fixed, threads_per_group, limits.workgroup_memory)
    }
}
