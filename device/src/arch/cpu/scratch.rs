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
/// Pieces that are given back before are handed out again to who asks for the same size, so that a loop at group
/// level doesn't need more with every turn.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    blocks: RefCell<Vec<Block>>,
    /// Bytes handed out of the last block.
    used: Cell<usize>,
    free: RefCell<Vec<(NonNull<u8>, usize)>>,
}

#[derive(Debug)]
struct Block {
    memory: NonNull<u8>,
    layout: Layout,
}

impl Scratch {
    /// Memory for so many values, aligned to 64 bytes, that nobody else has until it is given back.
    #[inline]
    pub(super) fn take<T>(&self, count: usize) -> NonNull<T> {
        const { assert!(align_of::<T>() <= ALIGNMENT, "values in a group are aligned to at most 64 bytes") };
        let bytes = piece::<T>(count);
        let mut free = self.free.borrow_mut();
        // The last one alone mostly is. `swap_remove` would copy it as a whole, just after it was written in two halves: CPUs wait then.
        if let Some(&(memory, size)) = free.last()
            && size == bytes
        {
            free.pop();
            return memory.cast();
        }
        if let Some(at) = free.iter().rposition(|&(_, size)| size == bytes) {
            return free.swap_remove(at).0.cast();
        }
        self.cut(bytes).cast()
    }

    /// Gives memory back.
    ///
    /// # Safety
    /// It came from `take` of the same type and count since the last `reset`, and nobody uses it any more.
    #[inline]
    pub(super) unsafe fn give_back<T>(&self, memory: NonNull<T>, count: usize) {
        self.free.borrow_mut().push((memory.cast(), piece::<T>(count)));
    }

    /// Takes all memory back.
    pub(super) fn reset(&mut self) {
        self.free.get_mut().clear();
        self.used.set(0);
        let blocks = self.blocks.get_mut();
        if blocks.len() > 1 {
            // The next group will need as much: one block for all of it.
            let bytes = blocks.iter().map(|block| block.layout.size()).sum();
            blocks.clear();
            blocks.push(Block::new(bytes));
        }
    }

    fn cut(&self, bytes: usize) -> NonNull<u8> {
        let mut blocks = self.blocks.borrow_mut();
        let left = blocks.last().map_or(0, |block| block.layout.size() - self.used.get());
        if left < bytes || blocks.is_empty() {
            blocks.push(Block::new(bytes.max(FIRST_BLOCK)));
            self.used.set(0);
        }
        // A block was just seen or made.
        let Some(block) = blocks.last() else { unreachable!() };
        let at = self.used.get();
        self.used.set(at + bytes);
        // SAFETY: so many bytes were seen to be left.
        unsafe { block.memory.add(at) }
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
    fn new(bytes: usize) -> Self {
        let layout = Layout::from_size_align(bytes, ALIGNMENT).unwrap_or_else(|_| too_much());
        // SAFETY: pieces have at least a cache line, so the layout isn't empty.
        let Some(memory) = NonNull::new(unsafe { alloc(layout) }) else { handle_alloc_error(layout) };
        Self { memory, layout }
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
