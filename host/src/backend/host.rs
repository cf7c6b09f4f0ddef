//! Memory of the host for backends whose buffers are there.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use gridwright_core::MOST_ALIGNMENT;

/// A large page of most processors.
const LARGE_PAGE: usize = 2 << 20;

/// From how many bytes on memory begins with a large page: what is before it is never touched, and so no room is lost.
const LARGE: usize = LARGE_PAGE;

/// Large memory begins this much further in its page than the one before it did, until a page of 4 KiB has passed. What lies at
/// the same place of its page gets in each other's way: the same sets of the first cache have it, and the C library copies pieces
/// of it backwards, so that a kernel that copies 64 MiB took twice as long.
const STEP: usize = 256;
const STEPS: usize = 16;

/// Zeros, at least one byte of them.
pub(super) fn zeroed(bytes: usize) -> Option<NonNull<u8>> {
    let layout = layout(bytes).filter(|layout| layout.size() > 0)?;
    if layout.align() < LARGE_PAGE {
        // SAFETY: the layout isn't of zero bytes.
        return NonNull::new(unsafe { alloc_zeroed(layout) });
    }
    // SAFETY: as above.
    let room = NonNull::new(unsafe { alloc(layout) })?;
    // Before they are touched for the first time, by the zeros.
    ask_for_large_pages(room, layout.size());
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let place = NEXT.fetch_add(1, Relaxed) % STEPS * STEP;
    // SAFETY: there is room for so many bytes from each place on.
    unsafe {
        let memory = room.add(place);
        memory.write_bytes(0, bytes);
        Some(memory)
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
    Layout::from_size_align(bytes.checked_add((STEPS - 1) * STEP)?, LARGE_PAGE).ok()
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
    fn nobody_gets_no_bytes_or_more_than_there_are() {
        assert!(zeroed(0).is_none());
        assert!(zeroed(usize::MAX).is_none());
    }
}
