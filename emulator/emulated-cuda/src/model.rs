//! The limits of a device of each architecture, as the CUDA programming guide's table of compute capabilities has them.

/// Of one architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Model {
    pub(crate) major: u32,
    pub(crate) minor: u32,
    pub(crate) threads_per_multiprocessor: u32,
    pub(crate) blocks_per_multiprocessor: u32,
    /// In bytes.
    pub(crate) shared_per_multiprocessor: u32,
}

const fn model(major: u32, minor: u32, threads: u32, blocks: u32, shared_kib: u32) -> Model {
    Model {
        major,
        minor,
        threads_per_multiprocessor: threads,
        blocks_per_multiprocessor: blocks,
        shared_per_multiprocessor: shared_kib << 10,
    }
}

const MODELS: &[Model] = &[
    model(7, 0, 2048, 32, 96),
    model(7, 5, 1024, 16, 64),
    model(8, 0, 2048, 32, 164),
    model(8, 6, 1536, 16, 100),
    model(8, 9, 1536, 24, 100),
    model(9, 0, 2048, 32, 228),
    model(10, 0, 2048, 32, 228),
    model(12, 0, 1536, 24, 100),
];

impl Model {
    pub(crate) const WARP: u32 = 32;
    pub(crate) const THREADS: u32 = 1024;
    pub(crate) const BLOCK: [u32; 3] = [1024, 1024, 64];
    pub(crate) const GRID: [u32; 3] = [i32::MAX as u32, 65535, 65535];
    /// Of a multiprocessor, and the most of a block.
    pub(crate) const REGISTERS: u32 = 65536;
    pub(crate) const MULTIPROCESSORS: u32 = 16;
    /// The most blocks of a cluster, without leave and with it.
    pub(crate) const CLUSTER: u32 = 8;
    pub(crate) const LARGEST_CLUSTER: u32 = 16;
    /// Bytes that a block has without asking for more.
    pub(crate) const SHARED: u32 = 48 << 10;
    pub(crate) const CONSTANTS: u32 = 64 << 10;
    /// Bytes of parameters.
    pub(crate) const PARAMETERS: usize = 4096;

    pub(crate) fn named(name: &str) -> Option<Self> {
        let number: u32 = name.strip_prefix("sm_")?.parse().ok()?;
        MODELS.iter().copied().find(|model| model.number() == number)
    }

    pub(crate) fn names() -> String {
        let names: Vec<_> = MODELS.iter().map(|model| format!("sm_{}", model.number())).collect();
        names.join(", ")
    }

    /// 90 for `sm_90`.
    pub(crate) fn number(&self) -> u32 {
        self.major * 10 + self.minor
    }

    /// Clusters of blocks, and launches that overlap.
    pub(crate) fn has_clusters(&self) -> bool {
        self.major >= 9
    }

    /// Bytes of a block's shared memory that the system takes, from `sm_80` on.
    pub(crate) fn reserved_shared(&self) -> u32 {
        if self.major >= 8 { 1 << 10 } else { 0 }
    }

    /// Bytes that a block may have if it asks.
    pub(crate) fn most_shared(&self) -> u32 {
        self.shared_per_multiprocessor - self.reserved_shared()
    }
}

impl Default for Model {
    /// `sm_90`.
    fn default() -> Self {
        model(9, 0, 2048, 32, 228)
    }
}
