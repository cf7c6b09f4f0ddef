use super::functions::functions;
use crate::arch::Instructions;

functions! {
    /// Rounding to integers, which are floats still. All exact.
    ///
    /// ```
    /// use gridwright::math::Rounding;
    ///
    /// fn whole<F: Rounding>(x: F) -> F {
    ///     x.floor()
    /// }
    /// assert_eq!(whole(-2.5_f32), -3.0);
    /// ```
    trait Rounding;

    /// The largest integer that isn't above `x`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::floor(-1.5_f32), -2.0);
    /// ```
    ///
    /// # From CUDA
    /// `floorf`, `floor`.
    fn floor(x) -> Self;

    /// The smallest integer that isn't below `x`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::ceil(-1.5_f32), -1.0);
    /// ```
    ///
    /// # From CUDA
    /// `ceilf`, `ceil`.
    fn ceil(x) -> Self;

    /// `x` without its fraction: the integer towards zero.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::trunc(-1.5_f32), -1.0);
    /// ```
    ///
    /// # From CUDA
    /// `truncf`, `trunc`.
    fn trunc(x) -> Self;

    /// The integer nearest to `x`; ties go away from zero.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::round(-2.5_f32), -3.0);
    /// ```
    ///
    /// # From CUDA
    /// `roundf`, `round`.
    fn round(x) -> Self;

    /// The integer nearest to `x`; ties go to the even one.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::round_ties_even(-2.5_f32), -2.0);
    /// ```
    ///
    /// # From CUDA
    /// `rintf`, `rint`; `nearbyintf`, `nearbyint`.
    fn round_ties_even(x) -> Self;

    /// The fraction of `x`: what [`trunc`] takes away, with its sign.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::fract(-1.25_f32), -0.25);
    /// ```
    ///
    /// # From CUDA
    /// `modff`, `modf`, without the integer.
    fn fract(x) -> Self;
}

macro_rules! rounding {
    ($float:ident, $below_half:expr) => {
        impl Rounding for $float {
            #[inline(always)]
            fn floor(self) -> Self {
                Instructions::floor(self)
            }

            #[inline(always)]
            fn ceil(self) -> Self {
                Instructions::ceil(self)
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                Instructions::trunc(self)
            }

            // With half itself, what is just below it would be rounded up to 1 by the addition.
            #[inline(always)]
            fn round(self) -> Self {
                Instructions::trunc(self + $float::copysign($below_half, self))
            }

            #[inline(always)]
            fn round_ties_even(self) -> Self {
                Instructions::round_ties_even(self)
            }

            #[inline(always)]
            fn fract(self) -> Self {
                self - Instructions::trunc(self)
            }
        }
    };
}

rounding!(f32, 0.5_f32.next_down());
rounding!(f64, 0.5_f64.next_down());
