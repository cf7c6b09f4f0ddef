//! This crate's instances, which are compiled for GPUs too.

use gridwright::prelude::*;
use gridwright_primitives::operators::{Add, Negate};
use gridwright_primitives::source::{Constant, Counting, Enumerate, Gather, Map, Reversed, Slice, Zip};
use gridwright_primitives::{self as primitives, EvenBins, NoValue};

/// What stands for them.
pub(crate) struct Mine;

operator! {
    pub struct Product = |pair: (f32, f32)| -> f32 { pair.0 * pair.1 };

    /// Weights an element by its number.
    pub struct Weighted { pub scale: u64 } = |numbered: (u64, u32)| -> u64 { scale * numbered.0 * u64::from(numbered.1) };

    pub struct Digits = for<T: Into<u64>> |x: T| -> u64 { let x: u64 = x.into(); x % 10 };

    /// By the first of three numbers.
    pub struct ByFirst = |a: [u32; 3], b: [u32; 3]| -> bool { a[0] < b[0] };

    /// No order.
    pub struct Nonsense = |a: u32, b: u32| -> bool { (a ^ b) & 4 == 0 };

    pub struct Both = |all: ((u32, u64), u32)| -> u64 { u64::from(all.0.0) * all.0.1 + u64::from(all.1) };
}

instance! { impl primitives::Reduce<Map<Slice<f32>, Negate>, Add> for Mine; }
instance! { impl primitives::Reduce<Map<Zip<Slice<f32>, Slice<f32>>, Product>, Add> for Mine; }
instance! { impl primitives::Reduce<Map<Enumerate<Reversed<Slice<u32>>>, Weighted>, Add> for Mine; }
instance! { impl primitives::Reduce<Map<Counting, Digits>, Add> for Mine; }
instance! { impl primitives::Reduce<Map<Zip<Zip<Gather<Slice<u32>, Slice<u64>>, Constant<u64>>, Slice<u32>>, Both>, Add> for Mine; }

instance! { impl primitives::Sort<u8, NoValue> for Mine; }
instance! { impl primitives::Sort<f64, [u32; 3]> for Mine; }
instance! { impl primitives::MergeSort<[u32; 3], ByFirst> for Mine; }
instance! { impl primitives::MergeSort<u32, Nonsense> for Mine; }
instance! { impl primitives::Search<Slice<[u32; 3]>, ByFirst> for Mine; }
instance! { impl primitives::Histogram<Map<Slice<i32>, EvenBins<i32>>> for Mine; }
instance! { impl primitives::Histogram<Map<Slice<u32>, EvenBins<u32>>> for Mine; }
