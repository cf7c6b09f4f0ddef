//! What tests have in common.

use gridwright_cpu::{Processors, available};

use super::Workers;

/// Workers of some threads, with the widest instructions that this machine has.
pub(crate) fn workers(threads: usize) -> Workers {
    Workers::new(Processors { isa: available()[available().len() - 1], threads })
}

/// Numbers of threads, each with each of this machine's instruction sets.
pub(crate) fn all_workers() -> impl Iterator<Item = Workers> {
    [1, 2, 5]
        .into_iter()
        .flat_map(|threads| available().iter().map(move |&isa| Workers::new(Processors { isa, threads })))
}

/// Random numbers: xorshift64*, of Vigna's *An experimental exploration of Marsaglia's xorshift generators, scrambled*.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 16) as usize % limit
    }

    /// A length: often a small one, now and then one of some blocks.
    pub(crate) fn len(&mut self) -> usize {
        match self.below(40) {
            0 => 0,
            1..10 => self.below(70),
            10 => 60_000 + self.below(140_000),
            _ => self.below(5_000),
        }
    }

    /// Values of random bits.
    pub(crate) fn vec<T>(&mut self, len: usize, element: impl Fn(u64) -> T) -> Vec<T> {
        (0..len).map(|_| element(self.next())).collect()
    }
}

/// x ↦ ax + b: an operator that isn't commutative.
pub(crate) type Affine = (u32, u32);

/// The second map after the first.
pub(crate) fn compose(first: Affine, second: Affine) -> Affine {
    (first.0.wrapping_mul(second.0), first.1.wrapping_mul(second.0).wrapping_add(second.1))
}

/// A map of some random bits.
pub(crate) fn affine(bits: u64) -> Affine {
    (bits as u32, (bits >> 20) as u32)
}
