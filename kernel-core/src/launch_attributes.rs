use crate::{ConfigError, Dim, LaunchConfig};

/// What a launch asks of a device beyond its sizes: what [`LaunchConfig::attributes`] gives.
///
/// ```
/// use gridwright_core::{Dim, LaunchConfig};
///
/// let attributes = LaunchConfig::grid(64, 256).cluster(4).attributes();
/// assert_eq!(attributes.cluster, Some(Dim::from(4)));
/// assert!(!attributes.cooperative);
/// ```
///
/// # From CUDA
/// The list of `cudaLaunchAttribute` in a `cudaLaunchConfig_t`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LaunchAttributes {
    /// All workgroups run at the same time.
    ///
    /// # From CUDA
    /// `cudaLaunchAttributeCooperative`.
    pub cooperative: bool,
    /// The workgroups of a cluster, which run at the same time, near each other.
    ///
    /// # From CUDA
    /// `cudaLaunchAttributeClusterDimension`.
    pub cluster: Option<Dim>,
    /// The launch may begin before the one before it in its stream has ended.
    ///
    /// # From CUDA
    /// `cudaLaunchAttributeProgrammaticStreamSerialization`.
    pub programmatic_dependent: bool,
    /// How much of a processor's memory workgroups would like to have.
    ///
    /// # From CUDA
    /// `cudaLaunchAttributePreferredSharedMemoryCarveout`.
    pub carveout: Option<Carveout>,
}

/// How a processor, which has one memory for workgroups and for its cache, would best divide it for a launch: what
/// [`LaunchConfig::preferred_workgroup_memory`] takes.
///
/// ```
/// use gridwright_core::{Carveout, LaunchConfig};
///
/// // A kernel that reads much and shares little: nearly all for the cache.
/// LaunchConfig::threads(1000).preferred_workgroup_memory(Carveout::Percent(10));
/// // Eight workgroups of 16 KiB are to run on a processor at the same time.
/// LaunchConfig::grid(64, 256).preferred_workgroup_memory(Carveout::Bytes(8 * 16 * 1024));
/// ```
///
/// # From CUDA
/// `cudaSharedCarveout`, or the number of per cent in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carveout {
    /// Per cent of the most that a processor's workgroups can have: from 0, as much cache as the launch allows, to 100.
    Percent(u8),
    /// Bytes of all workgroups that run on a processor at the same time.
    Bytes(usize),
}

impl Carveout {
    /// Per cent of the `most` bytes that a processor's workgroups can have, rounded up and at most 100.
    ///
    /// ```
    /// use gridwright_core::Carveout;
    ///
    /// assert_eq!(Carveout::Percent(30).percent_of(100 << 10), 30);
    /// assert_eq!(Carveout::Bytes(50_001).percent_of(100_000), 51);
    /// ```
    #[must_use]
    pub const fn percent_of(self, most: usize) -> u8 {
        let percent = match self {
            Self::Percent(percent) => percent as u128,
            Self::Bytes(bytes) => {
                let most = if most == 0 { 1 } else { most };
                (bytes as u128 * 100).div_ceil(most as u128)
            }
        };
        if percent > 100 { 100 } else { percent as u8 }
    }
}

impl LaunchAttributes {
    pub(crate) const NONE: Self =
        Self { cooperative: false, cluster: None, programmatic_dependent: false, carveout: None };

    /// Whether the launch asks for nothing beyond its sizes.
    ///
    /// ```
    /// use gridwright_core::LaunchConfig;
    ///
    /// assert!(LaunchConfig::threads(1000).attributes().is_plain());
    /// assert!(!LaunchConfig::threads(1000).cooperative().attributes().is_plain());
    /// ```
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        matches!(
            self,
            Self { cooperative: false, cluster: None, programmatic_dependent: false, carveout: None }
        )
    }

    /// Whether the attributes make sense for so many workgroups along x, y and z, of which there are some.
    pub(crate) fn check(&self, groups: [usize; 3]) -> Result<(), ConfigError> {
        if let Some(cluster) = self.cluster {
            let [x, y, z] = groups;
            if cluster.axes().contains(&0) {
                return Err(ConfigError::Zero { what: "workgroups in a cluster" });
            }
            if cluster.axes().iter().zip(groups).any(|(&of_cluster, groups)| groups % of_cluster != 0) {
                return Err(ConfigError::Cluster { cluster, groups: Dim { x, y, z } });
            }
        }
        match self.carveout {
            Some(Carveout::Percent(percent)) if percent > 100 => Err(ConfigError::OverLimit {
                what: "per cent of a processor's workgroup memory",
                value: percent.into(),
                limit: 100,
                remedy: "prefer at most all of it",
            }),
            _ => Ok(()),
        }
    }
}

