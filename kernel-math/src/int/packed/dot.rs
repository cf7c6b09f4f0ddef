//! Sums of products of lanes.

use super::{I8x4, I16x2, U8x4, U16x2};
use crate::arch::int as arch;

impl U8x4 {
    /// The sum of the four products, and `sum`; it wraps. One instruction on NVIDIA.
    ///
    /// ```
    /// use gridwright::int::U8x4;
    ///
    /// assert_eq!(U8x4::new([1, 2, 3, 255]).dot(U8x4::new([1, 1, 2, 255]), 10), 10 + 1 + 2 + 6 + 65025);
    /// ```
    ///
    /// # From CUDA
    /// `__dp4a` of unsigned numbers.
    #[inline(always)]
    pub fn dot(self, other: Self, sum: u32) -> u32 {
        arch::dot4_unsigned(self.to_bits(), other.to_bits(), sum)
    }

    /// The sum of the four products with signed numbers, and `sum`; it wraps. Such are the weights of a quantised network.
    ///
    /// ```
    /// use gridwright::int::{I8x4, U8x4};
    ///
    /// assert_eq!(U8x4::new([1, 2, 3, 255]).dot_signed(I8x4::new([1, -1, 2, -128]), 10), 10 + 1 - 2 + 6 - 32640);
    /// ```
    #[inline(always)]
    pub fn dot_signed(self, other: I8x4, sum: i32) -> i32 {
        arch::dot4_mixed(self.to_bits(), other.to_bits(), sum as u32) as i32
    }
}

impl I8x4 {
    /// The sum of the four products, and `sum`; it wraps. One instruction on NVIDIA.
    ///
    /// ```
    /// use gridwright::int::I8x4;
    ///
    /// assert_eq!(I8x4::new([1, -2, 3, -128]).dot(I8x4::new([1, 1, 2, -128]), 10), 10 + 1 - 2 + 6 + 16384);
    /// ```
    ///
    /// # From CUDA
    /// `__dp4a` of signed numbers.
    #[inline(always)]
    pub fn dot(self, other: Self, sum: i32) -> i32 {
        arch::dot4_signed(self.to_bits(), other.to_bits(), sum as u32) as i32
    }
}

macro_rules! dot2 {
    ($($name:ident: $bytes:ident $sum:ident $low:ident $high:ident $function:ident;)*) => {$(
        impl $name {
            /// The sum of the two products with the lower two bytes, and `sum`; it wraps.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::{", stringify!($bytes), ", ", stringify!($name), "};")]
            ///
            #[doc = concat!("let bytes = ", stringify!($bytes), "::new([1, 2, 3, 4]);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::new([1000, 5])", ".", stringify!($low), "(bytes, 7), 1017);")]
            /// ```
            ///
            /// # From CUDA
            /// `__dp2a_lo`, which has both numbers signed, or both unsigned.
            #[inline(always)]
            pub fn $low(self, other: $bytes, sum: $sum) -> $sum {
                arch::$function::<0>(self.to_bits(), other.to_bits(), sum as u32) as $sum
            }

            /// The sum of the two products with the upper two bytes, and `sum`; it wraps.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::{", stringify!($bytes), ", ", stringify!($name), "};")]
            ///
            #[doc = concat!("let bytes = ", stringify!($bytes), "::new([1, 2, 3, 4]);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::new([1000, 5])", ".", stringify!($high), "(bytes, 7), 3027);")]
            /// ```
            ///
            /// # From CUDA
            /// `__dp2a_hi`, which has both numbers signed, or both unsigned.
            #[inline(always)]
            pub fn $high(self, other: $bytes, sum: $sum) -> $sum {
                arch::$function::<1>(self.to_bits(), other.to_bits(), sum as u32) as $sum
            }
        }
    )*};
}

dot2! {
    U16x2: U8x4 u32 dot_low dot_high dot2_unsigned;
    I16x2: I8x4 i32 dot_low dot_high dot2_signed;
    U16x2: I8x4 i32 dot_low_signed dot_high_signed dot2_unsigned_signed;
    I16x2: U8x4 i32 dot_low_unsigned dot_high_unsigned dot2_signed_unsigned;
}
