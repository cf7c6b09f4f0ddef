//! Keys that have an order of bits.

use std::ops::{BitAnd, BitOr, BitXor};

/// What a radix sort orders by.
///
/// # Safety
/// The bits of a key are always the same: where an item goes is counted before it goes there.
pub(crate) unsafe trait RadixKey: Copy + Send + Sync {
    /// An unsigned integer as wide as the key.
    type Bits: Bits;

    /// The key's place in the order. Different keys have different bits.
    fn to_bits(self) -> Self::Bits;
}

/// An unsigned integer, as a row of digits.
pub(crate) trait Bits:
    Copy + Ord + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// How many bits it has.
    const WIDTH: u32;

    /// No bit.
    const ZERO: Self;

    /// The bits from `low` up to but without `high`.
    fn between(low: u32, high: u32) -> Self;

    /// Those of the bits from `shift` up that are in `mask`.
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

macro_rules! unsigned {
    ($($key:ty)*) => { $(
        // SAFETY: computed from the key alone.
        unsafe impl RadixKey for $key {
            type Bits = Self;

            #[inline(always)]
            fn to_bits(self) -> Self {
                self
            }
        }
    )* };
}
unsigned!(u8 u16 u32 u64 u128);

macro_rules! signed {
    ($($key:ty: $bits:ty),*) => { $(
        // SAFETY: computed from the key alone.
        unsafe impl RadixKey for $key {
            type Bits = $bits;

            #[inline(always)]
            fn to_bits(self) -> $bits {
                self as $bits ^ <$key>::MIN as $bits
            }
        }
    )* };
}
signed!(i8: u8, i16: u16, i32: u32, i64: u64, i128: u128);

// The order of `total_cmp`: negative numbers have all bits turned, others the sign.
macro_rules! float {
    ($($key:ty: $bits:ty, $signed:ty),*) => { $(
        // SAFETY: computed from the key alone.
        unsafe impl RadixKey for $key {
            type Bits = $bits;

            #[inline(always)]
            fn to_bits(self) -> $bits {
                let bits = <$key>::to_bits(self);
                let negative = (bits as $signed >> (<$bits>::BITS - 1)) as $bits;
                bits ^ (negative | (1 << (<$bits>::BITS - 1)))
            }
        }
    )* };
}
float!(f32: u32, i32, f64: u64, i64);

macro_rules! word {
    ($($key:ty: $bits:ty),*) => { $(
        // SAFETY: computed from the key alone.
        unsafe impl RadixKey for $key {
            type Bits = $bits;

            #[inline(always)]
            fn to_bits(self) -> $bits {
                RadixKey::to_bits(self as $bits)
            }
        }
    )* };
}
#[cfg(target_pointer_width = "64")]
word!(usize: u64);
#[cfg(target_pointer_width = "32")]
word!(usize: u32);

// SAFETY: computed from the key alone.
unsafe impl RadixKey for isize {
    type Bits = <usize as RadixKey>::Bits;

    #[inline(always)]
    fn to_bits(self) -> Self::Bits {
        (self as usize ^ Self::MIN as usize).to_bits()
    }
}

// SAFETY: computed from the key alone.
unsafe impl RadixKey for bool {
    type Bits = u8;

    #[inline(always)]
    fn to_bits(self) -> u8 {
        self.into()
    }
}
