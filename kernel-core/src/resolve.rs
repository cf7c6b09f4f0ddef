use crate::launch_config::Extent;
use crate::{Bounds, ConfigError, Dim, Geometry, IndexWidth, LaunchConfig, Limits};

/// The threads of a workgroup where nobody says.
const THREADS: usize = 256;

impl<W> LaunchConfig<W> {
    /// Checks the config's threads and workgroups for a kernel that demands `kernel` of them, on a device with
    /// `limits`.
    ///
    /// # Errors
    /// [`ConfigError`] for a size that is zero, over a limit, or of too many dimensions, for a block other than the
    /// one that the kernel declares, and for workgroups that don't make whole clusters.
    ///
    /// ```
    /// use gridwright_core::{Bounds, LaunchConfig, Limits};
    ///
    /// let geometry = LaunchConfig::threads(1000).resolve(&Bounds::of_rank(1), &Limits::PORTABLE)?;
    /// assert_eq!((geometry.threads, geometry.groups), ([1000, 1, 1], [4, 1, 1]));
    /// # Ok::<(), gridwright_core::ConfigError>(())
    /// ```
    pub fn resolve(&self, kernel: &Bounds, limits: &Limits) -> Result<Geometry, ConfigError> {
        self.resolve_with(kernel, limits, THREADS)
    }

    /// Checks the config as [`resolve`](Self::resolve) does, with a number of threads that a workgroup has
    /// best where neither the config nor the kernel says: a device knows one for a kernel. The largest power
    /// of two in it is taken.
    ///
    /// # Errors
    /// As for [`resolve`](Self::resolve).
    ///
    /// ```
    /// use gridwright_core::{Bounds, LaunchConfig, Limits};
    ///
    /// let config = LaunchConfig::threads(10_000);
    /// let geometry = config.resolve_with(&Bounds::of_rank(1), &Limits::PORTABLE, 768)?;
    /// assert_eq!(geometry.block, [512, 1, 1]);
    /// # Ok::<(), gridwright_core::ConfigError>(())
    /// ```
    pub fn resolve_with(
        &self,
        kernel: &Bounds,
        limits: &Limits,
        best: usize,
    ) -> Result<Geometry, ConfigError> {
        let block = self.block_for(kernel, limits, best)?;
        check_block(block, kernel, limits)?;

        let mut threads = [0; 3];
        let mut groups = [0; 3];
        for axis in 0..3 {
            (threads[axis], groups[axis]) = match self.extent {
                Extent::Threads(dim) | Extent::Elements(dim) => {
                    let n = dim.axes()[axis];
                    let groups = n.div_ceil(self.covered(kernel, block, axis)) as u128;
                    (if kernel.whole_groups { groups * block[axis] as u128 } else { n as u128 }, groups)
                }
                Extent::Groups(dim) => {
                    let n = dim.axes()[axis] as u128;
                    (n * block[axis] as u128, n)
                }
            };
        }
        self.check_extent(threads, groups, limits)?;
        check_total(block, groups, kernel.index)?;
        let launch_rank = (1..=3).rev().find(|&r| threads[r - 1] > 1).unwrap_or(1) as u32;
        if launch_rank > kernel.rank {
            return Err(ConfigError::Rank { launch: launch_rank, kernel: kernel.rank });
        }
        // Each size was just seen to be below 2^64.
        let groups = groups.map(|n| n as usize);
        self.attributes.check(groups)?;
        Ok(Geometry { threads: threads.map(|n| n as usize), groups, block })
    }

    /// How many of the positions that were asked for a workgroup covers along an axis.
    fn covered(&self, kernel: &Bounds, block: [usize; 3], axis: usize) -> usize {
        match (self.extent, kernel.tile) {
            (Extent::Elements(_), Some([x, y])) => [x, y, 1][axis],
            _ => block[axis],
        }
    }

    /// The block that was asked for, the one that the kernel declares, or the default.
    fn block_for(&self, kernel: &Bounds, limits: &Limits, best: usize) -> Result<[usize; 3], ConfigError> {
        match (self.block, kernel.block) {
            (Some(given), Some([x, y, z])) if given.axes() != [x, y, z] => {
                Err(ConfigError::Block { given, declared: Dim { x, y, z } })
            }
            (Some(given), _) => Ok(given.axes()),
            (None, Some(declared)) => Ok(declared),
            (None, None) => {
                let block = self.default_block(kernel.most_threads.unwrap_or(usize::MAX).min(best));
                Ok(self.fitted(block, kernel, limits))
            }
        }
    }

