//! Sizes of a launch, and the numbers of its groups and threads.

/// Sizes of a launch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// Groups of a cluster.
    pub(crate) cluster: [u32; 3],
    /// Threads of a group.
    pub(crate) threads: u32,
    /// Bytes of workgroup memory, in all and as the launch said.
    pub(crate) shared: u32,
    pub(crate) dynamic_shared: u32,
}

impl Shape {
    /// A thread's position, of its number in the group. x is the fastest.
    pub(crate) fn thread(&self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.block;
        [number % x, number / x % y, number / x / y]
    }

    pub(crate) fn group(&self, number: u64) -> [u32; 3] {
        let (x, y) = (u64::from(self.grid[0]), u64::from(self.grid[1]));
        [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32]
    }

    pub(crate) fn groups_of_cluster(&self) -> u64 {
        self.cluster.iter().map(|&size| u64::from(size)).product()
    }

    /// The number in the grid of the group of a rank in the cluster of a number.
    pub(crate) fn group_of_cluster(&self, cluster: u64, rank: u64) -> u64 {
        let clusters: [u64; 3] = std::array::from_fn(|axis| (self.grid[axis] / self.cluster[axis]).into());
        let of = |number: u64, [x, y, _]: [u64; 3]| [number % x, number / x % y, number / x / y];
        let (at, inside) = (of(cluster, clusters), of(rank, self.cluster.map(u64::from)));
        let [x, y, z]: [u64; 3] =
            std::array::from_fn(|axis| at[axis] * u64::from(self.cluster[axis]) + inside[axis]);
        (z * u64::from(self.grid[1]) + y) * u64::from(self.grid[0]) + x
    }
}
