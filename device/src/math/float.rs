//! The floats of a kernel that is written for both.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

use gridwright_core::KernelArg;
use gridwright_math::math::{
    Arithmetic, ErrorFunction, Exponential, Gamma, Hyperbolic, Logarithm, Power, Remainder, Rounding,
    Trigonometry,
};

use crate::{ArrayElement, AtomicValue};

/// `f32` and `f64`, for kernels that are generic over the float: operators, all functions of [`math`](crate::math), and numbers.
///
/// ```
/// use gridwright::math::Float;
/// use gridwright::prelude::*;
///
/// /// The logistic function of each element.
/// #[gpu_kernel(instances(f32, f64))]
/// fn logistic<F: Float>(t: Thread, x: &[F], mut y: PerThread<[F]>) {
///     if let Some(y) = y.get_mut(t) {
///         *y = F::of(1.0) / (F::of(1.0) + (-x[t.index()]).exp());
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let mut y = [0.0_f64; 2];
/// let config = LaunchConfig::threads(2);
/// logistic::<f64>::load(&device)?.run(&device, config, (&[0.0, 2.0_f64.ln()], Out(&mut y)))?;
/// assert_eq!(y, [0.5, 2.0 / 3.0]);
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `template <typename T>` of which `T` is `float` or `double`.
pub trait Float:
    KernelArg
    + ArrayElement
    + AtomicValue
    + Debug
    + Default
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
    + Arithmetic
    + ErrorFunction
    + Exponential
    + Gamma
    + Hyperbolic
    + Logarithm
    + Power
    + Remainder
    + Rounding
    + Trigonometry
{
    /// The ratio of a circle's circumference to its diameter.
    const PI: Self;
    /// The difference between 1 and the next greater number.
    const EPSILON: Self;
    /// The greatest finite number.
    const MAX: Self;
    /// The least finite number.
    const MIN: Self;
    /// Positive infinity.
    const INFINITY: Self;
    /// Not a number.
    const NAN: Self;

    /// A number, rounded to nearest: `F::of(0.5)` is the literal.
    ///
    /// ```
    /// use gridwright::math::Float;
    ///
    /// assert_eq!(f32::of(0.1), 0.1_f32);
    /// ```
    fn of(number: f64) -> Self;

    /// A count, rounded to nearest.
    ///
    /// ```
    /// use gridwright::math::Float;
    ///
    /// assert_eq!(f32::of_count(3), 3.0);
    /// ```
    fn of_count(count: usize) -> Self;

    /// The number as an `f64`, exact.
    ///
    /// ```
    /// use gridwright::math::Float;
    ///
    /// assert_eq!(0.25_f32.to_f64(), 0.25);
    /// ```
    fn to_f64(self) -> f64;

    /// Whether it is not a number.
    ///
    /// ```
    /// use gridwright::math::Float;
    ///
    /// assert!(<f32 as Float>::is_nan(f32::NAN));
    /// ```
    fn is_nan(self) -> bool;
}

macro_rules! float {
    ($float:ident) => {
        impl Float for $float {
            const PI: Self = core::$float::consts::PI;
            const EPSILON: Self = Self::EPSILON;
            const MAX: Self = Self::MAX;
            const MIN: Self = Self::MIN;
            const INFINITY: Self = Self::INFINITY;
            const NAN: Self = Self::NAN;

            #[inline(always)]
            fn of(number: f64) -> Self {
                number as Self
            }

            #[inline(always)]
            fn of_count(count: usize) -> Self {
                count as Self
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                self != self
            }
        }
    };
}

float!(f32);
float!(f64);
