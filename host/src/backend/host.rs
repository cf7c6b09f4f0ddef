//! Memory of the host for backends whose buffers are there.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use gridwright_core::MOST_ALIGNMENT;

/// A large page of most processors.
const LARGE_PAGE: usize = 2 << 20;

/// From how many bytes on memory begins with a large page: what is before it is never touched, and so no room is lost.
const LARGE: usize = LARGE_PAGE;

/// Zeros, at least one byte of them.
pub(super) fn zeroed(bytes: usize) -> Option<NonNull<u8>> {
    let layout = layout(bytes).filter(|layout| layout.size() > 0)?;
    if layout.align() < LARGE_PAGE {
        // SAFETY: the layout isn't of zero bytes.
        return NonNull::new(unsafe { alloc_zeroed(layout) });
    }
    // SAFETY: as above.
    let memory = NonNull::new(unsafe { alloc(layout) })?;
    // Before they are touched for the first time, by the zeros.
    ask_for_large_pages(memory, bytes);
    // SAFETY: so many bytes were just allocated.
    unsafe { memory.write_bytes(0, bytes) };
    Some(memory)
}

/// # Safety
/// [`zeroed`] gave it, for as many bytes.
pub(super) unsafe fn give_back(memory: NonNull<u8>, bytes: usize) {
    // `zeroed` accepted the layout.
    let Some(layout) = layout(bytes) else { unreachable!() };
    // SAFETY: `zeroed` gave this memory for it.
    unsafe { dealloc(memory.as_ptr(), layout) };
}

fn layout(bytes: usize) -> Option<Layout> {
    let alignment = if bytes < LARGE { MOST_ALIGNMENT } else { LARGE_PAGE };
    Layout::from_size_align(bytes, alignment).ok()
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
    fn nobody_gets_no_bytes_or_more_than_there_are() {
        assert!(zeroed(0).is_none());
        assert!(zeroed(usize::MAX).is_none());
    }
}
