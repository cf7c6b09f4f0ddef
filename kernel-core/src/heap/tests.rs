use core::alloc::Layout;
use core::sync::atomic::Ordering::{AcqRel, Relaxed};
use core::sync::atomic::{AtomicU32, fence};
use std::alloc::{alloc_zeroed, dealloc};
use std::boxed::Box;
use std::vec::Vec;

use super::{Heap, HeapUsage, NotAllocated};

/// A heap in the host's memory.
struct Hosted {
    heap: Heap,
    states: Box<[AtomicU32]>,
    bits: Box<[AtomicU32]>,
}

// SAFETY: a heap is for threads to share.
unsafe impl Sync for Hosted {}

impl Hosted {
    fn new(chunks: usize) -> Self {
        let zeros = |n: usize| (0..n).map(|_| AtomicU32::new(0)).collect::<Box<[_]>>();
        let (states, bits) = (zeros(chunks), zeros(chunks * Heap::WORDS));
        // SAFETY: of a size that isn't zero.
        let memory = unsafe { alloc_zeroed(Self::memory(chunks)) };
        let heap = Heap {
            chunks: chunks as u64,
            memory,
            states: states.as_ptr(),
            bits: bits.as_ptr(),
            found: core::array::from_fn(|_| AtomicU32::new(0)),
        };
        Self { heap, states, bits }
    }

    fn memory(chunks: usize) -> Layout {
        Layout::from_size_align(chunks * Heap::CHUNK, Heap::CHUNK).unwrap()
    }

    fn allocate(&self, size: usize, align: usize) -> Option<*mut u8> {
        let layout = Layout::from_size_align(size, align).unwrap();
        // SAFETY: the fields say what is there.
        let block = unsafe { self.heap.allocate(layout, || fence(AcqRel)) };
        assert!(block.addr().is_multiple_of(align));
        (!block.is_null()).then_some(block)
    }

    fn free(&self, block: *mut u8, size: usize, align: usize) -> Result<(), NotAllocated> {
        // SAFETY: the fields say what is there; no test uses a block once it is freed.
        unsafe { self.heap.free(block, Layout::from_size_align(size, align).unwrap(), || fence(AcqRel)) }
    }

    fn usage(&self) -> HeapUsage {
        HeapUsage::of_states(self.states.iter().map(|state| state.load(Relaxed)))
    }
}

impl Drop for Hosted {
    fn drop(&mut self) {
        // SAFETY: allocated in `new`.
        unsafe { dealloc(self.heap.memory, Self::memory(self.states.len())) };
    }
}

#[test]
fn each_size_fills_its_chunks_and_gives_them_back() {
    for size in [1, 16, 17, 24, 100, 4096, 5000, 32 << 10, (32 << 10) + 1, 64 << 10, 100_000] {
        let hosted = Hosted::new(4);
        let mut blocks: Vec<usize> = Vec::new();
        while let Some(block) = hosted.allocate(size, 1) {
            blocks.push(block.addr());
        }
        let each =
            if size > 32 << 10 { size.next_multiple_of(64 << 10) } else { size.next_power_of_two().max(16) };
        assert_eq!(blocks.len(), 4 * Heap::CHUNK / each, "{size}");
        let usage = HeapUsage { capacity: 4 * Heap::CHUNK, bytes: blocks.len() * each, blocks: blocks.len() };
        assert_eq!(hosted.usage(), usage, "{size}");
        blocks.sort_unstable();
        assert!(blocks.windows(2).all(|pair| pair[1] - pair[0] >= size), "{size}: blocks overlap");
        for &block in &blocks {
            let block = hosted.heap.memory.with_addr(block);
            assert_eq!(hosted.free(block, size, 1), Ok(()));
        }
        assert_eq!(hosted.usage().blocks, 0, "{size}");
        assert!(hosted.bits.iter().all(|word| word.load(Relaxed) == 0));
        // Free chunks are for any size.
        assert!(hosted.allocate(4 * Heap::CHUNK, 1).is_some(), "{size}");
    }
}

#[test]
fn alignments_up_to_a_chunk_are_kept_and_larger_ones_refused() {
    let hosted = Hosted::new(17); // a chunk for each size
    let mut align = 1;
    while align <= Heap::CHUNK {
        assert!(hosted.allocate(1, align).is_some(), "{align}");
        align *= 2;
    }
    let layout = Layout::from_size_align(1, 2 * Heap::CHUNK).unwrap();
    // SAFETY: as in `allocate`.
    assert!(unsafe { hosted.heap.allocate(layout, || ()) }.is_null());
}