    /// The largest block of at most so many threads, a power of two: 2³² threads are a whole number of them.
    fn default_block(&self, most: usize) -> [usize; 3] {
        let flat = match self.extent {
            Extent::Threads(dim) | Extent::Elements(dim) | Extent::Groups(dim) => dim.y == 1 && dim.z == 1,
        };
        let most = 1 << most.checked_ilog2().unwrap_or(0);
        if flat { [most, 1, 1] } else { [most.min(32), (most / 32).max(1), 1] }
    }

    /// The default block with as many threads, longer along y or z where a grid would have too many workgroups there.
    fn fitted(&self, mut block: [usize; 3], kernel: &Bounds, limits: &Limits) -> [usize; 3] {
        let (Extent::Threads(dim) | Extent::Elements(dim)) = self.extent else { return block };
        let is_too_long = |block: [usize; 3], axis: usize| {
            dim.axes()[axis].div_ceil(self.covered(kernel, block, axis)) > limits.groups[axis]
        };
        for axis in [1, 2] {
            while is_too_long(block, axis) && block[axis].saturating_mul(2) <= limits.block[axis] {
                let halved = |from: usize| {
                    let mut other = block;
                    other[axis] *= 2;
                    other[from] /= 2;
                    (other[from] > 0 && !is_too_long(other, from)).then_some(other)
                };
                // From y first for the sake of z: neighbours along x read and write memory together.
                let fitting = if axis == 2 { halved(1).or_else(|| halved(0)) } else { halved(0) };
                let Some(fitting) = fitting else { break };
                block = fitting;
            }
        }
        block
    }

    fn check_extent(
        &self,
        threads: [u128; 3],
        groups: [u128; 3],
        limits: &Limits,
    ) -> Result<(), ConfigError> {
        if threads.contains(&0) {
            let what = match self.extent {
                Extent::Threads(_) | Extent::Elements(_) => "threads",
                Extent::Groups(_) => "workgroups",
            };
            return Err(ConfigError::Zero { what });
        }
        let what = ["workgroups along x", "workgroups along y", "workgroups along z"];
        for axis in 0..3 {
            at_most(what[axis], groups[axis], limits.groups[axis] as u128, "take larger workgroups")?;
        }
        Ok(())
    }
}

fn check_block(block: [usize; 3], kernel: &Bounds, limits: &Limits) -> Result<(), ConfigError> {
    if block.contains(&0) {
        return Err(ConfigError::Zero { what: "threads in a workgroup" });
    }
    let what = [
        "threads of a workgroup along x",
        "threads of a workgroup along y",
        "threads of a workgroup along z",
    ];
    let remedy = match kernel.block {
        Some(_) => "declare a smaller `block` of the kernel",
        None => "take a smaller block",
    };
    for axis in 0..3 {
        at_most(what[axis], block[axis] as u128, limits.block[axis] as u128, remedy)?;
    }
    // Each is at most its limit, but limits may be anything: saturate, the limit of the product is far below.
    let total = block.iter().fold(1_u128, |total, &n| total.saturating_mul(n as u128));
    at_most("threads in a workgroup", total, limits.threads_per_group as u128, remedy)?;
    let declared = kernel.most_threads.unwrap_or(usize::MAX) as u128;
    at_most(
        "threads in a workgroup",
        total,
        declared,
        "take a smaller block: the kernel declares this `max_threads`",
    )
}

/// Index arithmetic on a device is of `index` width, also in the threads that round a group up.
fn check_total(block: [usize; 3], groups: [u128; 3], index: IndexWidth) -> Result<(), ConfigError> {
    let threads = (0..3).map(|axis| groups[axis] * block[axis] as u128);
    // Three factors below 2^48 could overflow: saturate, the limit is far below.
    let total = threads.fold(1_u128, |a, b| a.saturating_mul(b));
    let remedy = match index {
        IndexWidth::Bits32 => "give the kernel 64-bit indices with #[gpu_kernel(index = u64)]",
        IndexWidth::Bits64 => "launch several times",
    };
    at_most("threads (rounded up to whole workgroups)", total, index.most_threads(), remedy)
}

fn at_most(what: &'static str, value: u128, limit: u128, remedy: &'static str) -> Result<(), ConfigError> {
    if value > limit { Err(ConfigError::OverLimit { what, value, limit, remedy }) } else { Ok(()) }
}
