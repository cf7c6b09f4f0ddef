//! Numbers that look random, the same in each run.

use crate::scan_instances::{Affine, Matrix2, Wide};

/// Sebastiano Vigna's SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(crate) fn many<T>(&mut self, len: usize, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..len).map(|_| one(self)).collect()
    }

    pub(crate) fn matrix(&mut self) -> Matrix2 {
        Matrix2 { rows: std::array::from_fn(|_| self.next() as u32) }
    }

    pub(crate) fn affine(&mut self) -> Affine {
        Affine { a: self.next() as u32, b: self.next() as u32, calls: 1 }
    }

    pub(crate) fn wide(&mut self) -> Wide {
        let first = self.next();
        Wide { first, last: first, sums: std::array::from_fn(|_| self.next()) }
    }
}

/// Lengths around the ends of tiles of so many elements, and some between.
pub(crate) fn lengths(tile: usize, random: &mut Random) -> Vec<usize> {
    let mut lengths = vec![0, 1, 2, 31, 33, tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1, 41 * tile - 1];
    lengths.extend((0..4).map(|_| random.below(6 * tile as u64) as usize));
    lengths
}
