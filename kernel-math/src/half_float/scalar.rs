use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use bytemuck::{Pod, Zeroable};
use gridwright_core::{KernelArg, Kind, Layout};

use super::Format;
use crate::arch::{Brain, Ieee};

macro_rules! operators {
    ($name:ident: $format:ident; $($operator:ident $method:ident),*) => {$(
        impl $operator for $name {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self($format::$method(self.0, other.0))
            }
        }
    )*};
}

macro_rules! assignments {
    ($name:ident: $($operator:ident $method:ident $symbol:tt),*) => {$(
        impl $operator for $name {
            #[inline(always)]
            fn $method(&mut self, other: Self) {
                *self = *self $symbol other;
            }
        }
    )*};
}

pub(super) use assignments;

macro_rules! float {
    (
        $(#[$doc:meta])*
        $name:ident: $format:ident $kind:ident $half:ident;
        $one:literal $max:literal $min_positive:literal $epsilon:literal $infinity:literal $nan:literal $max_f32:literal
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name(u16);

        // SAFETY: a `u16` and nothing else.
        unsafe impl Zeroable for $name {}
        // SAFETY: any bits are a `u16`, which has no padding.
        unsafe impl Pod for $name {}
        // SAFETY: 1. a `u16` on all targets; 2. of two bytes; 3. what its bits mean.
        unsafe impl KernelArg for $name {
            const LAYOUT: Layout = Layout::primitive(Kind::$kind, 2);
        }

        impl $name {
            /// Zero. The constants are shown at the [type](Self).
            pub const ZERO: Self = Self(0);
            /// One.
            pub const ONE: Self = Self($one);
            /// The greatest finite number.
            pub const MAX: Self = Self($max);
            /// The least positive number that has all bits of precision.
            pub const MIN_POSITIVE: Self = Self($min_positive);
            /// How much the least number above 1 is above it.
            pub const EPSILON: Self = Self($epsilon);
            /// Infinity.
            pub const INFINITY: Self = Self($infinity);
            /// Not a number.
            pub const NAN: Self = Self($nan);

            /// The number with these bits.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_bits(", stringify!($one), "), ", stringify!($name), "::ONE);")]
            /// ```
            ///
            /// # From CUDA
            /// `__ushort_as_half`, `__ushort_as_bfloat16`.
            #[inline(always)]
            pub const fn from_bits(bits: u16) -> Self {
                Self(bits)
            }

            /// The number's bits.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::ONE.to_bits(), ", stringify!($one), ");")]
            /// ```
            ///
            /// # From CUDA
            /// `__half_as_ushort`, `__bfloat16_as_ushort`.
            #[inline(always)]
            pub const fn to_bits(self) -> u16 {
                self.0
            }

            /// The number nearest to an `f32`; of two as near it is the one whose last bit is 0. What is too
            /// large becomes infinite.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(1.0 + 1e-5), ", stringify!($name), "::ONE);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(3.4e38), ", stringify!($name), "::INFINITY);")]
            /// ```
            ///
            /// # From CUDA
            /// `__float2half_rn`, `__float2bfloat16_rn`.
            #[inline(always)]
            pub fn from_f32(value: f32) -> Self {
                Self($format::from_f32(value))
            }

            /// The next number from an `f32` towards zero. No finite number becomes infinite.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32_towards_zero(3.4e38), ", stringify!($name), "::MAX);")]
            /// ```
            ///
            /// # From CUDA
            /// `__float2half_rz`, `__float2bfloat16_rz`.
            #[inline(always)]
            pub fn from_f32_towards_zero(value: f32) -> Self {
                Self($format::from_f32_towards_zero(value))
            }

            /// The number nearest to an `f32`, as [`from_f32`](Self::from_f32), but what is too large
            /// becomes the greatest finite number, infinity too. A NaN stays one.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32_saturating(f32::INFINITY), ", stringify!($name), "::MAX);")]
            /// ```
            #[inline(always)]
            pub fn from_f32_saturating(value: f32) -> Self {
                const MOST: f32 = f32::from_bits($max_f32);
                let limited = if value > MOST {
                    MOST
                } else if value < -MOST {
                    -MOST
                } else {
                    value
                };
                Self::from_f32(limited)
            }

            /// The number nearest to an `f64`, rounded once.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f64(0.5).to_f64(), 0.5);")]
            /// ```
            ///
            /// # From CUDA
            /// `__double2half`, `__double2bfloat16`.
            #[inline(always)]
            pub fn from_f64(value: f64) -> Self {
                Self($format::from_f64(value))
            }

            /// The number in 32 bits, unchanged.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::ONE.to_f32(), 1.0);")]
            /// ```
            ///
            /// # From CUDA
            /// `__half2float`, `__bfloat162float`.
            #[inline(always)]
            pub fn to_f32(self) -> f32 {
                $format::to_f32(self.0)
            }

            /// The number in 64 bits, unchanged.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::ONE.to_f64(), 1.0);")]
            /// ```
            #[inline(always)]
            pub fn to_f64(self) -> f64 {
                f64::from(self.to_f32())
            }

            /// `self * a + b`, rounded once.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("let [two, three] = [2.0, 3.0].map(", stringify!($name), "::from_f32);")]
            /// assert_eq!(two.mul_add(three, three).to_f32(), 9.0);
            /// ```
            ///
            /// # From CUDA
            /// `__hfma`.
            #[inline(always)]
            pub fn mul_add(self, a: Self, b: Self) -> Self {
                Self($format::mul_add(self.0, a.0, b.0))
            }

            /// The square root, rounded to nearest.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(9.0).sqrt().to_f32(), 3.0);")]
            /// ```
            ///
            /// # From CUDA
            /// `hsqrt`.
            #[inline(always)]
            pub fn sqrt(self) -> Self {
                Self($format::sqrt(self.0))
            }

            /// The number without its sign.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!((-", stringify!($name), "::ONE).abs(), ", stringify!($name), "::ONE);")]
            /// ```
            ///
            /// # From CUDA
            /// `__habs`.
            #[inline(always)]
            pub const fn abs(self) -> Self {
                Self(self.0 & 0x7fff)
            }

            /// The smaller of both; if one is NaN, the other. Of zeros with both signs it is either,
            /// and of a signalling NaN, which no operation makes, AMD makes a NaN.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::ONE.min(", stringify!($name), "::NAN), ", stringify!($name), "::ONE);")]
            /// ```
            ///
            /// # From CUDA
            /// `__hmin`.
            #[inline(always)]
            #[must_use]
            pub fn min(self, other: Self) -> Self {
                Self($format::min(self.0, other.0))
            }

            /// The greater of both; if one is NaN, the other. Of zeros with both signs it is either,
            /// and of a signalling NaN, which no operation makes, AMD makes a NaN.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::ONE.max(", stringify!($name), "::ZERO), ", stringify!($name), "::ONE);")]
            /// ```
            ///
            /// # From CUDA
            /// `__hmax`.
            #[inline(always)]
            #[must_use]
            pub fn max(self, other: Self) -> Self {
                Self($format::max(self.0, other.0))
            }

            /// Whether the number is NaN.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert!((", stringify!($name), "::ZERO / ", stringify!($name), "::ZERO).is_nan());")]
            /// ```
            ///
            /// # From CUDA
            /// `__hisnan`.
            #[inline(always)]
            pub const fn is_nan(self) -> bool {
                self.0 & 0x7fff > $infinity
            }

            /// Whether the number is neither infinite nor NaN.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($name), "::MAX.is_finite() && !", stringify!($name), "::INFINITY.is_finite());")]
            /// ```
            #[inline(always)]
            pub const fn is_finite(self) -> bool {
                self.0 & 0x7fff < $infinity
            }

            /// Whether the sign is set, that of −0 and NaN too.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert!((-", stringify!($name), "::ZERO).is_sign_negative());")]
            /// ```
            #[inline(always)]
            pub const fn is_sign_negative(self) -> bool {
                self.0 >> 15 == 1
            }
        }

        operators!($name: $format; Add add, Sub sub, Mul mul, Div div);
        assignments!($name: AddAssign add_assign +, SubAssign sub_assign -, MulAssign mul_assign *, DivAssign div_assign /);

        impl Neg for $name {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self(self.0 ^ 0x8000)
            }
        }

        impl PartialEq for $name {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl PartialOrd for $name {
            #[inline(always)]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                self.to_f32().partial_cmp(&other.to_f32())
            }

            #[inline(always)]
            fn lt(&self, other: &Self) -> bool {
                self.to_f32() < other.to_f32()
            }

            #[inline(always)]
            fn le(&self, other: &Self) -> bool {
                self.to_f32() <= other.to_f32()
            }

            #[inline(always)]
            fn gt(&self, other: &Self) -> bool {
                self.to_f32() > other.to_f32()
            }

            #[inline(always)]
            fn ge(&self, other: &Self) -> bool {
                self.to_f32() >= other.to_f32()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }

        impl From<$name> for f32 {
            #[inline(always)]
            fn from(value: $name) -> Self {
                value.to_f32()
            }
        }

        impl From<$name> for f64 {
            #[inline(always)]
            fn from(value: $name) -> Self {
                value.to_f64()
            }
        }

        #[cfg(feature = "half")]
        impl From<half::$half> for $name {
            #[inline(always)]
            fn from(value: half::$half) -> Self {
                Self(value.to_bits())
            }
        }

        #[cfg(feature = "half")]
        impl From<$name> for half::$half {
            #[inline(always)]
            fn from(value: $name) -> Self {
                Self::from_bits(value.0)
            }
        }
    };
}

float! {
    /// A float of 16 bits with 11 of precision, up to 65504: IEEE 754's binary16.
    ///
    /// Its operators are the GPU's instructions, and round once; the CPU computes in 32 bits and rounds as often, so that the bits are the
    /// same. On NVIDIA a product and a sum may be fused, as those of `f32` are. For twice the rate there are pairs, [`F16x2`](crate::F16x2). What a NaN's
    /// bits are is up to the device.
    ///
    /// In memory it is what `f16` of the crate `half` is: with the feature `half` they convert into each other by `From`, and slices by
    /// `bytemuck::cast_slice`, at no cost.
    ///
    /// ```
    /// use gridwright::numbers::F16;
    /// use gridwright::prelude::*;
    ///
    /// #[gpu_kernel(requires = x.len() == y.len())]
    /// fn scale(t: Thread, a: F16, x: &[F16], mut y: PerThread<[F16]>) {
    ///     if let Some(y) = y.get_mut(t) {
    ///         *y += a * x[t.index()];
    ///     }
    /// }
    ///
    /// #[host_only]
    /// fn main() -> Result<(), gridwright::Error> {
    ///     let device = Device::from_env()?;
    ///     let x = vec![F16::from_f32(3.0); 100];
    ///     let mut y = vec![F16::ONE; 100];
    ///     let half = F16::from_f32(0.5);
    ///     scale::load(&device)?.run(&device, LaunchConfig::threads(100), (half, &x, InOut(&mut y)))?;
    ///     assert_eq!(y[99].to_f32(), 2.5);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// Its constants are those of `f32`:
    ///
    /// ```
    /// use gridwright::numbers::F16;
    ///
    /// assert_eq!((F16::ZERO.to_f32(), F16::ONE.to_f32(), F16::MAX.to_f32()), (0.0, 1.0, 65504.0));
    /// assert_eq!((F16::ONE + F16::EPSILON).to_f32(), 1.0 + 1.0 / 1024.0);
    /// assert!(F16::NAN.to_f32().is_nan() && F16::MIN_POSITIVE > F16::ZERO && F16::MAX + F16::MAX == F16::INFINITY);
    /// ```
    ///
    /// # From CUDA
    /// `__half`.
    F16: Ieee Float f16;
    0x3c00 0x7bff 0x0400 0x1400 0x7c00 0x7e00 0x477f_e000
}

float! {
    /// A float of 16 bits with the range of `f32` and 8 bits of precision.
    ///
    /// Its operators round once, to nearest. From sm_80 on NVIDIA has instructions for them, but for quotients and roots; other devices
    /// compute in 32 bits, and [`mul_add`](Self::mul_add) in 64. See [`F16`], of which all else holds too, and [`Bf16x2`](crate::Bf16x2).
    ///
    /// ```
    /// use gridwright::numbers::Bf16;
    ///
    /// let third = Bf16::ONE / Bf16::from_f32(3.0);
    /// assert_eq!(third.to_f32(), 0.333_984_38);
    /// assert_eq!((Bf16::ZERO.to_f32(), Bf16::EPSILON.to_f32()), (0.0, 1.0 / 128.0));
    /// assert!(Bf16::NAN.to_f32().is_nan() && Bf16::MIN_POSITIVE > Bf16::ZERO && Bf16::MAX < Bf16::INFINITY);
    /// ```
    ///
    /// # From CUDA
    /// `__nv_bfloat16`.
    Bf16: Brain BrainFloat bf16;
    0x3f80 0x7f7f 0x0080 0x3c00 0x7f80 0x7fc0 0x7f7f_0000
}
