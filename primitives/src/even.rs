//! Bins of a histogram that are equally wide.

use gridwright::prelude::*;

use crate::source::NO_BIN;
use crate::source::argument::argument;

/// A number of which a histogram has equally wide bins: `f32`, `f64`, and integers of up to 64 bits.
///
/// ```
/// use gridwright_primitives::Even;
///
/// let scale = f32::scale(0.0, 1.0, 4);
/// assert_eq!(0.5_f32.bin(0.0, 1.0, 4, scale), 2);
/// ```
pub trait Even: KernelArg {
    /// What is computed once.
    type Scale: KernelArg;

    /// The scale of `bins` bins from `lower` up to `upper`.
    ///
    /// ```
    /// assert_eq!(gridwright_primitives::Even::scale(0.0_f32, 2.0, 4), 2.0);
    /// ```
    fn scale(lower: Self, upper: Self, bins: u32) -> Self::Scale;

    /// The number's bin; the largest number where it is in none, as NaN is.
    ///
    /// ```
    /// use gridwright_primitives::Even;
    ///
    /// let scale = u32::scale(10, 20, 5);
    /// assert_eq!(19_u32.bin(10, 20, 5, scale), 4);
    /// assert_eq!(20_u32.bin(10, 20, 5, scale), u32::MAX);
    /// ```
    fn bin(self, lower: Self, upper: Self, bins: u32, scale: Self::Scale) -> u32;
}

macro_rules! floats {
    ($($float:ty)*) => {$(
        impl Even for $float {
            type Scale = $float;

            fn scale(lower: Self, upper: Self, bins: u32) -> Self {
                bins as Self / (upper - lower)
            }

            #[inline(always)]
            fn bin(self, lower: Self, upper: Self, bins: u32, scale: Self) -> u32 {
                // Rounding may give the bin behind the last.
                let bin = ((self - lower) * scale) as u32;
                if self >= lower && self < upper { bin.min(bins.wrapping_sub(1)) } else { NO_BIN }
            }
        }
    )*};
}

floats!(f32 f64);

// Bins for each step, as a fraction of 64 bits more, rounded up: what that adds to a bin is less than what an element lacks to the next,
// 1 / range. Zero where that is one bin or more.
macro_rules! integers {
    ($($integer:ty, $unsigned:ty, $scale:ty, |$above:ident, $by:ident| $scaled:expr;)*) => {$(
        impl Even for $integer {
            type Scale = $scale;

            fn scale(lower: Self, upper: Self, bins: u32) -> $scale {
                let range = u128::from(upper.wrapping_sub(lower) as $unsigned);
                if u128::from(bins) >= range {
                    return 0;
                }
                let whole = u128::from(bins) << 64;
                let fraction = (whole / range) << 64 | ((whole % range) << 64) / range;
                (fraction >> (128 - <$scale>::BITS)) as $scale + 1
            }

            #[inline(always)]
            fn bin(self, lower: Self, upper: Self, bins: u32, $by: $scale) -> u32 {
                if self < lower || self >= upper {
                    return NO_BIN;
                }
                let $above = u128::from(self.wrapping_sub(lower) as $unsigned);
                if $by == 0 {
                    // At most as many steps as bins.
                    let range = u64::from(upper.wrapping_sub(lower) as $unsigned);
                    return ($above as u64 * u64::from(bins) / range) as u32;
                }
                ($scaled) as u32
            }
        }
    )*};
}

integers! {
    u8, u8, u64, |above, by| (above * u128::from(by)) >> 64;
    i8, u8, u64, |above, by| (above * u128::from(by)) >> 64;
    u16, u16, u64, |above, by| (above * u128::from(by)) >> 64;
    i16, u16, u64, |above, by| (above * u128::from(by)) >> 64;
    u32, u32, u64, |above, by| (above * u128::from(by)) >> 64;
    i32, u32, u64, |above, by| (above * u128::from(by)) >> 64;
    u64, u64, u128, |above, by| (above * (by >> 64) + ((above * (by & u128::from(u64::MAX))) >> 64)) >> 64;
    i64, u64, u128, |above, by| (above * (by >> 64) + ((above * (by & u128::from(u64::MAX))) >> 64)) >> 64;
}

/// The bin of a number, of so many equally wide ones: what [`histogram_even`](crate::Primitives::histogram_even) maps its input by.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::EvenBins;
///
/// let bin = EvenBins::new(10_u32, 20, 5);
/// assert_eq!([bin.call((9,)), bin.call((10,)), bin.call((19,))], [u32::MAX, 0, 4]);
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct EvenBins<T: Even> {
    lower: T,
    upper: T,
    scale: T::Scale,
    bins: u32,
}

argument!([T: Even] EvenBins<T> { lower: T, upper: T, scale: T::Scale, bins: u32 });

impl<T: Even> EvenBins<T> {
    /// A number of bins from `lower` up to `upper`.
    ///
    /// ```
    /// use gridwright::prelude::*;
    /// use gridwright_primitives::EvenBins;
    ///
    /// assert_eq!(EvenBins::new(0.0_f32, 10.0, 5).call((9.0,)), 4);
    /// ```
    pub fn new(lower: T, upper: T, bins: u32) -> Self {
        Self { lower, upper, scale: T::scale(lower, upper, bins), bins }
    }
}

impl<T: Even> Operator<(T,)> for EvenBins<T> {
    type Output = u32;

    #[inline(always)]
    fn call(&self, (x,): (T,)) -> u32 {
        let Self { lower, upper, scale, bins } = *self;
        x.bin(lower, upper, bins, scale)
    }
}
