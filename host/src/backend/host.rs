//! Memory of the host for backends whose buffers are there.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// A cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// Zeros, at least one byte of them.
pub(super) fn zeroed(bytes: usize) -> Option<NonNull<u8>> {
    let layout = Layout::from_size_align(bytes, ALIGNMENT).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the layout isn't of zero bytes.
    NonNull::new(unsafe { alloc_zeroed(layout) })
}

/// # Safety
/// [`zeroed`] gave it, for as many bytes.
pub(super) unsafe fn give_back(memory: NonNull<u8>, bytes: usize) {
    // SAFETY: `zeroed` accepted the layout, and gave this memory for it.
    unsafe { dealloc(memory.as_ptr(), Layout::from_size_align_unchecked(bytes, ALIGNMENT)) };
}
