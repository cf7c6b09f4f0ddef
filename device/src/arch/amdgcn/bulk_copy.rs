//! Copies that one thread has the hardware make for the whole group: these processors have none.

/// They can't.
///
/// # Safety
/// None.
#[inline(always)]
pub(in crate::arch) unsafe fn copy_in_bulk(
    _: bool,
    _: *mut u8,
    _: *mut u8,
    _: *const u8,
    _: u32,
    _: impl FnOnce(),
) -> bool {
    false
}
