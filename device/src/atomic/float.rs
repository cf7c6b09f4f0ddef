//! Atomic updates of floats: additions have instructions of their own, and all else works on the integer of the
//! float's bits.

use core::sync::atomic::Ordering;

use super::value::{AtomicElement, AtomicValue};
use crate::arch;

macro_rules! float {
    ($float:ty, $unsigned:ty, $signed:ty, $add:ident) => {
        // SAFETY: the integers' accesses are atomic; a float and its bits have one size and alignment.
        unsafe impl AtomicElement for $float {
            #[inline(always)]
            unsafe fn load(at: *mut Self, ordering: Ordering) -> Self {
                // SAFETY: the pointer is at a value that others access atomically only, as this function asks.
                Self::from_bits(unsafe { <$unsigned>::load(at.cast(), ordering) })
            }

            #[inline(always)]
            unsafe fn store(at: *mut Self, value: Self, ordering: Ordering) {
                // SAFETY: the pointer is at a value that others access atomically only, as this function asks.
                unsafe { <$unsigned>::store(at.cast(), value.to_bits(), ordering) };
            }
        }

        #[diagnostic::do_not_recommend]
        // SAFETY: by an instruction, by comparing and exchanging, or as the integers' operations.
        unsafe impl AtomicValue for $float {
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                if other.is_nan() || self.total_cmp(&other).is_le() { self } else { other }
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                if other.is_nan() || self.total_cmp(&other).is_ge() { self } else { other }
            }

            #[inline(always)]
            fn is_same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits()
            }

            #[inline(always)]
            unsafe fn fetch_add(at: *mut Self, value: Self, ordering: Ordering) -> Self {
                // SAFETY: the pointer is at a value that others access atomically only, as this function asks.
                arch::ordered(ordering, |ordering| unsafe { arch::$add(at, value, ordering) })
            }

            // In `total_cmp`'s order floats of a plus sign are ordered as their bits, above all others; those of a minus sign
            // the other way round. So one operation on integers finds the extreme, whatever is there.
            #[inline(always)]
            unsafe fn fetch_min(at: *mut Self, value: Self, ordering: Ordering) -> Self {
                let bits = value.to_bits();
                // SAFETY: the pointer is at a value that others access atomically only, as this function asks.
                Self::from_bits(unsafe {
                    if value.is_nan() {
                        <$unsigned>::load(at.cast(), ordering)
                    } else if value.is_sign_positive() {
                        <$signed>::fetch_min(at.cast(), bits.cast_signed(), ordering).cast_unsigned()
                    } else {
                        <$unsigned>::fetch_max(at.cast(), bits, ordering)
                    }
                })
            }

            #[inline(always)]
            unsafe fn fetch_max(at: *mut Self, value: Self, ordering: Ordering) -> Self {
                let bits = value.to_bits();
                // SAFETY: the pointer is at a value that others access atomically only, as this function asks.
                Self::from_bits(unsafe {
                    if value.is_nan() {
                        <$unsigned>::load(at.cast(), ordering)
                    } else if value.is_sign_positive() {
                        <$signed>::fetch_max(at.cast(), bits.cast_signed(), ordering).cast_unsigned()
                    } else {
                        <$unsigned>::fetch_min(at.cast(), bits, ordering)
                    }
                })
            }

            #[inline(always)]
            unsafe fn exchange(at: *mut Self, value: Self, ordering: Ordering) -> Self {
                // SAFETY: the pointer is at a value that others access atomically only, as this function asks.
                Self::from_bits(unsafe { <$unsigned>::exchange(at.cast(), value.to_bits(), ordering) })
            }

            #[inline(always)]
            unsafe fn compare_exchange(at: *mut Self, current: Self, new: Self, ordering: Ordering) -> Self {
                let (current, new) = (current.to_bits(), new.to_bits());
                // SAFETY: the pointer is at a value that others access atomically only, as this function asks.
                Self::from_bits(unsafe { <$unsigned>::compare_exchange(at.cast(), current, new, ordering) })
            }
        }
    };
}

float!(f32, u32, i32, add_f32);
float!(f64, u64, i64, add_f64);
