use super::functions::functions;

functions! {
    /// Powers of constants.
    ///
    /// ```
    /// use gridwright::math::Exponential;
    ///
    /// fn after<F: Exponential>(minus_half_lives: F) -> F {
    ///     minus_half_lives.exp2()
    /// }
    /// assert_eq!(after(-3.0_f32), 0.125);
    /// ```
    trait Exponential;

    /// e to the power of `x`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::exp(0.0_f32), 1.0);
    /// ```
    ///
    /// # From CUDA
    /// `expf`, `exp`.
    fn exp(x) -> Self;

    /// Two to the power of `x`. Exact where `x` is an integer.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::exp2(-3.0_f32), 0.125);
    /// ```
    ///
    /// # From CUDA
    /// `exp2f`, `exp2`.
    fn exp2(x) -> Self;

    /// Ten to the power of `x`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::exp10(2.0_f32), 100.0);
    /// ```
    ///
    /// # From CUDA
    /// `exp10f`, `exp10`.
    fn exp10(x) -> Self;

    /// `exp(x) - 1`, as exact near zero as elsewhere.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::exp_m1(1e-20_f32), 1e-20);
    /// ```
    ///
    /// # From CUDA
    /// `expm1f`, `expm1`.
    fn exp_m1(x) -> Self;
}
