//! Atomic updates of integers, by `core`'s atomic types.

use core::sync::atomic::{AtomicI32, AtomicI64, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::value::{AtomicElement, AtomicInteger, AtomicValue, Operation, of_a_load, of_a_store};
use crate::arch;

macro_rules! element {
    ($integer:ty, $atomic:ty) => {
        // SAFETY: `core`'s atomics.
        unsafe impl AtomicElement for $integer {
            #[inline(always)]
            unsafe fn load(at: *mut Self, ordering: Ordering) -> Self {
                // SAFETY: others access the value atomically only, as this function asks; buffers and workgroup memory are aligned.
                unsafe { <$atomic>::from_ptr(at) }.load(of_a_load(ordering))
            }

            #[inline(always)]
            unsafe fn store(at: *mut Self, value: Self, ordering: Ordering) {
                // SAFETY: others access the value atomically only, as this function asks; buffers and workgroup memory are aligned.
                unsafe { <$atomic>::from_ptr(at) }.store(value, of_a_store(ordering));
            }
        }
    };
}

macro_rules! updates {
    ($integer:ty, $atomic:ty: $($name:ident $method:ident)*) => {$(
        #[inline(always)]
        unsafe fn $name(at: *mut Self, value: Self, ordering: Ordering) -> Self {
            // SAFETY: others access the value atomically only, as this function asks; buffers and workgroup memory are aligned.
            let at = unsafe { <$atomic>::from_ptr(at) };
            arch::ordered(ordering, |ordering| at.$method(value, ordering))
        }
    )*};
}

macro_rules! integer {
    ($integer:ty, $atomic:ty) => {
        element!($integer, $atomic);

        // SAFETY: `core`'s atomics.
        #[diagnostic::do_not_recommend]
        unsafe impl AtomicValue for $integer {
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                self.min(other)
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                self.max(other)
            }

            #[inline(always)]
            fn is_same(self, other: Self) -> bool {
                self == other
            }

            updates!($integer, $atomic: fetch_add fetch_add fetch_min fetch_min fetch_max fetch_max exchange swap);

            #[inline(always)]
            unsafe fn compare_exchange(at: *mut Self, current: Self, new: Self, ordering: Ordering) -> Self {
                // SAFETY: others access the value atomically only, as this function asks; buffers and workgroup memory are aligned.
                let at = unsafe { <$atomic>::from_ptr(at) };
                let (Ok(seen) | Err(seen)) = arch::ordered(ordering, |ordering| {
                    at.compare_exchange(current, new, ordering, of_a_load(ordering))
                });
                seen
            }
        }

        // SAFETY: `core`'s atomics.
        #[diagnostic::do_not_recommend]
        unsafe impl AtomicInteger for $integer {
            #[inline(always)]
            fn plain(self, other: Self, operation: Operation) -> Self {
                match operation {
                    Operation::Sub => self.wrapping_sub(other),
                    Operation::And => self & other,
                    Operation::Or => self | other,
                    Operation::Xor => self ^ other,
                }
            }

            updates!($integer, $atomic: fetch_sub fetch_sub fetch_and fetch_and fetch_or fetch_or fetch_xor fetch_xor);
        }
    };
}

element!(u8, AtomicU8);
element!(u16, AtomicU16);
integer!(u32, AtomicU32);
integer!(i32, AtomicI32);
integer!(u64, AtomicU64);
integer!(i64, AtomicI64);
