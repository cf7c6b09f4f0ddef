//! What a row gives, as words that can be compared.

use core::cmp::Ordering;
use core::num::FpCategory;

/// Words of an answer: the value's, of which there are two if it has 128 bits, and then what else there is.
pub(crate) type Words = [u64; 3];

/// A value of a row.
pub(crate) trait Answer {
    fn words(self) -> Words;
}

macro_rules! integers {
    ($($number:ty)*) => {$(
        impl Answer for $number {
            #[inline(always)]
            fn words(self) -> Words {
                [self as u64, 0, 0]
            }
        }

        impl Answer for ($number, $number) {
            #[inline(always)]
            fn words(self) -> Words {
                [self.0 as u64, self.1 as u64, 0]
            }
        }

        impl Answer for ($number, bool) {
            #[inline(always)]
            fn words(self) -> Words {
                [self.0 as u64, self.1.into(), 0]
            }
        }

        impl Answer for Option<$number> {
            #[inline(always)]
            fn words(self) -> Words {
                match self {
                    Some(value) => [value as u64, 1, 0],
                    None => [0, 0, 0],
                }
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

macro_rules! wide {
    ($($number:ty)*) => {$(
        impl Answer for $number {
            #[inline(always)]
            fn words(self) -> Words {
                [self as u64, (self >> 64) as u64, 0]
            }
        }

        /// The second one's words are mixed: there is no more room.
        impl Answer for ($number, $number) {
            #[inline(always)]
            fn words(self) -> Words {
                [self.0 as u64, (self.0 >> 64) as u64, (self.1 as u64) ^ ((self.1 >> 64) as u64).rotate_left(17)]
            }
        }

        impl Answer for ($number, bool) {
            #[inline(always)]
            fn words(self) -> Words {
                [self.0 as u64, (self.0 >> 64) as u64, self.1.into()]
            }
        }

        impl Answer for Option<$number> {
            #[inline(always)]
            fn words(self) -> Words {
                match self {
                    Some(value) => [value as u64, (value >> 64) as u64, 1],
                    None => [0, 0, 0],
                }
            }
        }
    )*};
}

wide! { u128 i128 }

/// All NaNs are one.
impl Answer for f32 {
    #[inline(always)]
    fn words(self) -> Words {
        [if self.is_nan() { 0x7fc0_0000 } else { self.to_bits().into() }, 0, 0]
    }
}

impl Answer for f64 {
    #[inline(always)]
    fn words(self) -> Words {
        [if self.is_nan() { 0x7ff8_0000_0000_0000 } else { self.to_bits() }, 0, 0]
    }
}

impl Answer for bool {
    #[inline(always)]
    fn words(self) -> Words {
        [self.into(), 0, 0]
    }
}

impl Answer for char {
    #[inline(always)]
    fn words(self) -> Words {
        [u32::from(self).into(), 0, 0]
    }
}

impl Answer for Option<char> {
    #[inline(always)]
    fn words(self) -> Words {
        self.map(u32::from).words()
    }
}

impl Answer for Ordering {
    #[inline(always)]
    fn words(self) -> Words {
        [(self as i8 + 1) as u64, 0, 0]
    }
}

impl Answer for Option<Ordering> {
    #[inline(always)]
    fn words(self) -> Words {
        self.map(|order| order as i8).words()
    }
}

impl Answer for FpCategory {
    #[inline(always)]
    fn words(self) -> Words {
        let number = match self {
            Self::Nan => 0,
            Self::Infinite => 1,
            Self::Zero => 2,
            Self::Subnormal => 3,
            Self::Normal => 4,
        };
        [number, 0, 0]
    }
}
