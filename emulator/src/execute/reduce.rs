//! Elements that a bulk copy combines with what is in memory.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::atomic::combined;
use crate::instruction::AtomicKind;
use crate::parse::syntax::Type;

/// # Safety
/// The pointer is valid for atomic accesses to an element of the type, and aligned for them.
pub(super) unsafe fn reduced(pointer: *mut u8, kind: AtomicKind, ty: Type, value: u64) {
    let next = |old: u64| combined(kind, ty, old, value);
    macro_rules! update {
        ($atomic:ty, $t:ty) => {{
            // SAFETY: the pointer is to as many bytes, and aligned, as this function asks, and all accesses are atomic.
            let element = unsafe { <$atomic>::from_ptr(pointer.cast()) };
            let update = |old: $t| Some(next(old.into()) as $t);
            // The update always gives something.
            let (Ok(_) | Err(_)) = element.fetch_update(Ordering::AcqRel, Ordering::Relaxed, update);
        }};
    }
    match ty.bytes() {
        1 => update!(AtomicU8, u8),
        2 => update!(AtomicU16, u16),
        4 => update!(AtomicU32, u32),
        _ => update!(AtomicU64, u64),
    }
}
