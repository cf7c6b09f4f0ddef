use super::functions::functions;

functions! {
    /// Hyperbolic sine and its kin, and their inverses.
    ///
    /// ```
    /// use gridwright::math::Hyperbolic;
    ///
    /// fn squashed<F: Hyperbolic>(x: F) -> F {
    ///     x.tanh()
    /// }
    /// assert_eq!(squashed(100.0_f32), 1.0);
    /// ```
    trait Hyperbolic;

    /// The hyperbolic sine.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::sinh(0.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `sinhf`, `sinh`.
    fn sinh(x) -> Self;

    /// The hyperbolic cosine.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::cosh(0.0_f32), 1.0);
    /// ```
    ///
    /// # From CUDA
    /// `coshf`, `cosh`.
    fn cosh(x) -> Self;

    /// The hyperbolic tangent.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::tanh(100.0_f32), 1.0);
    /// ```
    ///
    /// # From CUDA
    /// `tanhf`, `tanh`.
    fn tanh(x) -> Self;

    /// The value whose hyperbolic sine is `x`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::asinh(0.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `asinhf`, `asinh`.
    fn asinh(x) -> Self;

    /// The value that is not below zero whose hyperbolic cosine is `x`. NaN below 1.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::acosh(1.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `acoshf`, `acosh`.
    fn acosh(x) -> Self;

    /// The value whose hyperbolic tangent is `x`. ±∞ of ±1, NaN beyond.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::atanh(0.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `atanhf`, `atanh`.
    fn atanh(x) -> Self;
}
