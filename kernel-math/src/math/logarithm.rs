use super::functions::functions;

functions! {
    /// Logarithms. Of zeros -∞, of what is below NaN.
    ///
    /// ```
    /// use gridwright::math::Logarithm;
    ///
    /// fn bits<F: Logarithm>(choices: F) -> F {
    ///     choices.log2()
    /// }
    /// assert_eq!(bits(1024.0_f32), 10.0);
    /// ```
    trait Logarithm;

    /// The natural logarithm.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::ln(1.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `logf`, `log`.
    fn ln(x) -> Self;

    /// The logarithm to base 2. Exact of powers of two.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::log2(0.125_f32), -3.0);
    /// ```
    ///
    /// # From CUDA
    /// `log2f`, `log2`.
    fn log2(x) -> Self;

    /// The logarithm to base 10.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::log10(1000.0_f32), 3.0);
    /// ```
    ///
    /// # From CUDA
    /// `log10f`, `log10`.
    fn log10(x) -> Self;

    /// The logarithm to any base, as `ln(x) / ln(base)`: five units in the last place at most, of two logarithms and a division. [`log2`] and [`log10`] are nearer.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::log(9.0_f64, 3.0), 2.0);
    /// ```
    fn log(x, base: Self) -> Self;

    /// `ln(1 + x)`, as exact near zero as elsewhere. Of -1 it is -∞.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::ln_1p(1e-20_f32), 1e-20);
    /// ```
    ///
    /// # From CUDA
    /// `log1pf`, `log1p`.
    fn ln_1p(x) -> Self;
}
