//! The library's own instances.

use gridwright::prelude::*;

use crate::operators::{Add, Equal, Greater, Less, Max, Min, Multiply, Subtract};
use crate::source::{Constant, Counting, Gather, InRanges, Map, Slice, Zip};
use crate::{EvenBins, First, Flagged, NoValue};

/// The library's instances: of numbers, and of the [operators](crate::operators) that most need.
///
/// ```
/// use gridwright_primitives::operators::Add;
/// use gridwright_primitives::source::Slice;
/// use gridwright_primitives::{Reduce, Standard};
///
/// fn is_there<K: Reduce<Slice<u32>, Add>>() {}
///
/// is_there::<Standard>();
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

instance! { impl crate::Reduce<Slice<u32>, Add> for Standard; }
instance! { impl crate::Reduce<Slice<f32>, Add> for Standard; }
instance! { impl crate::Reduce<Slice<u32>, Max> for Standard; }
instance! { impl crate::Reduce<Slice<u32>, Min> for Standard; }

instance! { impl crate::Scan<Slice<u32>, Add> for Standard; }
instance! { impl crate::Select<Slice<u32>, First<Equal>> for Standard; }
instance! { impl crate::Select<Zip<Slice<u32>, Slice<u8>>, Flagged> for Standard; }
instance! { impl crate::ReduceByKey<Zip<Slice<u32>, Constant<u32>>, u32, u32, Equal, Add> for Standard; }
instance! { impl crate::AdjacentDifference<Slice<u32>, Subtract> for Standard; }
instance! { impl crate::ReduceSegments<Slice<u32>, u32, Add> for Standard; }
instance! { impl crate::ScanSegments<Slice<u32>, u32, Add> for Standard; }
instance! { impl crate::Sort<u32, NoValue> for Standard; }
instance! { impl crate::Sort<u64, NoValue> for Standard; }
instance! { impl crate::Sort<i32, NoValue> for Standard; }
instance! { impl crate::Sort<f32, NoValue> for Standard; }
instance! { impl crate::Sort<u32, u32> for Standard; }
instance! { impl crate::MergeSort<u32, Less> for Standard; }
instance! { impl crate::MergeSort<u32, Greater> for Standard; }
instance! { impl crate::Search<Slice<u32>, Less> for Standard; }
instance! { impl crate::Histogram<Slice<u32>> for Standard; }
instance! { impl crate::Histogram<Map<Slice<f32>, EvenBins<f32>>> for Standard; }
instance! { impl crate::Histogram<InRanges<Slice<f32>, f32>> for Standard; }

instance! { impl crate::Collect<Counting> for Standard; }
instance! { impl crate::Collect<Gather<Slice<u32>, Slice<u32>>> for Standard; }
instance! { impl crate::Scatter<Slice<u32>, u32> for Standard; }
instance! { impl crate::ReduceRows<Slice<f32>, Add> for Standard; }
instance! { impl crate::MatrixVector<f32, Multiply, Add> for Standard; }
