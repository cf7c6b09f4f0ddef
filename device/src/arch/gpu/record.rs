use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use gridwright_core::Record;

/// Pointer to where threads leave what the host reads, once the host has said where. This is the one variable of
/// device code that isn't a constant: `gridwright-build` knows it by its name, and the linker refuses a second one.
#[unsafe(export_name = "__gridwright_record")]
pub static RECORD: AtomicPtr<Record> = AtomicPtr::new(ptr::null_mut());

/// The record, if the host reads one.
#[inline(always)]
pub(super) fn record() -> Option<&'static Record> {
    let record = RECORD.load(Relaxed);
    // SAFETY: the host sets it to a record that it keeps as long as the image is loaded.
    unsafe { record.as_ref() }
}
