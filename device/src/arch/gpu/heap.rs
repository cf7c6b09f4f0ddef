//! The allocator of kernels: blocks of the heap that the host gives.

use core::alloc::{GlobalAlloc, Layout};
use core::mem::MaybeUninit;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

use gridwright_core::Heap;

use super::record::record;
use crate::arch::hardware;

/// Says to the host that kernels of this image may allocate. What allocates reads it, whatever it is inlined into: by that
/// `gridwright-build` finds code that allocates where it mustn't.
#[unsafe(export_name = "__gridwright_allocates")]
pub static ALLOCATES: u8 = 1;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

struct Allocator;

// SAFETY: blocks are the heap's, each given to one thread until that gives it back; it never unwinds.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        allocate(layout.size(), layout.align())
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block was allocated with this layout, and nobody uses it any more, as this function asks.
        unsafe { free(block, layout.size(), layout.align()) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the size, rounded up to the alignment, is at most `isize::MAX`, as this function asks; the alignment is a
        // layout's.
        let larger = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // A block has room up to the next power of two.
        if Heap::room(layout) == Heap::room(larger) {
            return block;
        }
        let moved = allocate(size, layout.align());
        if !moved.is_null() {
            // SAFETY: two blocks, of which both have as many bytes.
            unsafe { copy(block, moved, layout.size().min(size)) };
            // SAFETY: the block was allocated with this layout, as this function asks; its bytes were moved, and nobody uses it any
            // more.
            unsafe { free(block, layout.size(), layout.align()) };
        }
        moved
    }
}

/// Sixteen bytes of a block, which may not have been written.
type Piece = MaybeUninit<u128>;

/// Copies the beginning of a block, in pieces: the compiler's own copy goes byte by byte.
///
/// # Safety
/// Both are blocks of at least as many bytes, and not the same.
#[inline(always)]
unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    // Blocks are whole pieces.
    for i in 0..bytes.div_ceil(size_of::<Piece>()) {
        // SAFETY: both are blocks of as many bytes, as this function asks; blocks are whole pieces, and aligned to 16.
        unsafe { to.cast::<Piece>().add(i).write(from.cast::<Piece>().add(i).read()) };
    }
}

/// The heap, if the host gives one.
#[inline(always)]
fn heap() -> Option<&'static Heap> {
    let heap = record()?.heap.load(Relaxed);
    // SAFETY: the host sets it to a heap that it keeps as long as the record, and changes only while no kernel runs.
    unsafe { heap.as_ref() }
}

/// A block, or null.
// Cold, as a function that is only not to be inlined is, on AMD.
#[cold]
#[inline(never)]
fn allocate(size: usize, align: usize) -> *mut u8 {
    // SAFETY: a static. Volatile, so that the compiler keeps it.
    unsafe { ptr::read_volatile(&raw const ALLOCATES) };
    let Some(heap) = heap() else { return ptr::null_mut() };
    // SAFETY: of a `Layout`.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: the host has written what is there.
    unsafe { heap.allocate(layout, hardware::fence_of_device) }
}

/// Takes a block back.
///
/// # Safety
/// The block was allocated with this size and alignment, and nobody uses it any more.
#[cold]
#[inline(never)]
unsafe fn free(block: *mut u8, size: usize, align: usize) {
    let Some(heap) = heap() else { return };
    // SAFETY: size and alignment are of the block's layout, as this function asks.
    let layout = unsafe { Layout::from_size_align_unchecked(size, align) };
    // SAFETY: nobody uses the block any more, as this function asks, and the host has written what is there.
    if unsafe { heap.free(block, layout, hardware::fence_of_device) }.is_err() {
        freed_wrongly();
    }
}

/// Panics about a block that was freed wrongly, as only unsafe code can.
#[cold]
#[inline(never)]
fn freed_wrongly() -> ! {
    panic!("a block of memory was freed twice, or with another size than it was allocated with");
}

#[alloc_error_handler]
fn out_of_memory(_: Layout) -> ! {
    panic!(
        "the heap of the device has no block of this size left: let it have more by `Device::set_heap_bytes`"
    );
}
