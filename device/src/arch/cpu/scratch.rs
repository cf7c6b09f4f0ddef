//! A worker's memory for the groups that it runs, one after the other: workgroup memory and private values.

use core::alloc::Layout;
use core::cell::{Cell, RefCell};
use core::ptr::NonNull;
use std::alloc::{alloc, dealloc, handle_alloc_error};

use super::route::Fence;

/// Alignment in bytes: a cache line, and as much as the widest vector needs.
const ALIGNMENT: usize = 64;
/// Bytes of the first block: enough for most groups.
const FIRST_BLOCK: usize = 64 * 1024;

/// Memory that is handed out piece by piece, and taken back all at once when a group has ended.
///
/// The last piece that was handed out leaves its place when it is given back. Others are handed out again to who asks for the same
/// size, so that a loop at group level doesn't need more with every turn.
#[derive(Debug)]
pub(super) struct Scratch {
    blocks: RefCell<Vec<Block>>,
    /// What is left of the last block: where it begins, and how many bytes it has.
    left: Cell<(NonNull<u8>, usize)>,
    free: RefCell<Vec<(NonNull<u8>, usize)>>,
    has_free: Cell<bool>,
}

#[derive(Debug)]
struct Block {
    memory: NonNull<u8>,
    layout: Layout,
}

impl Default for Scratch {
    fn default() -> Self {
        let (blocks, free) = Default::default();
        Self { blocks, left: Cell::new((NonNull::dangling(), 0)), free, has_free: Cell::new(false) }
    }
}

impl Scratch {
    /// Memory for so many values, aligned to 64 bytes, that nobody else has until it is given back.
    #[inline]
    pub(super) fn take<T>(&self, count: usize) -> NonNull<T> {
        const { assert!(align_of::<T>() <= ALIGNMENT, "values in a group are aligned to at most 64 bytes") };
        let bytes = piece::<T>(count);
        let (memory, left) = self.left.get();
        if self.has_free.get() || left < bytes {
            return self.take_free(bytes).cast();
        }
        // SAFETY: so many bytes were seen to be left of the block.
        self.left.set((unsafe { memory.add(bytes) }, left - bytes));
        memory.cast()
    }

    /// Gives memory back.
    ///
    /// # Safety
    /// It came from `take` of the same type and count since the last `reset`, and nobody uses it any more.
    #[inline]
    pub(super) unsafe fn give_back<T>(&self, memory: NonNull<T>, count: usize) {
        let (bytes, memory) = (piece::<T>(count), memory.cast::<u8>());
        let (next, left) = self.left.get();
        if memory.addr().get() + bytes == next.addr().get() {
            self.left.set((memory, left + bytes));
        } else {
            self.keep_free(memory, bytes);
        }
    }

    /// Memory that was given back, if there is some of this size, or more.
    #[inline(never)]
    fn take_free(&self, bytes: usize) -> NonNull<u8> {
        let mut free = self.free.borrow_mut();
        if let Some(at) = free.iter().rposition(|&(_, size)| size == bytes) {
            let (memory, _) = free.swap_remove(at);
            self.has_free.set(!free.is_empty());
            return memory;
        }
        let (memory, left) = self.left.get();
        if left >= bytes {
            // SAFETY: so many bytes were seen to be left of the block.
            self.left.set((unsafe { memory.add(bytes) }, left - bytes));
            return memory;
        }
        let block = Block::new(bytes.max(FIRST_BLOCK));
        let (memory, size) = (block.memory, block.room());
        self.blocks.borrow_mut().push(block);
        // SAFETY: the block has at least so many bytes.
        self.left.set((unsafe { memory.add(bytes) }, size - bytes));
        memory
    }

    #[inline(never)]
    fn keep_free(&self, memory: NonNull<u8>, bytes: usize) {
        self.free.borrow_mut().push((memory, bytes));
        self.has_free.set(true);
    }

    /// Takes all memory back.
    pub(super) fn reset(&mut self) {
        self.free.get_mut().clear();
        self.has_free.set(false);
        let blocks = self.blocks.get_mut();
        if blocks.len() > 1 {
            // The next group will need as much: one block for all of it.
            let bytes = blocks.iter().map(Block::room).sum();
            blocks.clear();
            blocks.push(Block::new(bytes));
        }
        if let Some(block) = blocks.last() {
            self.left.set((block.memory, block.room()));
        }
    }
}

/// The bytes of a piece.
fn piece<T>(count: usize) -> usize {
    let bytes = size_of::<T>().checked_mul(count).and_then(|bytes| bytes.checked_next_multiple_of(ALIGNMENT));
    bytes.unwrap_or_else(|| too_much()).max(ALIGNMENT)
}

/// Panics: a group has at most 1024 threads, so a value would have to be as large as no type is.
#[cold]
fn too_much() -> ! {
    panic!("more private memory than an address space has")
}

impl Block {
    /// A block with room for so many bytes, and a line behind them that nobody gets: no piece ends where another block begins.
    fn new(bytes: usize) -> Self {
        let bytes = bytes.checked_add(ALIGNMENT).unwrap_or_else(|| too_much());
        let layout = Layout::from_size_align(bytes, ALIGNMENT).unwrap_or_else(|_| too_much());
        // SAFETY: pieces have at least a cache line, so the layout isn't empty.
        let Some(memory) = NonNull::new(unsafe { alloc(layout) }) else { handle_alloc_error(layout) };
        Self { memory, layout }
    }

    /// Bytes of the block that are handed out.
    fn room(&self) -> usize {
        self.layout.size() - ALIGNMENT
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: `new` got it for this layout.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}

thread_local! {
    static SCRATCH: Cell<Option<Scratch>> = const { Cell::new(None) };
}

/// Lends this worker's scratch. A kernel that is launched from within a kernel gets one of its own.
pub(super) fn with_scratch<R>(run: impl FnOnce(&mut Scratch) -> R) -> R {
    let mut scratch = SCRATCH.take().unwrap_or_default();
    // Whoever waits for this worker sees what its groups wrote, also if one of them panics.
    let _fence = Fence;
    let result = run(&mut scratch);
    scratch.reset();
    SCRATCH.set(Some(scratch));
    result
}
