//! The bits that keys are ordered by.

use std::ops::{BitAnd, BitOr, BitXor};

pub(crate) use crate::SortKey as RadixKey;

/// An unsigned integer, as a row of digits.
pub trait Bits:
    Copy + Ord + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// How many bits it has.
    const WIDTH: u32;

    /// No bit.
    const ZERO: Self;

    /// The bits from `low` up to but without `high`.
    fn between(low: u32, high: u32) -> Self;

    /// The bits from `shift` up, as far as they are in `mask`.
    fn digit(self, shift: u32, mask: usize) -> usize;

    /// A digit as the bits from `shift` up.
    fn from_digit(digit: usize, shift: u32) -> Self;

    /// From the lowest bit that is set to the one after the highest; empty where none is.
    fn extent(self) -> std::ops::Range<u32>;
}

macro_rules! bits {
    ($($bits:ty)*) => { $(
        impl Bits for $bits {
            const WIDTH: u32 = <$bits>::BITS;
            const ZERO: Self = 0;

            fn between(low: u32, high: u32) -> Self {
                let below = |bit: u32| <$bits>::MAX.checked_shr(<$bits>::BITS.saturating_sub(bit)).unwrap_or(0);
                below(high) & !below(low)
            }

            #[inline(always)]
            fn digit(self, shift: u32, mask: usize) -> usize {
                (self >> shift) as usize & mask
            }

            fn from_digit(digit: usize, shift: u32) -> Self {
                (digit as Self) << shift
            }

            fn extent(self) -> std::ops::Range<u32> {
                if self == 0 { 0..0 } else { self.trailing_zeros()..<$bits>::BITS - self.leading_zeros() }
            }
        }
    )* };
}
bits!(u8 u16 u32 u64 u128);
