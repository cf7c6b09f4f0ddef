//! The heap of kernels on a GPU: memory that the host gives, and that threads share out among themselves.
//!
//! It is cut into chunks of 64 KiB. A chunk is free, or has blocks of one size, a power of two, or is a part of a larger block.
//! What a chunk is, and how many of its blocks are given out, is one word, its *state*; which ones, a bit each. Nothing is
//! kept in the blocks themselves, so that no thread ever reads memory that is another's, and a block that is freed twice
//! is noticed.
//!
//! No thread waits for another one. A thread first counts itself into a chunk, by one addition to its state, and then
//! takes a bit: so there is one for it. A chunk whose count falls to zero is free again, for blocks of any size.

mod blocks;
mod size_class;
#[cfg(test)]
mod tests;
mod usage;

use core::alloc::Layout;
use core::sync::atomic::AtomicU32;

use size_class::SizeClass;
pub use usage::HeapUsage;

/// The name of a constant of images whose kernels may allocate.
pub const ALLOCATES: &str = "__gridwright_allocates";

/// The heap itself: where its memory is, in the device's memory. The host writes it, and only while no kernel
/// runs.
#[derive(Debug)]
#[repr(C)]
pub struct Heap {
    /// The chunks.
    pub chunks: u64,
    /// The first byte of the first chunk, at a multiple of [`CHUNK`](Self::CHUNK).
    pub memory: *mut u8,
    /// A state for each chunk.
    pub states: *const AtomicU32,
    /// Bits for the blocks that are given out: [`WORDS`](Self::WORDS) for each chunk.
    pub bits: *const AtomicU32,
    /// The chunk in which a block was found last, for each size.
    pub found: [AtomicU32; SizeClass::COUNT],
}

/// A block that wasn't given out, or not with this layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAllocated;

impl Heap {
    /// The bytes of a chunk, which is also the largest alignment of a block.
    pub const CHUNK: usize = 64 << 10;

    /// The words of bits of a chunk.
    pub const WORDS: usize = Self::CHUNK / SizeClass::SMALLEST / 32;

    /// The most chunks: their numbers fit a state's count.
    pub const MOST_CHUNKS: usize = 1 << 20;

    /// The bytes that go with so many chunks, beside their memory: the states and the bits.
    #[must_use]
    pub const fn table_bytes(chunks: usize) -> usize {
        chunks * (1 + Self::WORDS) * size_of::<u32>()
    }

    /// The bytes of a block of a layout.
    #[must_use]
    #[inline(always)]
    pub fn room(layout: Layout) -> usize {
        match SizeClass::of(layout) {
            Some(class) => class.bytes(),
            None => layout.size().div_ceil(Self::CHUNK).saturating_mul(Self::CHUNK),
        }
    }

    /// A block for a layout, whose size isn't zero; null if there is none. `fence` orders memory among all threads of the
    /// device.
    ///
    /// # Safety
    /// What the fields say is there, and only this type's methods change states and bits.
    #[inline(always)]
    pub unsafe fn allocate(&self, layout: Layout, fence: impl Fn()) -> *mut u8 {
        // SAFETY: what the fields say is there, and only these methods change states and bits, as this function asks.
        let block = unsafe {
            match SizeClass::of(layout) {
                Some(class) => self.take_block(class),
                None if layout.align() <= Self::CHUNK => self.take_chunks(layout.size()),
                None => None,
            }
        };
        let Some(offset) = block else { return core::ptr::null_mut() };
        // What is done to the block from here on comes behind what was done to it before.
        fence();
        self.memory.wrapping_add(offset)
    }

    /// Takes a block back.
    ///
    /// # Errors
    /// [`NotAllocated`], and nothing was changed, if the block is none that is given out: as far as that shows, since the
    /// first bytes of a larger block are only known to be in use.
    ///
    /// # Safety
    /// As for [`allocate`](Self::allocate). The block was given for this layout, and nobody uses it any more.
    #[inline(always)]
    pub unsafe fn free(&self, block: *mut u8, layout: Layout, fence: impl Fn()) -> Result<(), NotAllocated> {
        let offset = block.addr().wrapping_sub(self.memory.addr());
        if offset / Self::CHUNK >= self.chunks as usize {
            return Err(NotAllocated);
        }
        // What was done to the block comes before what its next owner does.
        fence();
        // SAFETY: what the fields say is there, and nobody uses the block any more, as this function asks; its first chunk was just
        // seen to be one of the heap's.
        unsafe {
            match SizeClass::of(layout) {
                Some(class) => self.give_block(offset, class),
                None => self.give_chunks(offset, layout.size()),
            }
        }
    }
}
