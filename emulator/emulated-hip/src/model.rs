//! What devices of an architecture have. Sources: LLVM's "User Guide for AMDGPU Backend" and AMD's guides of the instruction sets.

/// An architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Model {
    /// As code objects name it.
    pub(crate) name: &'static str,
    /// What a runtime calls it: with the features that are on or off for ever.
    pub(crate) full_name: &'static str,
    pub(crate) major: i32,
    pub(crate) minor: i32,
    /// Threads of a wave.
    pub(crate) wave: u32,
    /// Vector units of a multiprocessor.
    pub(crate) units: u32,
    /// The most waves of a vector unit.
    pub(crate) waves: u32,
    /// Registers of a lane of a vector unit, and how many are given at once.
    pub(crate) registers: u32,
    pub(crate) register_granule: u32,
}

const MODELS: [Model; 3] = [
    Model {
        name: "gfx1100",
        full_name: "gfx1100",
        major: 11,
        minor: 0,
        wave: 32,
        units: 4,
        waves: 16,
        registers: 1536,
        register_granule: 24,
    },
    Model {
        name: "gfx942",
        full_name: "gfx942:sramecc+:xnack-",
        major: 9,
        minor: 4,
        wave: 64,
        units: 4,
        waves: 8,
        registers: 512,
        register_granule: 8,
    },
    // Nobody runs its code here: it is for programs that have none.
    Model {
        name: "gfx1030",
        full_name: "gfx1030",
        major: 10,
        minor: 3,
        wave: 32,
        units: 4,
        waves: 16,
        registers: 1024,
        register_granule: 8,
    },
];

impl Model {
    pub(crate) const DEFAULT: Self = MODELS[0];
    pub(crate) const THREADS: u32 = 1024;
    pub(crate) const BLOCK: [u32; 3] = [1024, 1024, 1024];
    /// Of blocks. Threads along an axis are counted in 32 bits.
    pub(crate) const GRID: [u32; 3] = [i32::MAX as u32, 65536, 65536];
    pub(crate) const MULTIPROCESSORS: u32 = 16;
    /// Bytes of workgroup memory: of a block, and of a multiprocessor.
    pub(crate) const SHARED: u32 = 64 << 10;
    pub(crate) const CONSTANTS: u32 = i32::MAX as u32;
    /// Registers of a block.
    pub(crate) const REGISTERS: u32 = 65536;
    /// Bytes of arguments.
    pub(crate) const ARGUMENTS: usize = 4096;
    /// The newest version of generic code that a device runs.
    pub(crate) const GENERIC: u32 = 1;

    pub(crate) fn named(name: &str) -> Option<Self> {
        MODELS.iter().copied().find(|model| model.name == name)
    }

    pub(crate) fn names() -> String {
        MODELS.map(|model| model.name).join(", ")
    }

    pub(crate) fn threads_per_multiprocessor(&self) -> u32 {
        self.wave * self.waves * self.units
    }
}
