//! Atomic updates on a GPU.

use core::sync::atomic::{
    Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst},
    fence,
};

use crate::arch::hardware;

/// An update in an order: relaxed, between fences. On nvptx LLVM drops the order of an instruction that reads, changes and
/// writes.
#[inline(always)]
pub(crate) fn ordered<R>(ordering: Ordering, update: impl FnOnce(Ordering) -> R) -> R {
    match ordering {
        SeqCst => fence(SeqCst),
        Release | AcqRel => fence(Release),
        _ => {}
    }
    let result = update(Relaxed);
    match ordering {
        SeqCst => fence(SeqCst),
        Acquire | AcqRel => fence(Acquire),
        _ => {}
    }
    result
}

/// # Safety
/// The pointer is at a value that others access atomically only.
#[inline(always)]
pub(crate) unsafe fn add_f32(at: *mut f32, value: f32, _: Ordering) -> f32 {
    // SAFETY: others access the value atomically only, as this function asks.
    unsafe { hardware::add_f32(at, value) }
}

/// # Safety
/// As for `add_f32`.
#[inline(always)]
pub(crate) unsafe fn add_f64(at: *mut f64, value: f64, _: Ordering) -> f64 {
    // SAFETY: others access the value atomically only, as this function asks.
    unsafe { hardware::add_f64(at, value) }
}

/// Updates among the threads of a group.
pub(crate) mod workgroup_atomic {
    use core::sync::atomic::Ordering::Relaxed;

    use crate::atomic::{AtomicElement, AtomicInteger, AtomicValue};

    /// # Safety
    /// The pointer is at a value that only this group accesses, atomically.
    #[inline(always)]
    pub(crate) unsafe fn load<T: AtomicElement>(at: *mut T) -> T {
        // SAFETY: only this group accesses the value, and atomically, as this function asks.
        unsafe { T::load(at, Relaxed) }
    }

    /// # Safety
    /// As for `load`.
    #[inline(always)]
    pub(crate) unsafe fn store<T: AtomicElement>(at: *mut T, value: T) {
        // SAFETY: only this group accesses the value, and atomically, as this function asks.
        unsafe { T::store(at, value, Relaxed) };
    }

    macro_rules! operations {
        ($bound:ident: $($name:ident)*) => {$(
            /// # Safety
            /// As for `load`.
            #[inline(always)]
            pub(crate) unsafe fn $name<T: $bound>(at: *mut T, value: T) -> T {
                // SAFETY: only this group accesses the value, and atomically, as this function asks.
                unsafe { T::$name(at, value, Relaxed) }
            }
        )*};
    }

    operations!(AtomicValue: fetch_add fetch_min fetch_max exchange);
    operations!(AtomicInteger: fetch_sub fetch_and fetch_or fetch_xor);

    /// # Safety
    /// As for `load`.
    #[inline(always)]
    pub(crate) unsafe fn compare_exchange<T: AtomicValue>(at: *mut T, current: T, new: T) -> T {
        // SAFETY: only this group accesses the value, and atomically, as this function asks.
        unsafe { T::compare_exchange(at, current, new, Relaxed) }
    }
}
