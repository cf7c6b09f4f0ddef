//! Elements that cases are made of, and what the standard library computes with them.

use std::fmt::Debug;

use gridwright::prelude::*;
use gridwright_primitives::operators::{Add, Max, Min, Multiply};
use gridwright_primitives::{KeyBits, SortKey};

use super::case::Case;
use crate::random::Random;
use crate::scan_instances::{Affine, Compose, Join, Matrix2, Product, Wide};

/// What is drawn for a case.
pub(crate) trait Element: KernelArg + Debug {
    fn draw(random: &mut Random) -> Self;
}

impl Element for Matrix2 {
    fn draw(random: &mut Random) -> Self {
        random.matrix()
    }
}

impl Element for Affine {
    fn draw(random: &mut Random) -> Self {
        random.affine()
    }
}

impl Element for Wide {
    fn draw(random: &mut Random) -> Self {
        random.wide()
    }
}

impl Element for [u32; 3] {
    fn draw(random: &mut Random) -> Self {
        [random.below(50) as u32, random.next() as u32, random.next() as u32]
    }
}

/// A number: any bits are one.
pub(crate) trait Number: Element + SortKey + PartialEq + PartialOrd + Default {
    const SPECIAL: &'static [Self];
    const ONE: Self;
    /// The first in the order of keys, and the last.
    const ENDS: [Self; 2];
    const IS_FLOAT: bool;

    fn of_small(small: i8) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($integer:ident)*) => {$(
        impl Element for $integer {
            fn draw(random: &mut Random) -> Self {
                (u128::from(random.next()) << 64 | u128::from(random.next())) as Self
            }
        }

        impl Number for $integer {
            const SPECIAL: &'static [Self] = &[0, 1, Self::MAX, Self::MIN, Self::MAX / 2, Self::MAX / 2 + 1];
            const ONE: Self = 1;
            const ENDS: [Self; 2] = [Self::MIN, Self::MAX];
            const IS_FLOAT: bool = false;

            fn of_small(small: i8) -> Self {
                small as Self
            }

            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Element for $float {
            fn draw(random: &mut Random) -> Self {
                Self::from_bits(random.next() as _)
            }
        }

        impl Number for $float {
            const SPECIAL: &'static [Self] = &[
                0.0, -0.0, 1.0, Self::NAN, -Self::NAN, Self::INFINITY, Self::NEG_INFINITY, Self::MIN, Self::MAX,
                Self::MIN_POSITIVE, Self::MIN_POSITIVE / 4.0,
            ];
            const ONE: Self = 1.0;
            const ENDS: [Self; 2] = [Self::from_bits(!0), Self::from_bits(!0 >> 1)];
            const IS_FLOAT: bool = true;

            fn of_small(small: i8) -> Self {
                small.into()
            }

            fn plus(self, other: Self) -> Self {
                self + other
            }

            fn minus(self, other: Self) -> Self {
                self - other
            }

            fn times(self, other: Self) -> Self {
                self * other
            }
        }
    )*};
}

floats!(f32 f64);

/// All bits that a key is ordered by.
pub(crate) fn bits<T: SortKey>(key: T) -> u128 {
    let bits = key.to_bits();
    (0..<T::Bits as KeyBits>::WIDTH).step_by(32).map(|first| u128::from(bits.word(first)) << first).sum()
}

/// Which numbers are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// Of any bits.
    Any,
    /// Any integers, and floats that are small integers, whose sums are exact.
    Small,
    /// Any integers, and floats that are 1 or -1, whose products are exact.
    Signs,
}

