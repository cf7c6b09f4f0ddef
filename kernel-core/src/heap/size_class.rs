use core::alloc::Layout;

use super::Heap;

/// Blocks of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SizeClass(u32);

impl SizeClass {
    /// The bytes of the smallest blocks, to which all are aligned.
    pub(super) const SMALLEST: usize = 16;

    /// The bytes of the largest blocks of which a chunk has several.
    pub(super) const LARGEST: usize = Heap::CHUNK / 2;

    /// How many size classes there are.
    pub(super) const COUNT: usize = (Self::LARGEST / Self::SMALLEST).ilog2() as usize + 1;

    /// The size class for a layout; `None` if it takes whole chunks. A block lies at a multiple of its size.
    #[inline(always)]
    pub(super) fn of(layout: Layout) -> Option<Self> {
        let bytes = layout.size().max(layout.align()).max(Self::SMALLEST);
        (bytes <= Self::LARGEST).then(|| Self((bytes - 1).ilog2() + 1 - Self::SMALLEST.ilog2()))
    }

    /// The size class of a number.
    pub(super) fn of_number(number: u32) -> Option<Self> {
        ((number as usize) < Self::COUNT).then_some(Self(number))
    }

    /// The number of the size class: from zero on, by size.
    #[inline(always)]
    pub(super) fn number(self) -> u32 {
        self.0
    }

    /// Bytes of a block.
    #[inline(always)]
    pub(super) fn bytes(self) -> usize {
        Self::SMALLEST << self.0
    }

    /// Blocks of a chunk.
    #[inline(always)]
    pub(super) fn blocks(self) -> u32 {
        (Heap::CHUNK / Self::SMALLEST) as u32 >> self.0
    }
}
