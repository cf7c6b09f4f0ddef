use core::fmt;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use bytemuck::{Pod, Zeroable};
use gridwright_core::{KernelArg, Layout};

use super::format::{join, split};
use super::scalar::assignments;
use super::{Bf16, F16, Format};
use crate::arch::{Brain, Ieee};

macro_rules! pair {
    ($(#[$doc:meta])* $name:ident: $format:ident of $float:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name(u32);

        // SAFETY: a `u32` and nothing else.
        unsafe impl Zeroable for $name {}
        // SAFETY: any bits are a `u32`, which has no padding.
        unsafe impl Pod for $name {}
        // SAFETY: 1. a `u32` on all targets; 2. of four bytes; 3. its alignment, and what its bytes mean.
        unsafe impl KernelArg for $name {
            const LAYOUT: Layout = Layout::structure(4, 4).field(0, <[$float; 2]>::LAYOUT);
        }

        impl $name {
            /// A pair of two numbers, the first one in the lower half.
            ///
            /// ```
            #[doc = concat!("use gridwright::{", stringify!($float), ", ", stringify!($name), "};")]
            ///
            #[doc = concat!("let pair = ", stringify!($name), "::new([", stringify!($float), "::ZERO, ", stringify!($float), "::ONE]);")]
            /// assert_eq!(pair.to_f32(), [0.0, 1.0]);
            /// ```
            ///
            /// # From CUDA
            /// `__halves2half2`, `__halves2bfloat162`.
            #[inline(always)]
            pub fn new(numbers: [$float; 2]) -> Self {
                Self(join(numbers.map($float::to_bits)))
            }

            /// A pair of one number twice.
            ///
            /// ```
            #[doc = concat!("use gridwright::{", stringify!($float), ", ", stringify!($name), "};")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(", stringify!($float), "::ONE).to_f32(), [1.0, 1.0]);")]
            /// ```
            ///
            /// # From CUDA
            /// `__half2half2`, `__bfloat162bfloat162`.
            #[inline(always)]
            pub fn splat(number: $float) -> Self {
                Self::new([number; 2])
            }

            /// A word taken as two numbers.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_bits(0).to_f32(), [0.0, 0.0]);")]
            /// ```
            #[inline(always)]
            pub const fn from_bits(bits: u32) -> Self {
                Self(bits)
            }

            /// The pair's word.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32([0.0, -0.0]).to_bits(), 0x8000_0000);")]
            /// ```
            #[inline(always)]
            pub const fn to_bits(self) -> u32 {
                self.0
            }

            /// The pair's numbers, the one in the lower half first.
            ///
            /// ```
            #[doc = concat!("use gridwright::{", stringify!($float), ", ", stringify!($name), "};")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32([1.0, 2.0]).to_array()[0], ", stringify!($float), "::ONE);")]
            /// ```
            ///
            /// # From CUDA
            /// `__low2half` and `__high2half`, `__low2bfloat16` and `__high2bfloat16`.
            #[inline(always)]
            pub fn to_array(self) -> [$float; 2] {
                split(self.0).map($float::from_bits)
            }

            /// The pair nearest to two numbers, in one instruction where there is one.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32([0.5, 2.0]).to_f32(), [0.5, 2.0]);")]
            /// ```
            ///
            /// # From CUDA
            /// `__floats2half2_rn`, `__floats2bfloat162_rn`.
            #[inline(always)]
            pub fn from_f32(values: [f32; 2]) -> Self {
                Self($format::pair_from_f32(values))
            }

            /// The pair's numbers in 32 bits.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::default().to_f32(), [0.0, 0.0]);")]
            /// ```
            ///
            /// # From CUDA
            /// `__half22float2`, `__bfloat1622float2`.
            #[inline(always)]
            pub fn to_f32(self) -> [f32; 2] {
                self.to_array().map($float::to_f32)
            }

            /// `self * a + b` of both numbers, each rounded once.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($name), "::from_f32([2.0, 3.0]);")]
            /// assert_eq!(x.mul_add(x, x).to_f32(), [6.0, 12.0]);
            /// ```
            ///
            /// # From CUDA
            /// `__hfma2`.
            #[inline(always)]
            pub fn mul_add(self, a: Self, b: Self) -> Self {
                Self($format::mul_add_pairs(self.0, a.0, b.0))
            }

            /// The pair's numbers without their signs.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32([-2.0, 3.0]).abs().to_f32(), [2.0, 3.0]);")]
            /// ```
            ///
            /// # From CUDA
            /// `__habs2`.
            #[inline(always)]
            pub const fn abs(self) -> Self {
                Self(self.0 & 0x7fff_7fff)
            }

            /// The smaller of each two numbers; where one is NaN, the other, as of single numbers.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("let (x, y) = (", stringify!($name), "::from_f32([1.0, 4.0]), ", stringify!($name), "::from_f32([2.0, 3.0]));")]
            /// assert_eq!(x.min(y).to_f32(), [1.0, 3.0]);
            /// ```
            ///
            /// # From CUDA
            /// `__hmin2`.
            #[inline(always)]
            #[must_use]
            pub fn min(self, other: Self) -> Self {
                Self($format::min_pairs(self.0, other.0))
            }

            /// The greater of each two numbers; where one is NaN, the other, as of single numbers.
            ///
            /// ```
            #[doc = concat!("use gridwright::", stringify!($name), ";")]
            ///
            #[doc = concat!("let (x, y) = (", stringify!($name), "::from_f32([1.0, 4.0]), ", stringify!($name), "::from_f32([2.0, 3.0]));")]
            /// assert_eq!(x.max(y).to_f32(), [2.0, 4.0]);
            /// ```
            ///
            /// # From CUDA
            /// `__hmax2`.
            #[inline(always)]
            #[must_use]
            pub fn max(self, other: Self) -> Self {
                Self($format::max_pairs(self.0, other.0))
            }
        }

        pairwise!($name: $format; Add add add_pairs, Sub sub sub_pairs, Mul mul mul_pairs);
        assignments!($name: AddAssign add_assign +, SubAssign sub_assign -, MulAssign mul_assign *);

        impl Neg for $name {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self(self.0 ^ 0x8000_8000)
            }
        }

        impl PartialEq for $name {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl From<[$float; 2]> for $name {
            #[inline(always)]
            fn from(numbers: [$float; 2]) -> Self {
                Self::new(numbers)
            }
        }

        impl From<$name> for [$float; 2] {
            #[inline(always)]
            fn from(pair: $name) -> Self {
                pair.to_array()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.to_f32()).finish()
            }
        }
    };
}

