//! Instances that run on the CPU alone: of types and operators that the others don't have.

use gridwright::prelude::*;
use gridwright_primitives as primitives;
use gridwright_primitives::operators::{Add, Equal, Greater, Less, Max, Min, Multiply, Subtract};
use gridwright_primitives::source::{Gather, InRanges, Map, Reversed, Slice, Zip};
use gridwright_primitives::{EvenBins, First, Flagged, If, NoValue};

/// What stands for them.
pub(crate) struct OnCpu;

operator! {
    /// Whether a float is below a limit.
    pub struct Below { pub limit: f64 } = |x: f64| -> bool { x < limit };
    /// Whether a byte is negative.
    pub struct IsNegative = |x: i8| -> bool { x < 0 };
}

instance! { impl primitives::Reduce<Slice<u8>, Add> for OnCpu; }
instance! { impl primitives::Reduce<Slice<i16>, Min> for OnCpu; }
instance! { impl primitives::Reduce<Slice<u64>, Add> for OnCpu; }
instance! { impl primitives::Reduce<Slice<i64>, Max> for OnCpu; }
instance! { impl primitives::Reduce<Slice<u128>, Multiply> for OnCpu; }
instance! { impl primitives::Reduce<Slice<f32>, Min> for OnCpu; }
instance! { impl primitives::Reduce<Slice<f64>, Add> for OnCpu; }

instance! { impl primitives::Scan<Slice<u8>, Add> for OnCpu; }
instance! { impl primitives::Scan<Slice<i16>, Max> for OnCpu; }
instance! { impl primitives::Scan<Slice<u128>, Multiply> for OnCpu; }
instance! { impl primitives::Scan<Slice<f32>, Max> for OnCpu; }
instance! { impl primitives::Scan<Slice<f64>, Add> for OnCpu; }
instance! { impl primitives::Scan<Reversed<Slice<u32>>, Add> for OnCpu; }
instance! { impl primitives::Scan<Gather<Slice<u64>, Slice<u32>>, Max> for OnCpu; }

instance! { impl primitives::ScanByKey<Zip<Slice<u64>, Slice<f64>>, u64, f64, Equal, Add> for OnCpu; }
instance! { impl primitives::ScanByKey<Zip<Slice<f32>, Slice<i16>>, f32, i16, Equal, Min> for OnCpu; }
instance! { impl primitives::ReduceByKey<Zip<Slice<u64>, Slice<f64>>, u64, f64, Equal, Add> for OnCpu; }
instance! { impl primitives::ReduceByKey<Zip<Slice<f32>, Slice<i16>>, f32, i16, Equal, Min> for OnCpu; }
instance! { impl primitives::ReduceSegments<Slice<i64>, u64, Max> for OnCpu; }
instance! { impl primitives::ReduceSegments<Slice<f32>, u32, Add> for OnCpu; }

instance! { impl primitives::Sort<u16, NoValue> for OnCpu; }
instance! { impl primitives::Sort<i64, NoValue> for OnCpu; }
instance! { impl primitives::Sort<u128, NoValue> for OnCpu; }
instance! { impl primitives::Sort<f64, NoValue> for OnCpu; }
instance! { impl primitives::Sort<i32, u8> for OnCpu; }
instance! { impl primitives::Sort<f32, u32> for OnCpu; }
instance! { impl primitives::Sort<u32, f32> for OnCpu; }
instance! { impl primitives::Sort<i64, u32> for OnCpu; }
instance! { impl primitives::MergeSort<f64, Less> for OnCpu; }
instance! { impl primitives::MergeSort<u8, Greater> for OnCpu; }
instance! { impl primitives::MergeSort<i64, Less> for OnCpu; }
instance! { impl primitives::Search<Slice<f32>, Less> for OnCpu; }
instance! { impl primitives::Search<Slice<i64>, Greater> for OnCpu; }

instance! { impl primitives::Select<Slice<f64>, If<Below>> for OnCpu; }
instance! { impl primitives::Partition<Slice<f64>, If<Below>> for OnCpu; }
instance! { impl primitives::Select<Slice<i8>, If<IsNegative>> for OnCpu; }
instance! { impl primitives::Partition<Slice<i8>, If<IsNegative>> for OnCpu; }
instance! { impl primitives::Select<Zip<Slice<f64>, Slice<u32>>, Flagged> for OnCpu; }
instance! { impl primitives::Select<Slice<f32>, First<Equal>> for OnCpu; }
instance! { impl primitives::Select<Slice<i8>, First<Equal>> for OnCpu; }

instance! { impl primitives::Histogram<Slice<u64>> for OnCpu; }
instance! { impl primitives::Histogram<Map<Slice<u8>, EvenBins<u8>>> for OnCpu; }
instance! { impl primitives::Histogram<Map<Slice<i64>, EvenBins<i64>>> for OnCpu; }
instance! { impl primitives::Histogram<InRanges<Slice<i32>, i32>> for OnCpu; }

instance! { impl primitives::ReduceRows<Slice<f64>, Min> for OnCpu; }
instance! { impl primitives::ReduceRows<Slice<u16>, Add> for OnCpu; }
instance! { impl primitives::MatrixVector<i32, Multiply, Add> for OnCpu; }

instance! { impl primitives::AdjacentDifference<Slice<f64>, Subtract> for OnCpu; }
instance! { impl primitives::Collect<Reversed<Slice<f64>>> for OnCpu; }
instance! { impl primitives::Collect<Gather<Slice<[u32; 3]>, Slice<u64>>> for OnCpu; }
instance! { impl primitives::Scatter<Slice<[u32; 3]>, u64> for OnCpu; }
