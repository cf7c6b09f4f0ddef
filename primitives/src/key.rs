//! Keys that a radix sort orders.

use gridwright::prelude::*;

#[cfg(not(gridwright_device))]
use crate::cpu::Bits;

/// What the CPU's sorts need; GPUs' don't.
#[cfg(gridwright_device)]
pub trait Bits {}

#[cfg(gridwright_device)]
impl<T> Bits for T {}

/// A key that sorts order by bits: all integers; `f32` and `f64` in the order of `total_cmp`, which has a place for each NaN: those with
/// the sign come first, the others last, and -0 is before +0.
///
/// A struct is one where a program says what bits of it count:
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_primitives::SortKey;
///
/// #[derive(Clone, Copy, KernelArg)]
/// #[repr(C)]
/// struct Card {
///     suit: u32,
///     rank: u32,
/// }
///
/// // SAFETY: computed from the key alone.
/// unsafe impl SortKey for Card {
///     type Bits = u64;
///
///     fn to_bits(self) -> u64 {
///         u64::from(self.suit) << 32 | u64::from(self.rank)
///     }
/// }
/// assert!(Card { suit: 1, rank: 0 }.to_bits() > Card { suit: 0, rank: 9 }.to_bits());
/// ```
///
/// # Safety
/// The bits of a key are always the same: elements are counted by them, and go where the counts say.
pub unsafe trait SortKey: KernelArg {
    /// An unsigned integer.
    type Bits: KeyBits;

    /// What the keys are ordered by.
    ///
    /// ```
    /// use gridwright_primitives::SortKey;
    ///
    /// assert!(SortKey::to_bits(-1.0_f32) < SortKey::to_bits(-0.0_f32));
    /// assert!(SortKey::to_bits(f32::INFINITY) < SortKey::to_bits(f32::NAN));
    /// ```
    fn to_bits(self) -> Self::Bits;
}

/// An unsigned integer, as a row of digits: `u8` to `u128`.
///
/// ```
/// use gridwright_primitives::KeyBits;
///
/// assert_eq!(0xabcd_u16.word(8), 0xab);
/// ```
pub trait KeyBits: KernelArg + Bits {
    /// How many bits it has.
    ///
    /// ```
    /// assert_eq!(<u16 as gridwright_primitives::KeyBits>::WIDTH, 16);
    /// ```
    const WIDTH: u32;

    /// The bits from one on, as many as a `u32` has.
    ///
    /// ```
    /// use gridwright_primitives::KeyBits;
    ///
    /// assert_eq!(0x1234_5678_9abc_u64.word(16), 0x1234_5678);
    /// ```
    fn word(self, first: u32) -> u32;
}

macro_rules! unsigned {
    ($($bits:ty)*) => {$(
        impl KeyBits for $bits {
            const WIDTH: u32 = <$bits>::BITS;

            #[inline(always)]
            fn word(self, first: u32) -> u32 {
                (self >> (first % <$bits>::BITS)) as u32
            }
        }

        // SAFETY: computed from the key alone.
        unsafe impl SortKey for $bits {
            type Bits = Self;

            #[inline(always)]
            fn to_bits(self) -> Self {
                self
            }
        }
    )*};
}

unsigned!(u8 u16 u32 u64 u128);

macro_rules! signed {
    ($($key:ty: $bits:ty),*) => {$(
        // SAFETY: computed from the key alone.
        unsafe impl SortKey for $key {
            type Bits = $bits;

            #[inline(always)]
            fn to_bits(self) -> $bits {
                self as $bits ^ <$key>::MIN as $bits
            }
        }
    )*};
}

signed!(i8: u8, i16: u16, i32: u32, i64: u64, i128: u128, isize: u64);

// SAFETY: computed from the key alone.
unsafe impl SortKey for usize {
    type Bits = u64;

    #[inline(always)]
    fn to_bits(self) -> u64 {
        self as u64
    }
}

// The order of `total_cmp`: negative numbers have all bits turned, others the sign.
macro_rules! float {
    ($($key:ty: $bits:ty, $signed:ty),*) => {$(
        // SAFETY: computed from the key alone.
        unsafe impl SortKey for $key {
            type Bits = $bits;

            #[inline(always)]
            fn to_bits(self) -> $bits {
                let bits = <$key>::to_bits(self);
                let negative = (bits as $signed >> (<$bits>::BITS - 1)) as $bits;
                bits ^ (negative | (1 << (<$bits>::BITS - 1)))
            }
        }
    )*};
}

float!(f32: u32, i32, f64: u64, i64);
