use crate::{ConfigError, Dim, Geometry, IndexWidth, Limits};

/// How many threads a launch runs, and in what workgroups.
///
/// ```
/// use gridwright_core::LaunchConfig;
///
/// LaunchConfig::threads(1000); // exactly 1000 threads in one dimension
/// LaunchConfig::for_matrix(480, 640); // one thread an element of a matrix
/// LaunchConfig::for_matrix(480, 640).block((32, 8)); // in workgroups of 32 columns, 8 rows
/// LaunchConfig::grid((4, 2), 64); // 4 by 2 workgroups of 64 threads
/// ```
///
/// Nothing is checked until the launch, which returns an error that names the size and its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a config does nothing until it is given to `launch`"]
pub struct LaunchConfig {
    extent: Extent,
    block: Option<Dim>,
}

/// What a config counts: threads, or whole workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Threads(Dim),
    Groups(Dim),
}

impl LaunchConfig {
    /// `n` threads in one dimension. The last workgroup may be a part of one: threads beyond `n`
    /// don't run.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::threads(1000);
    /// ```
    pub const fn threads(n: usize) -> Self {
        Self::exactly(Dim { x: n, y: 1, z: 1 })
    }

    /// One thread for each element of a matrix, `cols` along x and `rows` along y.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::for_matrix(480, 640);
    /// ```
    pub const fn for_matrix(rows: usize, cols: usize) -> Self {
        Self::exactly(Dim { x: cols, y: rows, z: 1 })
    }

    /// `groups` workgroups of `block` threads each: CUDA's `<<<groups, block>>>`.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::grid((40, 30), (16, 16));
    /// ```
    pub fn grid(groups: impl Into<Dim>, block: impl Into<Dim>) -> Self {
        Self { extent: Extent::Groups(groups.into()), block: Some(block.into()) }
    }

    /// The threads of one workgroup. Without it, 256 in one dimension or 32 by 8 in more.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::threads(1000).block(128);
    /// ```
    pub fn block(mut self, block: impl Into<Dim>) -> Self {
        self.block = Some(block.into());
        self
    }

    const fn exactly(threads: Dim) -> Self {
        Self { extent: Extent::Threads(threads), block: None }
    }

    /// Checks the config for a kernel that tells `rank` dimensions apart and has indices of `index`,
    /// on a device with `limits`.
    ///
    /// # Errors
    /// [`ConfigError`] for a size that is zero, over a limit, or of too many dimensions.
    ///
    /// ```
    /// use gridwright_core::{IndexWidth, LaunchConfig, Limits};
    ///
    /// let geometry = LaunchConfig::threads(1000).resolve(1, IndexWidth::Bits32, &Limits::PORTABLE)?;
    /// assert_eq!((geometry.threads, geometry.groups), ([1000, 1, 1], [4, 1, 1]));
    /// # Ok::<(), gridwright_core::ConfigError>(())
    /// ```
    pub fn resolve(&self, rank: u32, index: IndexWidth, limits: &Limits) -> Result<Geometry, ConfigError> {
        let flat = match self.extent {
            Extent::Threads(dim) | Extent::Groups(dim) => dim.y == 1 && dim.z == 1,
        };
        let default = if flat { Dim::from(256) } else { Dim::from((32, 8)) };
        let block = self.block.unwrap_or(default).axes();
        check_block(block, limits)?;

        let mut threads = [0; 3];
        let mut groups = [0; 3];
        for axis in 0..3 {
            (threads[axis], groups[axis]) = match self.extent {
                Extent::Threads(dim) => {
                    let n = dim.axes()[axis];
                    (n as u128, n.div_ceil(block[axis]) as u128)
                }
                Extent::Groups(dim) => {
                    let n = dim.axes()[axis] as u128;
                    (n * block[axis] as u128, n)
                }
            };
        }
        self.check_extent(threads, groups, limits)?;
        check_total(block, groups, index)?;
        let launch_rank = (1..=3).rev().find(|&r| threads[r - 1] > 1).unwrap_or(1) as u32;
        if launch_rank > rank {
            return Err(ConfigError::Rank { launch: launch_rank, kernel: rank });
        }
        // Each size was just seen to be below 2^64.
        Ok(Geometry { threads: threads.map(|n| n as usize), groups: groups.map(|n| n as usize), block })
    }

    fn check_extent(
        &self,
        threads: [u128; 3],
        groups: [u128; 3],
        limits: &Limits,
    ) -> Result<(), ConfigError> {
        if threads.contains(&0) {
            let what = match self.extent {
                Extent::Threads(_) => "threads",
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

fn check_block(block: [usize; 3], limits: &Limits) -> Result<(), ConfigError> {
    if block.contains(&0) {
        return Err(ConfigError::Zero { what: "threads in a workgroup" });
    }
    let what = [
        "threads of a workgroup along x",
        "threads of a workgroup along y",
        "threads of a workgroup along z",
    ];
    let remedy = "take a smaller block";
    for axis in 0..3 {
        at_most(what[axis], block[axis] as u128, limits.block[axis] as u128, remedy)?;
    }
    let total = block.iter().map(|&n| n as u128).product();
    at_most("threads in a workgroup", total, limits.threads_per_group as u128, remedy)
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
