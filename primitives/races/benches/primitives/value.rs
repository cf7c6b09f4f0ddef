//! The types of the elements.

use std::cmp::Ordering;

use bytemuck::Pod;
use gridwright::prelude::*;
use rdst::RadixKey;
use voracious_radix_sort::{RadixSort, Radixable};

use crate::loops::{CountingLoop, Loops};

/// A key and a value, side by side.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, KernelArg, PartialEq)]
#[expect(unreachable_pub, reason = "instances name it in what they make public")]
pub struct Pair {
    pub key: u32,
    pub value: u32,
}

/// An element of the arrays that algorithms work on.
pub(crate) trait Value: Pod + PartialEq + Default + Send + Sync + RadixKey + Loops + Sized {
    const NAME: &str;

    /// Whether values that differ may have the same place in the [order](Self::order) of sorts.
    const HAS_TIES: bool = false;

    /// Any value, but no NaN and no zero with a sign.
    fn any(random: &mut Random) -> Self;

    /// One of few: 16 integers from 0 on, or a float from -1 up to 1. Sums of many are in range.
    fn small(random: &mut Random) -> Self;

    /// One of two.
    fn either(random: &mut Random) -> Self;

    /// What about half of the small values are less than.
    fn half() -> Self;

    fn plus(self, other: Self) -> Self;

    /// Whether it is less, where a selection compares.
    fn is_below(self, limit: Self) -> bool;

    /// The order of sorts.
    fn order(&self, other: &Self) -> Ordering;

    /// Whether the sum of so many [small](Self::small) numbers may come out as another.
    fn is_close(self, other: Self, _len: usize) -> bool {
        self == other
    }

    /// A number that differs where values do.
    fn bits(&self) -> u64;

    /// Sorts by the crate `voracious_radix_sort`.
    fn sort_voraciously(x: &mut [Self], threads: usize);
}

/// A value that histograms count.
pub(crate) trait Number: Value + CountingLoop {
    /// A number from 0 up to `limit`.
    fn below(random: &mut Random, limit: u32) -> Self;

    fn of(number: u32) -> Self;
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Value for $type {
            const NAME: &str = stringify!($type);

            fn any(random: &mut Random) -> Self {
                random.next() as $type
            }

            fn small(random: &mut Random) -> Self {
                random.next() as $type % 16
            }

            fn either(random: &mut Random) -> Self {
                random.next() as $type % 2
            }

            fn half() -> Self {
                8
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn is_below(self, limit: Self) -> bool {
                self < limit
            }

            #[inline(always)]
            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }

            fn bits(&self) -> u64 {
                u64::from(*self)
            }

            fn sort_voraciously(x: &mut [Self], threads: usize) {
                x.voracious_mt_sort(threads);
            }
        }

        impl Number for $type {
            fn below(random: &mut Random, limit: u32) -> Self {
                random.next() as $type % Self::from(limit)
            }

            fn of(number: u32) -> Self {
                number.into()
            }
        }
    )*};
}

macro_rules! floats {
    ($($type:ident)*) => {$(
        impl Value for $type {
            const NAME: &str = stringify!($type);

            fn any(random: &mut Random) -> Self {
                Self::small(random) * 1e6
            }

            fn small(random: &mut Random) -> Self {
                // Halves between integers are never zero, and exact.
                ((random.next() >> 43) as $type + 0.5) / (1 << 20) as $type - 1.0
            }

            fn either(random: &mut Random) -> Self {
                (random.next() % 2) as $type
            }

            fn half() -> Self {
                0.0
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn is_below(self, limit: Self) -> bool {
                self < limit
            }

            #[inline(always)]
            fn order(&self, other: &Self) -> Ordering {
                self.total_cmp(other)
            }

            /// A sum of n such numbers is about √n, and n rounding errors of it are a random walk, too.
            fn is_close(self, other: Self, len: usize) -> bool {
                (self - other).abs() <= 4.0 * Self::EPSILON * (16 + len) as Self
            }

            fn bits(&self) -> u64 {
                self.to_bits().into()
            }

            fn sort_voraciously(x: &mut [Self], threads: usize) {
                x.voracious_mt_sort(threads);
            }
        }

        impl Number for $type {
            fn below(random: &mut Random, limit: u32) -> Self {
                (random.next() >> 44) as $type * (limit as $type / (1 << 20) as $type)
            }

            fn of(number: u32) -> Self {
                number as $type
            }
        }
    )*};
}

integers! { u32 u64 }
floats! { f32 f64 }

impl Value for Pair {
    const NAME: &str = "pairs";
    const HAS_TIES: bool = true;

    fn any(random: &mut Random) -> Self {
        Self { key: random.next() as u32, value: random.next() as u32 }
    }

    fn small(random: &mut Random) -> Self {
        Self { key: u32::small(random), value: u32::small(random) }
    }

    fn either(random: &mut Random) -> Self {
        Self { key: u32::either(random), value: 1 }
    }

    fn half() -> Self {
        Self { key: 8, value: 0 }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { key: self.key.wrapping_add(other.key), value: self.value.wrapping_add(other.value) }
    }

    #[inline(always)]
    fn is_below(self, limit: Self) -> bool {
        self.key < limit.key
    }

    #[inline(always)]
    fn order(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }

    fn bits(&self) -> u64 {
        u64::from(self.key) << 32 | u64::from(self.value)
    }

    fn sort_voraciously(x: &mut [Self], threads: usize) {
        x.voracious_mt_sort(threads);
    }
}

impl RadixKey for Pair {
    const LEVELS: usize = 4;

    #[inline]
    fn get_level(&self, level: usize) -> u8 {
        self.key.get_level(level)
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.key.partial_cmp(&other.key)
    }
}

impl Radixable<u32> for Pair {
    type Key = u32;

    #[inline]
    fn key(&self) -> u32 {
        self.key
    }
}

/// SplitMix64, of Steele, Lea and Flood: the same numbers in each run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
