//! Products, averages and distances of whole integers.

use crate::arch::int as arch;

mod sealed {
    /// Marker that only this crate implements.
    pub trait Sealed {}
}

/// The integers that functions of this module take: `u32`, `i32`, `u64` and `i64`.
///
/// ```
/// use gridwright::int::{Integer, mul_hi};
///
/// fn high_half_of_square<T: Integer>(x: T) -> T {
///     mul_hi(x, x)
/// }
/// assert_eq!(high_half_of_square(1_u64 << 63), 1 << 62);
/// ```
pub trait Integer: sealed::Sealed + Copy {
    #[doc(hidden)]
    fn mul_hi(self, other: Self) -> Self;
    #[doc(hidden)]
    fn average_floor(self, other: Self) -> Self;
    #[doc(hidden)]
    fn average_ceil(self, other: Self) -> Self;
    #[doc(hidden)]
    fn trailing_zeros(self) -> u32;
    #[doc(hidden)]
    fn bit_field(self, start: u32, len: u32) -> Self;
    #[doc(hidden)]
    fn with_bit_field(self, field: Self, start: u32, len: u32) -> Self;
}

/// The integers of 32 bits: `u32` and `i32`.
///
/// ```
/// use gridwright::int::{Word, sum_abs_diff};
///
/// fn distance<T: Word>(x: T, y: T) -> u32 {
///     sum_abs_diff(x, y, 0)
/// }
/// assert_eq!(distance(-3, 4), 7);
/// ```
pub trait Word: Integer {
    #[doc(hidden)]
    fn sum_abs_diff(self, other: Self, sum: u32) -> u32;
}

macro_rules! integer {
    ($($integer:ident $unsigned:ident $mul_hi:ident $trailing_zeros:ident;)*) => {$(
        impl sealed::Sealed for $integer {}

        impl Integer for $integer {
            #[inline(always)]
            fn mul_hi(self, other: Self) -> Self {
                arch::$mul_hi(self, other)
            }

            #[inline(always)]
            fn average_floor(self, other: Self) -> Self {
                (self & other).wrapping_add((self ^ other) >> 1)
            }

            #[inline(always)]
            fn average_ceil(self, other: Self) -> Self {
                (self | other).wrapping_sub((self ^ other) >> 1)
            }

            #[inline(always)]
            fn trailing_zeros(self) -> u32 {
                arch::$trailing_zeros(self as $unsigned)
            }

            #[inline(always)]
            fn bit_field(self, start: u32, len: u32) -> Self {
                if len == 0 {
                    return 0;
                }
                // As far to the left as it goes, then to the right, with zeros or the sign.
                let left = Self::BITS.saturating_sub(start.saturating_add(len));
                let right = left + start;
                if right < Self::BITS {
                    self << left >> right
                } else {
                    self >> (Self::BITS / 2) >> (Self::BITS / 2)
                }
            }

            #[inline(always)]
            fn with_bit_field(self, field: Self, start: u32, len: u32) -> Self {
                if start >= Self::BITS || len == 0 {
                    return self;
                }
                let ones = if len >= Self::BITS { $unsigned::MAX } else { ((1 as $unsigned) << len) - 1 };
                let mask = (ones << start) as Self;
                (self & !mask) | (field << start & mask)
            }
        }
    )*};
}

integer! {
    u32 u32 mul_hi_u32 trailing_zeros_u32;
    i32 u32 mul_hi_i32 trailing_zeros_u32;
    u64 u64 mul_hi_u64 trailing_zeros_u64;
    i64 u64 mul_hi_i64 trailing_zeros_u64;
}

impl Word for u32 {
    #[inline(always)]
    fn sum_abs_diff(self, other: Self, sum: u32) -> u32 {
        self.abs_diff(other).wrapping_add(sum)
    }
}

impl Word for i32 {
    #[inline(always)]
    fn sum_abs_diff(self, other: Self, sum: u32) -> u32 {
        self.abs_diff(other).wrapping_add(sum)
    }
}

/// The upper half of the product of two integers, which has twice their bits.
///
/// ```
/// use gridwright::int::mul_hi;
///
/// assert_eq!(mul_hi(1_u32 << 31, 6), 3);
/// assert_eq!(mul_hi(-1_i64, 1), -1);
/// ```
///
/// # From CUDA
/// `__mulhi`, `__umulhi`, `__mul64hi`, `__umul64hi`.
#[inline(always)]
pub fn mul_hi<T: Integer>(a: T, b: T) -> T {
    a.mul_hi(b)
}

/// `|a - b| + sum`: the distance is exact, and the sum wraps.
///
/// ```
/// use gridwright::int::sum_abs_diff;
///
/// assert_eq!(sum_abs_diff(3_u32, 10, 100), 107);
/// assert_eq!(sum_abs_diff(i32::MIN, i32::MAX, 0), u32::MAX);
/// ```
///
/// # From CUDA
/// `__sad`, `__usad`.
#[inline(always)]
pub fn sum_abs_diff<T: Word>(a: T, b: T, sum: u32) -> u32 {
    a.sum_abs_diff(b, sum)
}

/// The average of two integers, rounded towards negative infinity, whatever their sum.
///
/// ```
/// use gridwright::int::average_floor;
///
/// assert_eq!(average_floor(u32::MAX, u32::MAX - 1), u32::MAX - 1);
/// assert_eq!(average_floor(-4, -1), -3);
/// ```
///
/// # From CUDA
/// `__hadd`, `__uhadd`; there are 64 bits, too.
#[inline(always)]
pub fn average_floor<T: Integer>(a: T, b: T) -> T {
    a.average_floor(b)
}

/// The average of two integers, rounded towards positive infinity, whatever their sum.
///
/// ```
/// use gridwright::int::average_ceil;
///
/// assert_eq!(average_ceil(u32::MAX, u32::MAX - 1), u32::MAX);
/// assert_eq!(average_ceil(-4, -1), -2);
/// ```
///
/// # From CUDA
/// `__rhadd`, `__urhadd`; there are 64 bits, too.
#[inline(always)]
pub fn average_ceil<T: Integer>(a: T, b: T) -> T {
    a.average_ceil(b)
}