impl Case<'_> {
    pub(crate) fn elements<T: Element>(&mut self, len: usize) -> Vec<T> {
        self.random.many(len, T::draw)
    }

    /// Numbers in some distribution.
    pub(crate) fn numbers<T: Number>(&mut self, len: usize, values: Values) -> Vec<T> {
        let values = if T::IS_FLOAT { values } else { Values::Any };
        let one = |random: &mut Random| match values {
            Values::Any if random.below(4) == 0 => T::SPECIAL[random.below(T::SPECIAL.len() as u64) as usize],
            Values::Any => T::draw(random),
            Values::Small => T::of_small(random.below(9) as i8 - 3),
            Values::Signs => T::of_small(1 - 2 * random.below(2) as i8),
        };
        let distinct = self.one_of(&[1, 2, 5, 300, u64::MAX]);
        let mut numbers = match distinct {
            u64::MAX => self.random.many(len, one),
            _ => {
                let few = self.random.many(distinct as usize, one);
                self.random.many(len, |random| few[random.below(distinct) as usize])
            }
        };
        let order = self.one_of(&["any order", "any order", "sorted", "reversed", "nearly sorted"]);
        match order {
            "sorted" => numbers.sort_by_key(|x| bits(*x)),
            "reversed" => numbers.sort_by_key(|x| !bits(*x)),
            "nearly sorted" if len > 0 => {
                numbers.sort_by_key(|x| bits(*x));
                let (a, b) = (self.below(len as u64), self.below(len as u64));
                numbers.swap(a as usize, b as usize);
            }
            _ => {}
        }
        let distinct = if distinct == u64::MAX { "any".into() } else { distinct.to_string() };
        self.note(format_args!("{distinct} {} in {order}", std::any::type_name::<T>()));
        numbers
    }
}

/// An operator whose results are exact, and what the standard library has for it.
pub(crate) trait Exact<T>: Operator<(T, T), Output = T> + Debug {
    const THIS: Self;

    /// What is drawn for it.
    fn draw(case: &mut Case<'_>, len: usize) -> Vec<T>;
    /// What changes nothing.
    fn neutral() -> T;
    fn combine(a: T, b: T) -> T;
}

impl<T: Number> Exact<T> for Add
where
    Add: Operator<(T, T), Output = T>,
{
    const THIS: Self = Add;

    fn draw(case: &mut Case<'_>, len: usize) -> Vec<T> {
        case.numbers(len, Values::Small)
    }

    fn neutral() -> T {
        T::default()
    }

    fn combine(a: T, b: T) -> T {
        a.plus(b)
    }
}

impl<T: Number> Exact<T> for Multiply
where
    Multiply: Operator<(T, T), Output = T>,
{
    const THIS: Self = Multiply;

    fn draw(case: &mut Case<'_>, len: usize) -> Vec<T> {
        case.numbers(len, Values::Signs)
    }

    fn neutral() -> T {
        T::ONE
    }

    fn combine(a: T, b: T) -> T {
        a.times(b)
    }
}

impl<T: Number> Exact<T> for Min
where
    Min: Operator<(T, T), Output = T>,
{
    const THIS: Self = Min;

    fn draw(case: &mut Case<'_>, len: usize) -> Vec<T> {
        case.numbers(len, Values::Any)
    }

    fn neutral() -> T {
        T::ENDS[1]
    }

    fn combine(a: T, b: T) -> T {
        std::cmp::min_by_key(a, b, |x| bits(*x))
    }
}

impl<T: Number> Exact<T> for Max
where
    Max: Operator<(T, T), Output = T>,
{
    const THIS: Self = Max;

    fn draw(case: &mut Case<'_>, len: usize) -> Vec<T> {
        case.numbers(len, Values::Any)
    }

    fn neutral() -> T {
        T::ENDS[0]
    }

    fn combine(a: T, b: T) -> T {
        std::cmp::max_by_key(a, b, |x| bits(*x))
    }
}

macro_rules! structs {
    ($($operator:ident $struct:ident $neutral:expr;)*) => {$(
        impl Exact<$struct> for $operator {
            const THIS: Self = $operator;

            fn draw(case: &mut Case<'_>, len: usize) -> Vec<$struct> {
                case.elements(len)
            }

            fn neutral() -> $struct {
                $neutral
            }

            fn combine(a: $struct, b: $struct) -> $struct {
                $operator.call((a, b))
            }
        }
    )*};
}

structs! {
    Product Matrix2 Matrix2 { rows: [1, 0, 0, 1] };
    Compose Affine Affine { a: 1, b: 0, calls: 0 };
    Join Wide Wide { first: 0, last: 0, sums: [0; 7] };
}