macro_rules! pairwise {
    ($name:ident: $format:ident; $($operator:ident $method:ident $function:ident),*) => {$(
        impl $operator for $name {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self($format::$function(self.0, other.0))
            }
        }
    )*};
}

pair! {
    /// Two [`F16`] in a word, computed at once.
    ///
    /// One instruction does both on NVIDIA and AMD. Slices of [`F16`] are taken for slices of pairs by `bytemuck::cast_slice`, if they are
    /// aligned to four bytes, as buffers are.
    ///
    /// ```
    /// use gridwright::numbers::F16x2;
    /// use gridwright::prelude::*;
    ///
    /// /// Two elements of y = a·x + y a thread.
    /// #[gpu_kernel(requires = x.len() == y.len())]
    /// fn axpy(t: Thread, a: F16x2, x: &[F16x2], mut y: PerThread<[F16x2]>) {
    ///     if let Some(y) = y.get_mut(t) {
    ///         *y = a.mul_add(x[t.index()], *y);
    ///     }
    /// }
    ///
    /// #[host_only]
    /// fn main() -> Result<(), gridwright::Error> {
    ///     let device = Device::from_env()?;
    ///     let (a, x) = (F16x2::from_f32([2.0, 2.0]), vec![F16x2::from_f32([1.0, 3.0]); 50]);
    ///     let mut y = vec![F16x2::default(); 50];
    ///     axpy::load(&device)?.run(&device, LaunchConfig::threads(50), (a, &x, InOut(&mut y)))?;
    ///     assert_eq!(y[49].to_f32(), [2.0, 6.0]);
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `__half2`.
    F16x2: Ieee of F16
}

pair! {
    /// Two [`Bf16`] in a word. See [`F16x2`]; one instruction does both on NVIDIA from sm_80 on.
    ///
    /// ```
    /// use gridwright::numbers::Bf16x2;
    ///
    /// let x = Bf16x2::from_f32([1.0, 2.0]);
    /// assert_eq!((x + x * x).to_f32(), [2.0, 6.0]);
    /// ```
    ///
    /// # From CUDA
    /// `__nv_bfloat162`.
    Bf16x2: Brain of Bf16
}
