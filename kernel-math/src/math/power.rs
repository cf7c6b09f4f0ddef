use super::functions::functions;

functions! {
    /// Powers and roots.
    ///
    /// ```
    /// use gridwright::math::Power;
    ///
    /// fn edge<F: Power>(volume: F) -> F {
    ///     volume.cbrt()
    /// }
    /// assert_eq!(edge(27.0_f32), 3.0);
    /// ```
    trait Power;

    /// `x` to the power of `y`. As C's `pow`: `x` to the power of ±0 and 1 to the power of anything are 1, even of NaN; below zero `y` has to be an integer.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::powf(-2.0_f32, 3.0), -8.0);
    /// ```
    ///
    /// # From CUDA
    /// `powf`, `pow`.
    fn powf(x, y: Self) -> Self;

    /// `x` to the power of an integer, by repeated squaring: a constant `n` costs few multiplications. Each rounds, so that the error grows with `n`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::powi(2.0_f32, -2), 0.25);
    /// ```
    fn powi(x, n: i32) -> Self;

    /// The cube root, with the sign of `x`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::cbrt(-27.0_f32), -3.0);
    /// ```
    ///
    /// # From CUDA
    /// `cbrtf`, `cbrt`.
    fn cbrt(x) -> Self;

    /// The square root of `x² + y²`, without overflow on the way. Infinite if one is infinite, the other NaN or not.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::hypot(3.0_f32, 4.0), 5.0);
    /// ```
    ///
    /// # From CUDA
    /// `hypotf`, `hypot`.
    fn hypot(x, y: Self) -> Self;

    /// `1 / sqrt(x)`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::rsqrt(4.0_f32), 0.5);
    /// ```
    ///
    /// # From CUDA
    /// `rsqrtf`, `rsqrt`.
    fn rsqrt(x) -> Self;

    /// `1 / cbrt(x)`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::rcbrt(8.0_f32), 0.5);
    /// ```
    ///
    /// # From CUDA
    /// `rcbrtf`, `rcbrt`.
    fn rcbrt(x) -> Self;
}
