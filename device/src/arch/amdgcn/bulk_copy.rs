//! Copies that one thread has the hardware make for the whole group: these processors have none.

/// Copies nothing, and says so: these processors have no bulk copies.
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