#[test]
fn what_is_too_large_is_refused_and_harms_nothing() {
    let hosted = Hosted::new(2);
    for size in [2 * Heap::CHUNK + 1, isize::MAX as usize] {
        assert_eq!(hosted.allocate(size, 1), None);
    }
    assert_eq!(hosted.usage().blocks, 0);
    assert_eq!(Hosted::new(0).allocate(1, 1), None);
}

#[test]
fn what_is_freed_twice_or_never_was_is_noticed() {
    let hosted = Hosted::new(2);
    let block = hosted.allocate(64, 8).unwrap();
    let other = hosted.allocate(64, 8).unwrap();
    assert_eq!(hosted.free(block, 16, 1), Err(NotAllocated), "another size");
    assert_eq!(hosted.free(block.wrapping_add(8), 64, 8), Err(NotAllocated), "not at its beginning");
    assert_eq!(hosted.free(block, 64, 8), Ok(()));
    assert_eq!(hosted.free(block, 64, 8), Err(NotAllocated), "twice");
    assert_eq!(hosted.free(other, 64, 8), Ok(()));
    assert_eq!(hosted.free(other, 64, 8), Err(NotAllocated), "in a chunk that is free");
    let large = hosted.allocate(Heap::CHUNK + 1, 1).unwrap();
    assert_eq!(hosted.free(large.wrapping_add(Heap::CHUNK), Heap::CHUNK, 1), Err(NotAllocated), "a part");
    assert_eq!(hosted.free(large, 3 * Heap::CHUNK, 1), Err(NotAllocated), "beyond the end");
    assert_eq!(hosted.free(large, Heap::CHUNK + 1, 1), Ok(()));
    assert_eq!(hosted.free(hosted.heap.memory.wrapping_sub(16), 16, 1), Err(NotAllocated), "before the heap");
    assert_eq!(hosted.usage().blocks, 0);
}

/// Threads that take and give blocks of changing sizes never have the same bytes, and in the end nothing is taken.
#[test]
fn threads_share_no_bytes() {
    let hosted = Hosted::new(12);
    std::thread::scope(|scope| {
        for thread in 1..=4_u32 {
            let hosted = &hosted;
            scope.spawn(move || {
                let mut random = thread.wrapping_mul(0x9e37_79b9);
                let mut next = |below: usize| {
                    random ^= random << 13;
                    random ^= random >> 17;
                    random ^= random << 5;
                    random as usize % below
                };
                let mut held: Vec<(*mut u8, usize)> = Vec::new();
                for turn in 0..30_000 {
                    let size = match next(20) {
                        0 => 1 + next(3 * Heap::CHUNK),
                        n => 1 + next(8 << (n / 2)),
                    };
                    if let Some(block) = hosted.allocate(size, 1) {
                        // SAFETY: the block is this thread's.
                        unsafe { block.write_bytes(thread as u8, size) };
                        held.push((block, size));
                    }
                    while held.len() > 24 || (turn == 29_999 && !held.is_empty()) {
                        let (block, size) = held.swap_remove(next(held.len()));
                        for at in [0, size / 2, size - 1] {
                            // SAFETY: the block is this thread's, which wrote all of its `size` bytes.
                            assert_eq!(unsafe { block.add(at).read() }, thread as u8);
                        }
                        assert_eq!(hosted.free(block, size, 1), Ok(()));
                    }
                }
            });
        }
    });
    assert_eq!((hosted.usage().blocks, hosted.usage().bytes), (0, 0));
    assert!(hosted.bits.iter().all(|word| word.load(Relaxed) == 0));
    assert!(hosted.states.iter().all(|state| state.load(Relaxed) == 0), "all chunks are free");
}

/// Checks that as many blocks as there is room for are given, at the same time, and each in memory of its
/// own.
#[test]
fn the_last_blocks_go_to_someone() {
    for _ in 0..50 {
        let hosted = Hosted::new(1);
        let taken: Vec<usize> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        std::iter::from_fn(|| hosted.allocate(4096, 1)).map(|b| b.addr()).collect::<Vec<_>>()
                    })
                })
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(taken.len(), 16);
        assert_eq!(taken.iter().collect::<std::collections::BTreeSet<_>>().len(), 16);
    }
}
