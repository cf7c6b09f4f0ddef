//! Lanes without signs.

use super::lanes::{self, BYTES, HALVES};
use super::{Packed, U8x4, U16x2};

macro_rules! unsigned {
    ($($name:ident: $h:ident;)*) => {$(
        impl $name {
            /// Sums of the lanes, which wrap.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("let most = ", stringify!($name), "::from_bits(u32::MAX);")]
            #[doc = concat!("assert_eq!(most.wrapping_add(", stringify!($name), "::splat(3)), ", stringify!($name), "::splat(2));")]
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
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).wrapping_sub(", stringify!($name), "::splat(3)).to_bits(), u32::MAX);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vsub4`, `__vsub2`.
            #[inline(always)]
            pub fn wrapping_sub(self, other: Self) -> Self {
                Self::from_bits(lanes::wrapping_sub::<$h>(self.to_bits(), other.to_bits()))
            }

            /// Sums of the lanes, at most the greatest number.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("let most = ", stringify!($name), "::from_bits(u32::MAX);")]
            #[doc = concat!("assert_eq!(most.saturating_add(", stringify!($name), "::splat(3)), most);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vaddus4`, `__vaddus2`.
            #[inline(always)]
            pub fn saturating_add(self, other: Self) -> Self {
                Self::from_bits(lanes::saturating_add::<$h>(self.to_bits(), other.to_bits()))
            }

            /// Differences of the lanes, at least 0.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).saturating_sub(", stringify!($name), "::splat(3)), ", stringify!($name), "::splat(0));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vsubus4`, `__vsubus2`.
            #[inline(always)]
            pub fn saturating_sub(self, other: Self) -> Self {
                Self::from_bits(lanes::saturating_sub::<$h>(self.to_bits(), other.to_bits()))
            }

            /// Averages of the lanes, rounded down.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).average_floor(", stringify!($name), "::splat(5)), ", stringify!($name), "::splat(3));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vhaddu4`, `__vhaddu2`.
            #[inline(always)]
            pub fn average_floor(self, other: Self) -> Self {
                Self::from_bits(lanes::average_floor::<$h>(self.to_bits(), other.to_bits()))
            }

            /// Averages of the lanes, rounded up.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).average_ceil(", stringify!($name), "::splat(5)), ", stringify!($name), "::splat(4));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vavgu4`, `__vavgu2`.
            #[inline(always)]
            pub fn average_ceil(self, other: Self) -> Self {
                Self::from_bits(lanes::average_ceil::<$h>(self.to_bits(), other.to_bits()))
            }

            /// Distances of the lanes.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).abs_diff(", stringify!($name), "::splat(5)), ", stringify!($name), "::splat(3));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vabsdiffu4`, `__vabsdiffu2`.
            #[inline(always)]
            pub fn abs_diff(self, other: Self) -> Self {
                Self::from_bits(lanes::abs_diff::<$h>(self.to_bits(), other.to_bits()))
            }

            /// The sum of the lanes' distances, and `sum`; it wraps.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("let distances = ", stringify!($name), "::splat(2).sum_abs_diff(", stringify!($name), "::splat(5), 100);")]
            #[doc = concat!("assert_eq!(distances, 100 + 3 * ", stringify!($name), "::splat(0).to_array().len() as u32);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vsadu4`, `__vsadu2`, which have no addend.
            #[inline(always)]
            pub fn sum_abs_diff(self, other: Self, sum: u32) -> u32 {
                lanes::sum_abs_diff::<$h>(self.to_bits(), other.to_bits(), sum)
            }

            /// The smaller number of each lane.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).min(", stringify!($name), "::splat(5)), ", stringify!($name), "::splat(2));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vminu4`, `__vminu2`.
            #[inline(always)]
            pub fn min(self, other: Self) -> Self {
                Self::from_bits(lanes::select(lanes::gt::<$h>(self.to_bits(), other.to_bits()), other.to_bits(), self.to_bits()))
            }

            /// The greater number of each lane.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).max(", stringify!($name), "::splat(5)), ", stringify!($name), "::splat(5));")]
            /// ```
            ///
            /// # From CUDA
            /// `__vmaxu4`, `__vmaxu2`.
            #[inline(always)]
            pub fn max(self, other: Self) -> Self {
                Self::from_bits(lanes::select(lanes::gt::<$h>(self.to_bits(), other.to_bits()), self.to_bits(), other.to_bits()))
            }

            /// All ones in lanes that are equal, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).lanes_eq(", stringify!($name), "::splat(2)).to_bits(), u32::MAX);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmpeq4`, `__vcmpeq2`.
            #[inline(always)]
            pub fn lanes_eq(self, other: Self) -> Self {
                Self::from_bits(!lanes::ne::<$h>(self.to_bits(), other.to_bits()))
            }

            /// All ones in lanes that differ, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).lanes_ne(", stringify!($name), "::splat(2)).to_bits(), 0);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmpne4`, `__vcmpne2`.
            #[inline(always)]
            pub fn lanes_ne(self, other: Self) -> Self {
                Self::from_bits(lanes::ne::<$h>(self.to_bits(), other.to_bits()))
            }

            /// All ones in lanes that are below the other's, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(2).lanes_lt(", stringify!($name), "::splat(5)).to_bits(), u32::MAX);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmpltu4`, `__vcmpltu2`.
            #[inline(always)]
            pub fn lanes_lt(self, other: Self) -> Self {
                Self::from_bits(lanes::gt::<$h>(other.to_bits(), self.to_bits()))
            }

            /// All ones in lanes that are at most the other's, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(5).lanes_le(", stringify!($name), "::splat(5)).to_bits(), u32::MAX);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmpleu4`, `__vcmpleu2`.
            #[inline(always)]
            pub fn lanes_le(self, other: Self) -> Self {
                Self::from_bits(lanes::ge::<$h>(other.to_bits(), self.to_bits()))
            }

            /// All ones in lanes that are above the other's, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(5).lanes_gt(", stringify!($name), "::splat(5)).to_bits(), 0);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmpgtu4`, `__vcmpgtu2`.
            #[inline(always)]
            pub fn lanes_gt(self, other: Self) -> Self {
                Self::from_bits(lanes::gt::<$h>(self.to_bits(), other.to_bits()))
            }

            /// All ones in lanes that are at least the other's, zeros in others.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(5).lanes_ge(", stringify!($name), "::splat(2)).to_bits(), u32::MAX);")]
            /// ```
            ///
            /// # From CUDA
            /// `__vcmpgeu4`, `__vcmpgeu2`.
            #[inline(always)]
            pub fn lanes_ge(self, other: Self) -> Self {
                Self::from_bits(lanes::ge::<$h>(self.to_bits(), other.to_bits()))
            }

            /// Lanes of `yes` where this mask, of a comparison, has ones, and of `no` elsewhere. It goes by
            /// bits, so that other masks can be made by hand.
            ///
            /// ```
            #[doc = concat!("use gridwright::int::", stringify!($name), ";")]
            ///
            #[doc = concat!("let (a, b) = (", stringify!($name), "::splat(2), ", stringify!($name), "::splat(5));")]
            /// assert_eq!(a.lanes_lt(b).select(a, b), a);
            /// ```
            #[inline(always)]
            pub fn select<T: Packed>(self, yes: T, no: T) -> T {
                T::of_word(lanes::select(self.to_bits(), yes.word(), no.word()))
            }
        }
    )*};
}

unsigned! {
    U8x4: BYTES;
    U16x2: HALVES;
}
