use super::functions::functions;

functions! {
    /// The gamma function.
    ///
    /// ```
    /// use gridwright::math::Gamma;
    ///
    /// fn factorial_of_one_less<F: Gamma>(n: F) -> F {
    ///     n.gamma()
    /// }
    /// assert!((factorial_of_one_less(5.0_f64) - 24.0).abs() < 1e-12);
    /// ```
    trait Gamma;

    /// The gamma function, `(x - 1)!` for integers. ±∞ of ±0, NaN of integers below and of -∞.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert!((math::gamma(5.0_f32) - 24.0).abs() < 1e-5);
    /// ```
    ///
    /// # From CUDA
    /// `tgammaf`, `tgamma`.
    fn gamma(x) -> Self;

    /// The natural logarithm of the absolute value of [`gamma`]. ∞ of zero and integers below, and of ±∞.
    ///
    /// ```
    /// use gridwright::math;
    ///
    /// assert_eq!(math::ln_gamma(1.0_f32), 0.0);
    /// ```
    ///
    /// # From CUDA
    /// `lgammaf`, `lgamma`.
    fn ln_gamma(x) -> Self;
}
