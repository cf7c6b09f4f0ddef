//! Lanes with signs. Where an operation is of unsigned lanes, numbers are moved into their range by their highest bit.

use super::lanes::{self, BYTES, HALVES};
use super::{I8x4, I16x2, U8x4, U16x2};

macro_rules! signed {
    ($($name:ident: $unsigned:ident, $h:ident;)*) => {$(
        impl $name {
            /// Sums of the lanes, which wrap.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).wrapping_add(", stringify!($name), "::splat(3)), ", stringify!($name), "::splat(1));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vadd4`, `__vadd2`.
            #[inline(always)]
            pub fn wrapping_add(self, other: Self) -> Self {
                Self::from_bits(lanes::wrapping_add::<$h>(self.to_bits(), other.to_bits()))
            }

            /// Differences of the lanes, which wrap.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).wrapping_sub(", stringify!($name), "::splat(3)), ", stringify!($name), "::splat(-1));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vsub4`, `__vsub2`.
            #[inline(always)]
            pub fn wrapping_sub(self, other: Self) -> Self {
                Self::from_bits(lanes::wrapping_sub::<$h>(self.to_bits(), other.to_bits()))
            }

            /// Sums of the lanes; where one doesn't fit, the least or greatest number.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("let most = ", stringify!($name), "::splat(-1).wrapping_neg().saturating_add(", stringify!($name), "::splat(-3));")]
            #[doc = concat!("assert_eq!(most, ", stringify!($name), "::splat(-2));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vaddss4`, `__vaddss2`.
            #[inline(always)]
            pub fn saturating_add(self, other: Self) -> Self {
                Self::from_bits(lanes::saturating_add_signed::<$h>(self.to_bits(), other.to_bits()))
            }

            /// Differences of the lanes; where one doesn't fit, the least or greatest number.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).saturating_sub(", stringify!($name), "::splat(3)), ", stringify!($name), "::splat(-1));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vsubss4`, `__vsubss2`.
            #[inline(always)]
            pub fn saturating_sub(self, other: Self) -> Self {
                Self::from_bits(lanes::saturating_sub_signed::<$h>(self.to_bits(), other.to_bits()))
            }

            /// The lanes' numbers with the other sign; the least one stays.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).wrapping_neg(), ", stringify!($name), "::splat(2));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vneg4`, `__vneg2`.
            #[inline(always)]
            pub fn wrapping_neg(self) -> Self {
                Self::from_bits(lanes::wrapping_sub::<$h>(0, self.to_bits()))
            }

            /// The lanes' numbers with the other sign; the least one becomes the greatest.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).saturating_neg(), ", stringify!($name), "::splat(2));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vnegss4`, `__vnegss2`.
            #[inline(always)]
            pub fn saturating_neg(self) -> Self {
                Self::from_bits(lanes::saturating_sub_signed::<$h>(0, self.to_bits()))
            }

            /// Absolute values of the lanes; the least number stays.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).wrapping_abs(), ", stringify!($name), "::splat(2));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vabs4`, `__vabs2`.
            #[inline(always)]
            pub fn wrapping_abs(self) -> Self {
                Self::from_bits(lanes::wrapping_abs::<$h>(self.to_bits()))
            }

            /// Absolute values of the lanes; the least number's is the greatest.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).saturating_abs(), ", stringify!($name), "::splat(2));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vabsss4`, `__vabsss2`.
            #[inline(always)]
            pub fn saturating_abs(self) -> Self {
                Self::from_bits(lanes::saturating_abs::<$h>(self.to_bits()))
            }

            /// Averages of the lanes, rounded towards negative infinity.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).average_floor(", stringify!($name), "::splat(-5)), ", stringify!($name), "::splat(-4));")]
            /// ```
            #[inline(always)]
            pub fn average_floor(self, other: Self) -> Self {
                Self::from_bits(lanes::average_floor::<$h>(self.to_bits() ^ $h, other.to_bits() ^ $h) ^ $h)
            }

            /// Averages of the lanes, rounded towards positive infinity.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).average_ceil(", stringify!($name), "::splat(-5)), ", stringify!($name), "::splat(-3));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vavgs4`, `__vavgs2`.
            #[inline(always)]
            pub fn average_ceil(self, other: Self) -> Self {
                Self::from_bits(lanes::average_ceil::<$h>(self.to_bits() ^ $h, other.to_bits() ^ $h) ^ $h)
            }

            /// Distances of the lanes, without a sign.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).abs_diff(", stringify!($name), "::splat(5)).to_array()[0], 7);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vabsdiffs4`, `__vabsdiffs2`.
            #[inline(always)]
            pub fn abs_diff(self, other: Self) -> $unsigned {
                $unsigned::from_bits(lanes::abs_diff::<$h>(self.to_bits() ^ $h, other.to_bits() ^ $h))
            }

            /// The sum of the lanes' distances, and `sum`; it wraps.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("let distances = ", stringify!($name), "::splat(-2).sum_abs_diff(", stringify!($name), "::splat(5), 100);")]
            #[doc = concat!("assert_eq!(distances, 100 + 7 * ", stringify!($name), "::splat(0).to_array().len() as u32);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vsads4`, `__vsads2`, which have no addend.
            #[inline(always)]
            pub fn sum_abs_diff(self, other: Self, sum: u32) -> u32 {
                lanes::sum_abs_diff::<$h>(self.to_bits() ^ $h, other.to_bits() ^ $h, sum)
            }

            /// The smaller number of each lane.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).min(", stringify!($name), "::splat(5)), ", stringify!($name), "::splat(-2));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vmins4`, `__vmins2`.
            #[inline(always)]
            pub fn min(self, other: Self) -> Self {
                Self::from_bits(lanes::select(lanes::gt::<$h>(self.to_bits() ^ $h, other.to_bits() ^ $h), other.to_bits(), self.to_bits()))
            }

            /// The greater number of each lane.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).max(", stringify!($name), "::splat(5)), ", stringify!($name), "::splat(5));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vmaxs4`, `__vmaxs2`.
            #[inline(always)]
            pub fn max(self, other: Self) -> Self {
                Self::from_bits(lanes::select(lanes::gt::<$h>(self.to_bits() ^ $h, other.to_bits() ^ $h), self.to_bits(), other.to_bits()))
            }

            /// All ones in lanes that are equal, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).lanes_eq(", stringify!($name), "::splat(-2)).to_bits(), u32::MAX);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmpeq4`, `__vcmpeq2`.
            #[inline(always)]
            pub fn lanes_eq(self, other: Self) -> $unsigned {
                $unsigned::from_bits(!lanes::ne::<$h>(self.to_bits(), other.to_bits()))
            }

            /// All ones in lanes that differ, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).lanes_ne(", stringify!($name), "::splat(-2)).to_bits(), 0);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmpne4`, `__vcmpne2`.
            #[inline(always)]
            pub fn lanes_ne(self, other: Self) -> $unsigned {
                $unsigned::from_bits(lanes::ne::<$h>(self.to_bits(), other.to_bits()))
            }

            /// All ones in lanes that are below the other's, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-2).lanes_lt(", stringify!($name), "::splat(5)).to_bits(), u32::MAX);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmplts4`, `__vcmplts2`.
            #[inline(always)]
            pub fn lanes_lt(self, other: Self) -> $unsigned {
                $unsigned::from_bits(lanes::gt::<$h>(other.to_bits() ^ $h, self.to_bits() ^ $h))
            }

            /// All ones in lanes that are at most the other's, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-5).lanes_le(", stringify!($name), "::splat(-5)).to_bits(), u32::MAX);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmples4`, `__vcmples2`.
            #[inline(always)]
            pub fn lanes_le(self, other: Self) -> $unsigned {
                $unsigned::from_bits(lanes::ge::<$h>(other.to_bits() ^ $h, self.to_bits() ^ $h))
            }

            /// All ones in lanes that are above the other's, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(-5).lanes_gt(", stringify!($name), "::splat(-5)).to_bits(), 0);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmpgts4`, `__vcmpgts2`.
            #[inline(always)]
            pub fn lanes_gt(self, other: Self) -> $unsigned {
                $unsigned::from_bits(lanes::gt::<$h>(self.to_bits() ^ $h, other.to_bits() ^ $h))
            }

            /// All ones in lanes that are at least the other's, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(5).lanes_ge(", stringify!($name), "::splat(-2)).to_bits(), u32::MAX);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmpges4`, `__vcmpges2`.
            #[inline(always)]
            pub fn lanes_ge(self, other: Self) -> $unsigned {
                $unsigned::from_bits(lanes::ge::<$h>(self.to_bits() ^ $h, other.to_bits() ^ $h))
            }
        }
    )*};
}

signed! {
    I8x4: U8x4, BYTES;
    I16x2: U16x2, HALVES;
}
