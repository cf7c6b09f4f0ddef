use super::blocks::{COUNT, FIRST, FREE, NEXT, kind};
use super::{Heap, SizeClass};

/// The memory that is given out of a heap.
///
/// ```
/// use gridwright_core::HeapUsage;
///
/// let HeapUsage { capacity, bytes, blocks } = HeapUsage::default(); // of a device: `device.heap_usage()?`
/// assert_eq!((capacity - bytes, blocks), (0, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapUsage {
    /// The bytes of the heap; zero if there is none yet, or if kernels use the program's own.
    pub capacity: usize,
    /// The bytes of the blocks that are given out, as they were rounded up.
    pub bytes: usize,
    /// The blocks that are given out.
    pub blocks: usize,
}

impl HeapUsage {
    /// The usage by the states of all chunks, read while no kernel runs.
    #[doc(hidden)]
    #[must_use]
    pub fn of_states(states: impl IntoIterator<Item = u32>) -> Self {
        let mut usage = Self::default();
        for state in states {
            let (bytes, blocks) = match kind(state) {
                FREE => (0, 0),
                FIRST => (Heap::CHUNK, 1),
                NEXT => (Heap::CHUNK, 0),
                other => {
                    let blocks = (state & COUNT) as usize;
                    (blocks * SizeClass::of_number(other - 1).map_or(0, SizeClass::bytes), blocks)
                }
            };
            usage.capacity += Heap::CHUNK;
            usage.bytes += bytes;
            usage.blocks += blocks;
        }
        usage
    }
}
