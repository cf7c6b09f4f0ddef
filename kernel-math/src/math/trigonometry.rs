use super::functions::functions;

functions! {
    /// Sine and its kin, over the whole range of arguments, and their inverses.
    ///
    /// ```
    /// use gridwright::math::Trigonometry;
    ///
    /// fn on_the_circle<F: Trigonometry>(angle: F) -> (F, F) {
    ///     angle.sin_cos()
    /// }
    /// assert_eq!(on_the_circle(0.0_f32), (0.0, 1.0));
    /// ```
    trait Trigonometry;

    /// The sine of an angle in radians.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::sin(0.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `sinf`, `sin`.
    fn sin(x) -> Self;

    /// The cosine of an angle in radians.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::cos(0.0_f32), 1.0);
    /// ```
    ///
    /// # From CUDA
    /// `cosf`, `cos`.
    fn cos(x) -> Self;

    /// The sine and the cosine of an angle in radians, for little more than one of them.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::sin_cos(0.0_f32), (0.0, 1.0));
    /// ```
    ///
    /// # From CUDA
    /// `sincosf`, `sincos`.
    fn sin_cos(x) -> (Self, Self);

    /// The tangent of an angle in radians.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::tan(0.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `tanf`, `tan`.
    fn tan(x) -> Self;

    /// The sine of π times `x`. Exact zeros at integers.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::sin_pi(0.5_f32), 1.0);
    /// ```
    ///
    /// # From CUDA
    /// `sinpif`, `sinpi`.
    fn sin_pi(x) -> Self;

    /// The cosine of π times `x`. Exact zeros between integers.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::cos_pi(1.0_f32), -1.0);
    /// ```
    ///
    /// # From CUDA
    /// `cospif`, `cospi`.
    fn cos_pi(x) -> Self;

    /// The angle from -π/2 to π/2 whose sine is `x`. NaN beyond ±1.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::asin(0.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `asinf`, `asin`.
    fn asin(x) -> Self;

    /// The angle from 0 to π whose cosine is `x`. NaN beyond ±1.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::acos(1.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `acosf`, `acos`.
    fn acos(x) -> Self;

    /// The angle from -π/2 to π/2 whose tangent is `x`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::atan(0.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `atanf`, `atan`.
    fn atan(x) -> Self;

    /// The angle from -π to π of the point (`x`, `y`): `atan2(y, x)`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::atan2(0.0_f32, 1.0), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `atan2f`, `atan2`.
    fn atan2(y, x: Self) -> Self;
}
