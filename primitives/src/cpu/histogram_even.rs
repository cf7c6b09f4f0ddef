//! Histograms of bins that are equally wide.

use crate::cpu::histogram::histogram;
use crate::cpu::index::Index;
use crate::cpu::{Read, Workers};

/// A number of which there are equally wide bins.
pub(crate) trait Even: Copy + Send + Sync {
    /// What is computed once.
    type Scale: Copy + Sync;

    /// The scale of `bins` bins from `lower` to `upper`.
    fn scale(lower: Self, upper: Self, bins: usize) -> Self::Scale;

    /// The bin of a number; the largest number if it is in none.
    fn bin(self, lower: Self, upper: Self, bins: usize, scale: Self::Scale) -> usize;
}

macro_rules! floats {
    ($($float:ty)*) => {
        $(impl Even for $float {
            type Scale = $float;

            #[inline(always)]
            fn scale(lower: Self, upper: Self, bins: usize) -> Self {
                bins as Self / (upper - lower)
            }

            #[inline(always)]
            fn bin(self, lower: Self, upper: Self, bins: usize, scale: Self) -> usize {
                // Rounding may give the bin behind the last. The numbers of bins fit 32 bits, to which vectors convert.
                let bin = ((self - lower) * scale) as u32 as usize;
                if self >= lower && self < upper { bin.min(bins.wrapping_sub(1)) } else { usize::MAX }
            }
        })*
    };
}

floats!(f32 f64);

/// Bins for each step of an integer, as a fraction of so many bits and one. 0 where that is one bin or more.
#[derive(Clone, Copy)]
pub(crate) struct Fraction<K>(K);

macro_rules! integers {
    ($($integer:ty, $unsigned:ty, $fraction:ty, |$above:ident, $scale:ident| $scaled:expr);*) => {
        $(impl Even for $integer {
            type Scale = Fraction<$fraction>;

            #[inline(always)]
            fn scale(lower: Self, upper: Self, bins: usize) -> Self::Scale {
                let range = u128::from(upper.wrapping_sub(lower) as $unsigned);
                if bins as u128 >= range {
                    return Fraction(0);
                }
                // Rounded up: what that adds to a bin is less than what an element lacks to the next, 1 / range.
                let (whole, remains) = (((bins as u128) << 64) / range, ((bins as u128) << 64) % range);
                let next = (remains << 64) / range;
                Fraction(((whole << 64 | next) >> (128 - <$fraction>::BITS)) as $fraction + 1)
            }

            #[inline(always)]
            fn bin(self, lower: Self, upper: Self, bins: usize, scale: Self::Scale) -> usize {
                if self < lower || self >= upper {
                    return usize::MAX;
                }
                let $above = u128::from(self.wrapping_sub(lower) as $unsigned);
                if scale.0 == 0 {
                    let range = u128::from(upper.wrapping_sub(lower) as $unsigned);
                    return ($above * bins as u128 / range) as usize;
                }
                let $scale = scale.0;
                $scaled as usize
            }
        })*
    };
}

integers! {
    u8, u8, u64, |above, scale| (above * u128::from(scale)) >> 64;
    i8, u8, u64, |above, scale| (above * u128::from(scale)) >> 64;
    u16, u16, u64, |above, scale| (above * u128::from(scale)) >> 64;
    i16, u16, u64, |above, scale| (above * u128::from(scale)) >> 64;
    u32, u32, u64, |above, scale| (above * u128::from(scale)) >> 64;
    i32, u32, u64, |above, scale| (above * u128::from(scale)) >> 64;
    u64, u64, u128, |above, scale| high(above, scale);
    i64, u64, u128, |above, scale| high(above, scale)
}

/// The high 64 bits of the product of 64 bits and 128.
#[inline(always)]
fn high(above: u128, scale: u128) -> u128 {
    (above * (scale >> 64) + ((above * (scale & u128::from(u64::MAX))) >> 64)) >> 64
}

/// Adds to count `i` of n how many elements are in the i-th of n equally wide parts of what is from `lower` to below `upper`. NaN is in none.
/// There are less than 2³² bins.
///
/// # Safety
/// The input has `len` elements.
pub(crate) unsafe fn histogram_even<I: Read<Item: Even>, C: Index>(
    workers: Workers,
    input: I,
    len: usize,
    lower: I::Item,
    upper: I::Item,
    counts: &mut [C],
) {
    let bins = counts.len();
    let scale = I::Item::scale(lower, upper, bins);
    // SAFETY: within the input.
    let bin = |i| unsafe { input.get(i) }.bin(lower, upper, bins, scale);
    // SAFETY: as the caller says.
    unsafe { histogram(workers, len, bin, counts) };
}
