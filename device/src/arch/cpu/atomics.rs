//! Atomic updates on the CPU: of global memory by its instructions, of workgroup memory by plain ones, since a group is
//! one OS thread.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::atomic::value::Operation;
use crate::atomic::{AtomicElement, AtomicInteger, AtomicValue};

/// An update in an order: the CPU's instructions have it.
#[inline(always)]
pub(crate) fn ordered<R>(ordering: Ordering, update: impl FnOnce(Ordering) -> R) -> R {
    update(ordering)
}

macro_rules! add {
    ($name:ident, $float:ty, $atomic:ty) => {
        /// # Safety
        /// The pointer is at a value that others access atomically only.
        #[inline(always)]
        pub(crate) unsafe fn $name(at: *mut $float, value: $float, ordering: Ordering) -> $float {
            // SAFETY: the pointer is at a live value, which others access atomically only, as this function asks; a float and its
            // bits have one size and alignment.
            let at = unsafe { <$atomic>::from_ptr(at.cast()) };
            let add = |bits| Some((<$float>::from_bits(bits) + value).to_bits());
            let load = match ordering {
                Ordering::Relaxed | Ordering::Release => Ordering::Relaxed,
                Ordering::SeqCst => Ordering::SeqCst,
                _ => Ordering::Acquire,
            };
            let (Ok(before) | Err(before)) = at.fetch_update(ordering, load, add);
            <$float>::from_bits(before)
        }
    };
}

add!(add_f32, f32, AtomicU32);
add!(add_f64, f64, AtomicU64);

/// Updates among the threads of a group.
pub(crate) mod workgroup_atomic {
    use super::{AtomicElement, AtomicInteger, AtomicValue, Operation};

    /// # Safety
    /// The pointer is at a value that only this group accesses.
    #[inline(always)]
    pub(crate) unsafe fn load<T: AtomicElement>(at: *mut T) -> T {
        // SAFETY: the pointer is at a value that only this group, one OS thread, accesses, as this function asks.
        unsafe { at.read() }
    }

    /// # Safety
    /// As for `load`.
    #[inline(always)]
    pub(crate) unsafe fn store<T: AtomicElement>(at: *mut T, value: T) {
        // SAFETY: the pointer is at a value that only this group, one OS thread, accesses, as this function asks.
        unsafe { at.write(value) };
    }

    macro_rules! operations {
        ($bound:ident: $($name:ident |$before:ident, $value:ident| $after:expr;)*) => {$(
            /// # Safety
            /// As for `load`.
            #[inline(always)]
            pub(crate) unsafe fn $name<T: $bound>(at: *mut T, $value: T) -> T {
                // SAFETY: the pointer is at a value that only this group, one OS thread, accesses, as this function asks.
                unsafe { update(at, |$before| $after) }
            }
        )*};
    }

    operations! { AtomicValue:
        fetch_add |before, value| before.sum(value);
        fetch_min |before, value| before.lesser(value);
        fetch_max |before, value| before.greater(value);
        exchange |_before, value| value;
    }

    operations! { AtomicInteger:
        fetch_sub |before, value| before.plain(value, Operation::Sub);
        fetch_and |before, value| before.plain(value, Operation::And);
        fetch_or |before, value| before.plain(value, Operation::Or);
        fetch_xor |before, value| before.plain(value, Operation::Xor);
    }

    /// # Safety
    /// As for `load`.
    #[inline(always)]
    pub(crate) unsafe fn compare_exchange<T: AtomicValue>(at: *mut T, current: T, new: T) -> T {
        // SAFETY: the pointer is at a value that only this group, one OS thread, accesses, as this function asks.
        unsafe { update(at, |before| if before.is_same(current) { new } else { before }) }
    }

    /// # Safety
    /// As for `load`.
    #[inline(always)]
    unsafe fn update<T: Copy>(at: *mut T, change: impl FnOnce(T) -> T) -> T {
        // SAFETY: the pointer is at a value that only this group, one OS thread, accesses, as this function asks.
        unsafe {
            let before = at.read();
            at.write(change(before));
            before
        }
    }
}
