//! The library's own instances.

use gridwright::prelude::*;

use crate::operators::{Add, Equal, Max, Min, Subtract};
use crate::source::{Constant, Slice, Zip};

/// The library's instances: of numbers, and of the [operators](crate::operators) that most need.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

instance! { impl crate::Reduce<Slice<u32>, Add> for Standard; }
instance! { impl crate::Reduce<Slice<f32>, Add> for Standard; }
instance! { impl crate::Reduce<Slice<u32>, Max> for Standard; }
instance! { impl crate::Reduce<Slice<u32>, Min> for Standard; }

instance! { impl crate::Scan<Slice<u32>, Add> for Standard; }
instance! { impl crate::Select<Slice<u32>, crate::First<Equal>> for Standard; }
instance! { impl crate::Select<Zip<Slice<u32>, Slice<u8>>, crate::Flagged> for Standard; }
instance! { impl crate::ReduceByKey<Zip<Slice<u32>, Constant<u32>>, u32, u32, Equal, Add> for Standard; }
instance! { impl crate::AdjacentDifference<Slice<u32>, Subtract> for Standard; }
instance! { impl crate::ReduceSegments<Slice<u32>, u32, Add> for Standard; }
