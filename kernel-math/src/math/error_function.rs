use super::functions::functions;

functions! {
    /// The error function and the normal distribution.
    ///
    /// ```
    /// use gridwright::math::ErrorFunction;
    ///
    /// fn below<F: ErrorFunction>(deviations: F) -> F {
    ///     deviations.norm_cdf()
    /// }
    /// assert_eq!(below(0.0_f32), 0.5);
    /// ```
    trait ErrorFunction;

    /// The error function: 2/√π times the integral of exp(-t²) from 0 to `x`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::erf(10.0_f32), 1.0);
    /// ```
    ///
    /// # From CUDA
    /// `erff`, `erf`.
    fn erf(x) -> Self;

    /// `1 - erf(x)`, without cancellation.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::erfc(0.0_f32), 1.0);
    /// ```
    ///
    /// # From CUDA
    /// `erfcf`, `erfc`.
    fn erfc(x) -> Self;

    /// The value whose [`erf`] is `x`. ±∞ of ±1, NaN beyond.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::erf_inv(0.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `erfinvf`, `erfinv`.
    fn erf_inv(x) -> Self;

    /// The value whose [`erfc`] is `x`. ∞ of 0, -∞ of 2, NaN beyond.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::erfc_inv(1.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `erfcinvf`, `erfcinv`.
    fn erfc_inv(x) -> Self;

    /// How likely a standard normal variable is to be below `x`.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::norm_cdf(0.0_f32), 0.5);
    /// ```
    ///
    /// # From CUDA
    /// `normcdff`, `normcdf`.
    fn norm_cdf(x) -> Self;

    /// The value whose [`norm_cdf`] is `x`. -∞ of 0, ∞ of 1, NaN beyond.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::norm_cdf_inv(0.5_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `normcdfinvf`, `normcdfinv`.
    fn norm_cdf_inv(x) -> Self;
}
