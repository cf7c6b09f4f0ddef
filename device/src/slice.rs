//! Reads of slices beyond their end.

/// The method `x.get_or(i, default)` of slices, which matrices and volumes have, too.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// The mean of an element and its neighbours; beyond the ends counts as zero.
/// #[gpu_kernel]
/// fn smooth(t: Thread, x: &[f32], mut y: PerThread<[f32]>) {
///     let i = t.index();
///     if let Some(y) = y.get_mut(t) {
///         *y = (x.get_or(i.wrapping_sub(1), 0.0) + x[i] + x.get_or(i + 1, 0.0)) / 3.0;
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let mut y = [0.0; 4];
/// let config = LaunchConfig::threads(4);
/// smooth::load(&device)?.run(&device, config, (&[3.0, 6.0, 9.0, 12.0], Out(&mut y)))?;
/// assert_eq!(y, [3.0, 6.0, 9.0, 7.0]);
/// # Ok(())
/// # }
/// ```
pub trait GetOr {
    /// The type of the slice's elements.
    type Element;

    /// The slice's element at `index`, or `default` beyond the end.
    ///
    /// ```
    /// use gridwright::memory::GetOr;
    ///
    /// assert_eq!([1, 2].get_or(1, 0), 2);
    /// assert_eq!([1, 2].get_or(2, 0), 0);
    /// ```
    ///
    /// # From CUDA
    /// `i < n ? x[i] : value`.
    fn get_or(&self, index: usize, default: Self::Element) -> Self::Element;
}

impl<T: Copy> GetOr for [T] {
    type Element = T;

    #[inline(always)]
    fn get_or(&self, index: usize, default: T) -> T {
        match self.get(index) {
            Some(&element) => element,
            None => default,
        }
    }
}
