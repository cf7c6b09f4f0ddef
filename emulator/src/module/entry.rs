//! What a module says of a kernel.

use crate::parse::syntax::Cluster;

/// A parameter of a kernel: where it lies in the bytes that a launch is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The offset in bytes.
    pub offset: usize,
    /// The size in bytes.
    pub size: usize,
    /// The alignment in bytes.
    pub alignment: usize,
}

/// Registers of a thread as the PTX declares them. PTX has a register for each value: an assembler needs far fewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Registers {
    /// Registers of one bit.
    pub predicates: u32,
    /// Registers of 16 bits.
    pub b16: u32,
    /// Registers of 32 bits.
    pub b32: u32,
    /// Registers of 64 bits.
    pub b64: u32,
}

/// A kernel of a module.
#[derive(Debug, Clone)]
pub struct Entry {
    pub(crate) name: String,
    pub(crate) function: u32,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) required_block: Option<[u32; 3]>,
    pub(crate) max_block: Option<[u32; 3]>,
    pub(crate) min_groups: Option<u32>,
    pub(crate) cluster: Cluster,
    pub(crate) shared_bytes: u32,
    pub(crate) local_bytes: u32,
    pub(crate) constant_bytes: u32,
    pub(crate) registers: Registers,
    /// Offsets of the variables in workgroup memory that the entry and its functions name.
    pub(crate) shared: Vec<(u32, u32)>,
    pub(crate) dynamic_shared: u32,
    pub(crate) finest_shared: u32,
    pub(crate) finest_global: u32,
    /// Functions that are called and defined nowhere.
    pub(crate) missing: Vec<String>,
}

impl Entry {
    /// The kernel's name, as the PTX spells it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kernel's parameters, in order.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Bytes of all parameters.
    #[must_use]
    pub fn parameter_bytes(&self) -> usize {
        self.parameters.last().map_or(0, |last| last.offset + last.size)
    }

    /// `.reqntid`: the only block that it may be launched with.
    #[must_use]
    pub fn required_block(&self) -> Option<[u32; 3]> {
        self.required_block
    }

    /// `.maxntid`: their product is the most threads of a group.
    #[must_use]
    pub fn max_block(&self) -> Option<[u32; 3]> {
        self.max_block
    }

    /// `.minnctapersm`: the number of groups that a multiprocessor is to run at least.
    #[must_use]
    pub fn min_groups_per_multiprocessor(&self) -> Option<u32> {
        self.min_groups
    }

    /// `.reqnctapercluster`: the groups of each cluster that it is launched in. A launch that says nothing of clusters has these.
    #[must_use]
    pub fn required_cluster(&self) -> Option<[u32; 3]> {
        self.cluster.required
    }

    /// `.maxclusterrank`: the most groups of a cluster.
    #[must_use]
    pub fn most_groups_of_cluster(&self) -> Option<u32> {
        self.cluster.most_groups
    }

    /// `.explicitcluster`: whether a launch has to say what its clusters are, if the kernel doesn't.
    #[must_use]
    pub fn needs_cluster(&self) -> bool {
        self.cluster.is_explicit
    }

    /// `.blocksareclusters`: whether the sizes of a launch's grid are numbers of clusters. A launch of this crate counts groups:
    /// who calls it multiplies.
    #[must_use]
    pub fn grid_counts_clusters(&self) -> bool {
        self.cluster.grid_counts_clusters
    }

    /// Bytes of workgroup memory that the PTX declares, without what a launch adds.
    #[must_use]
    pub fn shared_bytes(&self) -> u32 {
        self.shared_bytes
    }

    /// Bytes of local memory of a thread, in the kernel itself.
    #[must_use]
    pub fn local_bytes(&self) -> u32 {
        self.local_bytes
    }

    /// Bytes of the `.const` variables that the kernel and the functions that it calls name, one after the other.
    #[must_use]
    pub fn constant_bytes(&self) -> u32 {
        self.constant_bytes
    }

    /// Registers of a thread, as declared.
    #[must_use]
    pub fn registers(&self) -> Registers {
        self.registers
    }
}
