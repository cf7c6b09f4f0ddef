//! By which bits, and which way.

use std::ops::Range;

use super::key::{Bits, RadixKey};

/// Keys are ordered by some of their bits, which are turned where the order descends.
#[derive(Clone, Copy)]
pub(crate) struct Order<B> {
    mask: B,
    flip: B,
}

impl<B: Bits> Order<B> {
    /// By the bits of a range, as far as there are any.
    pub(crate) fn new(bits: Range<u32>, descending: bool) -> Self {
        let mask = B::between(bits.start, bits.end);
        Self { mask, flip: if descending { mask } else { B::ZERO } }
    }

    /// What stands for a key: keys are in order where these ascend.
    #[inline(always)]
    pub(crate) fn rank<K: RadixKey<Bits = B>>(self, key: K) -> B {
        (key.to_bits() & self.mask) ^ self.flip
    }

    /// From the lowest to the highest bit in which the ranks of keys differ.
    pub(crate) fn varying<K: RadixKey<Bits = B>>(self, keys: &[K]) -> Range<u32> {
        let Some(&first) = keys.first() else { return 0..0 };
        self.differing(first, keys).extent()
    }

    /// The bits in which a key's rank differs from that of `first`.
    pub(crate) fn differing<K: RadixKey<Bits = B>>(self, first: K, keys: &[K]) -> B {
        let first = first.to_bits();
        keys.iter().fold(B::ZERO, |any, key| any | (key.to_bits() ^ first)) & self.mask
    }

    /// Whether each two neighbours' ranks are as said.
    pub(crate) fn in_order<K: RadixKey<Bits = B>>(self, keys: &[K], said: impl Fn(B, B) -> bool) -> bool {
        // By blocks, so that the loop within has no exit and is done by vectors.
        let mut from = 0;
        while from + 1 < keys.len() {
            let block = &keys[from..keys.len().min(from + 65)];
            let pairs = block.iter().zip(&block[1..]);
            if !pairs.fold(true, |all, (&a, &b)| all & said(self.rank(a), self.rank(b))) {
                return false;
            }
            from += 64;
        }
        true
    }
}
