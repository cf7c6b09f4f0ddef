//! What tests have in common.

use gridwright_core::Isa;
use gridwright_cpu::Processors;

use super::Workers;

/// Workers of some threads.
pub(crate) fn workers(threads: usize) -> Workers {
    Workers::new(Processors { isa: Isa::Baseline, threads })
}

/// Numbers without pattern, the same in each run: Marsaglia's xorshift with a multiplication (Vigna, 2016).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() >> 32) as usize % end
    }
}