impl<W> LaunchConfig<W> {
    /// All workgroups run at the same time, which lets them wait for each other. The launch is refused if the device
    /// hasn't the room for so many, or can't promise it.
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::grid(64, 256).cooperative();
    /// assert!(config.is_cooperative());
    /// ```
    ///
    /// # From CUDA
    /// `cudaLaunchCooperativeKernel`, or `cudaLaunchAttributeCooperative`.
    pub fn cooperative(mut self) -> Self {
        self.attributes.cooperative = true;
        self
    }

    /// Whether all workgroups must run at the same time.
    ///
    /// ```
    /// assert!(!gridwright_core::LaunchConfig::threads(1000).is_cooperative());
    /// ```
    pub const fn is_cooperative(&self) -> bool {
        self.attributes.cooperative
    }

    /// Workgroups in clusters of so many along each axis: those of a cluster run at the same time, on
    /// processors that are near each other.
    ///
    /// A kernel of a `&Cluster` is a function of one: its workgroups wait for each other and read each other's memory. To other
    /// kernels it is a promise about *when and where* workgroups run, and nothing else. Workgroups of a
    /// cluster that read the same memory find it in caches that they share more often, and may wait for each other by
    /// atomics, which others may not.
    ///
    /// The launch's workgroups are a multiple of the cluster along each axis, so that a launch of
    /// [`threads`](Self::threads) says its block too. A cluster has at most 8 workgroups, or up to 16 where the device has
    /// room for them. A cluster of one is what each workgroup is anyway, on every device. More take an NVIDIA GPU of compute
    /// capability 9.0 or newer; other devices make no such promise and refuse the launch, but for kernels of a `&Cluster` on the CPU.
    ///
    /// ```
    /// use gridwright_core::LaunchConfig;
    ///
    /// LaunchConfig::grid(64, 256).cluster(4); // 16 clusters
    /// LaunchConfig::grid((8, 6), 64).cluster((4, 2)); // 2 by 3 clusters
    /// ```
    ///
    /// # From CUDA
    /// Thread block clusters: `__cluster_dims__`, or `cudaLaunchAttributeClusterDimension`.
    pub fn cluster(mut self, groups: impl Into<Dim>) -> Self {
        self.attributes.cluster = Some(groups.into());
        self
    }

    /// Lets the launch begin while the one before it in its stream still runs.
    ///
    /// The launch then isn't ordered after the one before it until its threads wait themselves, by PTX's `griddepcontrol.wait`
    /// (`cudaGridDependencySynchronize` in CUDA C). It begins once all workgroups of the one before have ended or have executed
    /// `griddepcontrol.launch_dependents`.
    ///
    /// Kernels without `unsafe` never wait so: one would race with the kernel before it. They refuse it, whatever the
    /// device. For an unsafe kernel, waiting is a part of what [`UnsafeKernel::launch`] asks of its caller. It takes an NVIDIA GPU
    /// of compute capability 9.0 or newer. It allows and demands nothing, so that a device on which a launch has ended when the
    /// next one comes, as on the CPU, takes it and does nothing else than without.
    ///
    /// [`UnsafeKernel::launch`]: https://docs.rs/gridwright/latest/gridwright/launch/struct.UnsafeKernel.html#method.launch
    ///
    /// ```
    /// let config = gridwright_core::LaunchConfig::threads(1000).programmatic_dependent();
    /// assert!(config.attributes().programmatic_dependent);
    /// ```
    ///
    /// # From CUDA
    /// Programmatic dependent launch: `cudaLaunchAttributeProgrammaticStreamSerialization`.
    pub fn programmatic_dependent(mut self) -> Self {
        self.attributes.programmatic_dependent = true;
        self
    }

    /// How a processor would best divide the memory that it has for workgroups and for its cache. It is a hint: the device takes
    /// the nearest that it can do, more if the launch needs more, and devices whose memories are apart ignore it.
    ///
    /// ```
    /// use gridwright_core::{Carveout, LaunchConfig};
    ///
    /// let config = LaunchConfig::grid(64, 256).preferred_workgroup_memory(Carveout::Percent(50));
    /// assert_eq!(config.attributes().carveout, Some(Carveout::Percent(50)));
    /// ```
    ///
    /// # From CUDA
    /// `cudaLaunchAttributePreferredSharedMemoryCarveout`, or `cudaFuncSetAttribute` with
    /// `cudaFuncAttributePreferredSharedMemoryCarveout`, here for one launch.
    pub fn preferred_workgroup_memory(mut self, carveout: Carveout) -> Self {
        self.attributes.carveout = Some(carveout);
        self
    }

    /// What the launch asks for beyond its sizes.
    ///
    /// ```
    /// assert!(gridwright_core::LaunchConfig::threads(1000).attributes().is_plain());
    /// ```
    ///
    /// # From CUDA
    /// `cudaLaunchConfig_t::attrs`.
    pub const fn attributes(&self) -> LaunchAttributes {
        self.attributes
    }
}
