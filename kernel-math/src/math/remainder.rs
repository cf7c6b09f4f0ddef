use super::functions::functions;

functions! {
    /// Remainders of divisions. Exact.
    ///
    /// ```
    /// use gridwright::math::Remainder;
    ///
    /// fn from_nearest<F: Remainder>(x: F, step: F) -> F {
    ///     x.remainder(step)
    /// }
    /// assert_eq!(from_nearest(7.0_f32, 4.0), -1.0);
    /// ```
    trait Remainder;

    /// `x - n * y` with the quotient `n` rounded towards zero, exactly: the operator `%`, C's `fmod`. It has the sign of `x`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::rem(-7.5_f32, 2.0), -1.5);
    /// ```
    ///
    /// # From CUDA
    /// `fmodf`, `fmod`.
    fn rem(x, y: Self) -> Self;

    /// `x - n * y` with the quotient `n` rounded to nearest, ties to even, exactly: C's `remainder`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::remainder(7.5_f32, 2.0), -0.5);
    /// ```
    ///
    /// # From CUDA
    /// `remainderf`, `remainder`.
    fn remainder(x, y: Self) -> Self;

    /// The least `x - n * y` that isn't negative, with a whole `n`: of the remainder of `%` that is exact, to which `y` is added where it is
    /// negative. That sum may round to `y` itself, as std's does.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::rem_euclid(-7.5_f32, 2.0), 0.5);
    /// ```
    fn rem_euclid(x, y: Self) -> Self;

    /// The whole number `n` of [`rem_euclid`], of the rounded quotient `x / y`: as std's, it may be beside the true one where that
    /// isn't a float's.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::div_euclid(-7.5_f32, 2.0), -4.0);
    /// ```
    fn div_euclid(x, y: Self) -> Self;
}

/// The methods `rem_euclid` and `div_euclid`, by what std does.
macro_rules! euclid {
    () => {
        #[inline(always)]
        fn rem_euclid(self, y: Self) -> Self {
            let rest = $crate::math::rem(self, y);
            if rest < 0.0 { rest + y.abs() } else { rest }
        }

        #[inline(always)]
        fn div_euclid(self, y: Self) -> Self {
            let quotient = $crate::math::trunc(self / y);
            match $crate::math::rem(self, y) < 0.0 {
                true if y > 0.0 => quotient - 1.0,
                true => quotient + 1.0,
                false => quotient,
            }
        }
    };
}

pub(super) use euclid;
