//! The traits of the crate `num-traits`, so that what is generic over numbers takes floats of 16 bits too.

use core::num::FpCategory;
use core::ops::{Rem, RemAssign};

use num_traits::float::FloatCore;
use num_traits::{Bounded, FromPrimitive, Num, NumCast, One, ParseFloatError, Signed, ToPrimitive, Zero};

use super::{Bf16, F16};
use crate::math;

mod as_primitive;
#[cfg(test)]
mod tests;

/// An integer in 64 bits that rounds to fewer than 52 of them as the integer does: what is cut off is a last bit.
#[inline(always)]
fn sticky(value: u64) -> f64 {
    const CUT: u32 = 11;
    if value >> (64 - CUT) == 0 {
        return value as f64;
    }
    let is_cut = value & ((1 << CUT) - 1) != 0;
    ((value >> CUT) | is_cut as u64) as f64 * (1_u64 << CUT) as f64
}

macro_rules! numbers {
    ($($name:ident)*) => {$(
        /// The remainder of the division rounded towards zero, exact.
        ///
        /// ```
        #[doc = concat!("use gridwright::numbers::", stringify!($name), ";")]
        ///
        #[doc = concat!("assert_eq!((", stringify!($name), "::from_f32(7.5) % ", stringify!($name), "::from_f32(2.0)).to_f32(), 1.5);")]
        /// ```
        impl Rem for $name {
            type Output = Self;

            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                Self::from_f32(math::rem(self.to_f32(), other.to_f32()))
            }
        }

        impl RemAssign for $name {
            #[inline(always)]
            fn rem_assign(&mut self, other: Self) {
                *self = *self % other;
            }
        }

        impl Zero for $name {
            #[inline(always)]
            fn zero() -> Self {
                Self::ZERO
            }

            #[inline(always)]
            fn is_zero(&self) -> bool {
                *self == Self::ZERO
            }
        }

        impl One for $name {
            #[inline(always)]
            fn one() -> Self {
                Self::ONE
            }
        }

        impl Bounded for $name {
            #[inline(always)]
            fn min_value() -> Self {
                -Self::MAX
            }

            #[inline(always)]
            fn max_value() -> Self {
                Self::MAX
            }
        }

        /// ```
        /// use num_traits::Num;
        #[doc = concat!("use gridwright::numbers::", stringify!($name), ";")]
        ///
        /// fn square_plus_one<T: Num + Copy>(x: T) -> T {
        ///     x * x + T::one()
        /// }
        #[doc = concat!("assert_eq!(square_plus_one(", stringify!($name), "::from_f32(3.0)).to_f32(), 10.0);")]
        /// ```
        impl Num for $name {
            type FromStrRadixErr = ParseFloatError;

            fn from_str_radix(text: &str, radix: u32) -> Result<Self, ParseFloatError> {
                <f64 as Num>::from_str_radix(text, radix).map(Self::from_f64)
            }
        }

        impl Signed for $name {
            #[inline(always)]
            fn abs(&self) -> Self {
                Self::abs(*self)
            }

            #[inline(always)]
            fn abs_sub(&self, other: &Self) -> Self {
                if *self <= *other { Self::ZERO } else { *self - *other }
            }

            #[inline(always)]
            fn signum(&self) -> Self {
                FloatCore::signum(*self)
            }

            #[inline(always)]
            fn is_positive(&self) -> bool {
                FloatCore::is_sign_positive(*self)
            }

            #[inline(always)]
            fn is_negative(&self) -> bool {
                Self::is_sign_negative(*self)
            }
        }

        impl ToPrimitive for $name {
            #[inline(always)]
            fn to_i64(&self) -> Option<i64> {
                (*self).to_f32().to_i64()
            }

            #[inline(always)]
            fn to_u64(&self) -> Option<u64> {
                (*self).to_f32().to_u64()
            }

            #[inline(always)]
            fn to_i128(&self) -> Option<i128> {
                (*self).to_f32().to_i128()
            }

            #[inline(always)]
            fn to_u128(&self) -> Option<u128> {
                (*self).to_f32().to_u128()
            }

            #[inline(always)]
            fn to_f32(&self) -> Option<f32> {
                Some(Self::to_f32(*self))
            }

            #[inline(always)]
            fn to_f64(&self) -> Option<f64> {
                Some(Self::to_f64(*self))
            }
        }

        /// Rounded once, to nearest. What is too large is infinite.
        impl FromPrimitive for $name {
            #[inline(always)]
            fn from_i64(value: i64) -> Option<Self> {
                let magnitude = Self::from_f64(sticky(value.unsigned_abs()));
                Some(if value < 0 { -magnitude } else { magnitude })
            }

            #[inline(always)]
            fn from_u64(value: u64) -> Option<Self> {
                Some(Self::from_f64(sticky(value)))
            }

            #[inline(always)]
            fn from_f32(value: f32) -> Option<Self> {
                Some(Self::from_f32(value))
            }

            #[inline(always)]
            fn from_f64(value: f64) -> Option<Self> {
                Some(Self::from_f64(value))
            }
        }

        impl NumCast for $name {
            #[inline(always)]
            fn from<N: ToPrimitive>(value: N) -> Option<Self> {
                value.to_f64().map(Self::from_f64)
            }
        }

        /// ```
        /// use num_traits::float::FloatCore;
        #[doc = concat!("use gridwright::numbers::", stringify!($name), ";")]
        ///
        /// fn largest<T: FloatCore>(x: &[T]) -> T {
        ///     x.iter().fold(T::neg_infinity(), |largest, &x| largest.max(x))
        /// }
        #[doc = concat!("let x = [1.0, 4.0, 2.0].map(", stringify!($name), "::from_f32);")]
        /// assert_eq!(largest(&x).to_f32(), 4.0);
        /// ```
        impl FloatCore for $name {
            #[inline(always)]
            fn infinity() -> Self {
                Self::INFINITY
            }

            #[inline(always)]
            fn neg_infinity() -> Self {
                -Self::INFINITY
            }

            #[inline(always)]
            fn nan() -> Self {
                Self::NAN
            }

            #[inline(always)]
            fn neg_zero() -> Self {
                -Self::ZERO
            }

            #[inline(always)]
            fn min_value() -> Self {
                -Self::MAX
            }

            #[inline(always)]
            fn min_positive_value() -> Self {
                Self::MIN_POSITIVE
            }

            #[inline(always)]
            fn epsilon() -> Self {
                Self::EPSILON
            }

            #[inline(always)]
            fn max_value() -> Self {
                Self::MAX
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                Self::is_nan(self)
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                Self::is_finite(self)
            }

            #[inline(always)]
            fn is_sign_positive(self) -> bool {
                !Self::is_sign_negative(self)
            }

            #[inline(always)]
            fn is_sign_negative(self) -> bool {
                Self::is_sign_negative(self)
            }

            fn classify(self) -> FpCategory {
                if Self::is_nan(self) {
                    FpCategory::Nan
                } else if !Self::is_finite(self) {
                    FpCategory::Infinite
                } else if self == Self::ZERO {
                    FpCategory::Zero
                } else if Self::abs(self) < Self::MIN_POSITIVE {
                    FpCategory::Subnormal
                } else {
                    FpCategory::Normal
                }
            }

            #[inline(always)]
            fn abs(self) -> Self {
                Self::abs(self)
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Self::min(self, other)
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Self::max(self, other)
            }

            // Whole numbers, signs and fractions of one of 16 bits are ones too.
            #[inline(always)]
            fn floor(self) -> Self {
                Self::from_f32(math::floor(self.to_f32()))
            }

            #[inline(always)]
            fn ceil(self) -> Self {
                Self::from_f32(math::ceil(self.to_f32()))
            }

            #[inline(always)]
            fn round(self) -> Self {
                Self::from_f32(math::round(self.to_f32()))
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                Self::from_f32(math::trunc(self.to_f32()))
            }

            #[inline(always)]
            fn fract(self) -> Self {
                self - FloatCore::trunc(self)
            }

            #[inline(always)]
            fn signum(self) -> Self {
                Self::from_f32(math::signum(self.to_f32()))
            }

            #[inline(always)]
            fn recip(self) -> Self {
                Self::ONE / self
            }

            #[inline(always)]
            fn to_degrees(self) -> Self {
                Self::from_f32(math::to_degrees(self.to_f32()))
            }

            #[inline(always)]
            fn to_radians(self) -> Self {
                Self::from_f32(math::to_radians(self.to_f32()))
            }

            fn integer_decode(self) -> (u64, i16, i8) {
                self.to_f32().integer_decode()
            }
        }
    )*};
}

numbers! { F16 Bf16 }
