//! Copies that the hardware makes by itself: of these processors some have them, for which LLVM asks for pointers that Rust
//! doesn't have. The threads copy.

/// Whether the hardware has copies that it makes by itself.
#[inline(always)]
pub(in crate::arch) fn copies_by_itself() -> bool {
    false
}

/// Whether a pointer is into global memory.
#[inline(always)]
pub(in crate::arch) fn is_global(_: *const u8) -> bool {
    false
}

/// Copies so many bytes, or writes as many zeros if they aren't there.
///
/// # Safety
/// `to` is in memory that only this thread accesses; both are multiples of `WIDTH`, and of `from` so many bytes can be read if
/// they are there.
#[inline(always)]
pub(in crate::arch) unsafe fn copy<const WIDTH: usize>(to: *mut u8, from: *const u8, is_there: bool) {
    // SAFETY: the bytes at `to` are this thread's alone, so not of the shared slice at `from`, which can be read if they are there,
    // as this function asks.
    unsafe {
        match is_there {
            true => to.copy_from_nonoverlapping(from, WIDTH),
            false => to.write_bytes(0, WIDTH),
        }
    }
}

/// Does nothing: each copy ends where it begins.
#[inline(always)]
pub(in crate::arch) fn commit_copies() {}

/// Returns at once: each copy has ended where it began.
#[inline(always)]
pub(in crate::arch) fn wait_for_copies(_: u32) {}
