//! Memory of the host for backends whose buffers are there.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use gridwright_core::MOST_ALIGNMENT;

/// Bytes of a large page of most processors.
const LARGE_PAGE: usize = 2 << 20;

/// Bytes from which on memory begins with a large page.
/// What is before it is never touched, and so no room is lost.
const LARGE: usize = LARGE_PAGE;

/// Bytes by which large memory begins further in its page than the one before it did, until a page of 4 KiB
/// has passed. What lies at the same place of its page gets in each other's way: the same sets of the first
/// cache have it, and the C library copies pieces of it backwards, so that a kernel that copies 64 MiB took
/// twice as long.
const STEP: usize = 256;
const STEPS: usize = 16;

/// Bytes of readable zeros on both sides of large memory. No slice covers them. A loop whose vectors are masked reads, by
/// its masks nothing, where a matrix's row above the first one would be. Where there is no memory, a processor looks it up in
/// vain for each vector: a row of 1024 numbers took 10 µs. Rows up to this length, and it is a 16th of the memory at most.
const MARGIN: usize = 64 << 10;

/// Memory of zeros, at least one byte of them.
pub(super) fn zeroed(bytes: usize) -> Option<NonNull<u8>> {
    let layout = layout(bytes).filter(|layout| layout.size() > 0)?;
    if layout.align() < LARGE_PAGE {
        // SAFETY: the layout isn't of zero bytes.
        return NonNull::new(unsafe { alloc_zeroed(layout) });
    }
    // SAFETY: the layout isn't of zero bytes: the filter above lets none of those pass.
    let room = NonNull::new(unsafe { alloc(layout) })?;
    // Before they are touched for the first time, by the zeros.
    ask_for_large_pages(room, layout.size());
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let place = MARGIN + NEXT.fetch_add(1, Relaxed) % STEPS * STEP;
    // SAFETY: there is room for so many bytes and a margin from each place on.
    unsafe {
        room.write_bytes(0, place + bytes + MARGIN);
        Some(room.add(place))
    }
}

/// # Safety
/// [`zeroed`] gave it, for as many bytes.
pub(super) unsafe fn give_back(memory: NonNull<u8>, bytes: usize) {
    // `zeroed` accepted the layout.
    let Some(layout) = layout(bytes) else { unreachable!() };
    let place = if bytes < LARGE { 0 } else { memory.addr().get() % LARGE_PAGE };
    // SAFETY: `zeroed` gave this memory for it, at this place of its large page.
    unsafe { dealloc(memory.sub(place).as_ptr(), layout) };
}

fn layout(bytes: usize) -> Option<Layout> {
    if bytes < LARGE {
        return Layout::from_size_align(bytes, MOST_ALIGNMENT).ok();
    }
    Layout::from_size_align(bytes.checked_add((STEPS - 1) * STEP + 2 * MARGIN)?, LARGE_PAGE).ok()
}

/// Large pages have few entries in the tables of addresses that a processor remembers: a kernel that walks down a
/// matrix's columns has one for each row in use. Most systems give them only where they are asked for.
#[cfg(target_os = "linux")]
fn ask_for_large_pages(memory: NonNull<u8>, bytes: usize) {
    let whole = bytes / LARGE_PAGE * LARGE_PAGE;
    // SAFETY: it changes how the pages are backed, not what is in them. Where there are none, it fails, and ordinary
    // ones do.
    unsafe { libc::madvise(memory.as_ptr().cast(), whole, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages(_: NonNull<u8>, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_any_size_is_zeros_and_can_be_given_back() {
        for bytes in [1, 63, 64, LARGE - 1, LARGE, LARGE + 1, LARGE + LARGE_PAGE - 1] {
            let memory = zeroed(bytes).unwrap();
            assert_eq!(memory.addr().get() % MOST_ALIGNMENT, 0);
            // SAFETY: so many bytes were asked for, and nobody else has them.
            let values = unsafe { NonNull::slice_from_raw_parts(memory, bytes).as_mut() };
            assert!(values.iter().all(|&byte| byte == 0), "{bytes} bytes");
            values.fill(1);
            // SAFETY: `zeroed` gave it for as many.
            unsafe { give_back(memory, bytes) };
        }
    }

    #[test]
    fn large_memory_lies_at_different_places_of_its_page() {
        let all: Vec<_> = (0..4).map(|_| zeroed(LARGE).unwrap()).collect();
        let mut places: Vec<_> = all.iter().map(|memory| memory.addr().get() % 4096).collect();
        places.sort_unstable();
        places.dedup();
        // Other tests may take some of the places in between, and a whole round of them.
        assert!(places.len() > 1, "{places:?}");
        for memory in all {
            // SAFETY: `zeroed` gave it for as many.
            unsafe { give_back(memory, LARGE) };
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_margins_of_large_memory_are_backed_by_pages() {
        const PAGE: usize = 4096;
        const ROW: usize = 16_384 * size_of::<f32>();
        let bytes = LARGE + PAGE / 2;
        let memory = zeroed(bytes).unwrap();
        // From the first page that begins in a row before the memory to the last one that ends in the row after it.
        let first = (memory.addr().get() - ROW).next_multiple_of(PAGE);
        let count = (memory.addr().get() + bytes + ROW - first) / PAGE;
        let mut backed = vec![0_u8; count];
        // SAFETY: there is room for what is said of so many pages.
        let result = unsafe {
            libc::mincore(memory.as_ptr().with_addr(first).cast(), count * PAGE, backed.as_mut_ptr())
        };
        assert_eq!(result, 0, "not all of it is mapped");
        assert!(backed.iter().all(|&state| state & 1 == 1));
        // SAFETY: `zeroed` gave it for as many.
        unsafe { give_back(memory, bytes) };
    }

    #[test]
    fn nobody_gets_no_bytes_or_more_than_there_are() {
        assert!(zeroed(0).is_none());
        assert!(zeroed(usize::MAX).is_none());
    }
}
