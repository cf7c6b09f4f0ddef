use super::functions::functions;

functions! {
    /// What divisions leave. Exact.
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
    fn rem(x, y: Self) -> Self;

    /// `x - n * y` with the quotient `n` rounded to nearest, ties to even, exactly: C's `remainder`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::remainder(7.5_f32, 2.0), -0.5);
    /// ```
    fn remainder(x, y: Self) -> Self;
}
