//! The tests' own types, operators and instances.

use gridwright::prelude::*;
use gridwright_primitives as primitives;
use gridwright_primitives::operators::{Add, Equal};
use gridwright_primitives::source::{Map, Slice, Zip};
use gridwright_primitives::{First, If};

/// A product of 2×2 matrices: associative, and not commutative.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
pub struct Matrix2 {
    pub rows: [u32; 4],
}

/// `y = a * x + b`, of three words, so that rows aren't padded.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
pub struct Affine {
    pub a: u32,
    pub b: u32,
    pub calls: u32,
}

/// More than a thread holds several of.
#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
pub struct Wide {
    pub first: u64,
    pub last: u64,
    pub sums: [u64; 7],
}

operator! {
    /// Multiplies.
    pub struct Product = |a: Matrix2, b: Matrix2| -> Matrix2 {
        let ([a, b, c, d], [e, f, g, h]) = (a.rows, b.rows);
        let sum = |a: u32, b: u32, c: u32, d: u32| a.wrapping_mul(b).wrapping_add(c.wrapping_mul(d));
        Matrix2 { rows: [sum(a, e, b, g), sum(a, f, b, h), sum(c, e, d, g), sum(c, f, d, h)] }
    };
    /// The second after the first.
    pub struct Compose = |x: Affine, y: Affine| -> Affine {
        Affine {
            a: x.a.wrapping_mul(y.a),
            b: x.b.wrapping_mul(y.a).wrapping_add(y.b),
            calls: x.calls + y.calls,
        }
    };
    /// Sums, and which were the first and the last.
    pub struct Join = |x: Wide, y: Wide| -> Wide {
        Wide { first: x.first, last: y.last, sums: core::array::from_fn(|i| x.sums[i].wrapping_add(y.sums[i])) }
    };
    /// The sum of numbers that aren't the largest.
    pub struct Checked = |a: u32, b: u32| -> u32 {
        assert!(b != u32::MAX, "the largest number");
        a.wrapping_add(b)
    };
    /// Whether a number is a multiple.
    pub struct IsMultiple { pub of: u32 } = |x: u32| -> bool { x % of == 0 };
    /// Whether a number is even.
    pub struct IsEvenNumber = |x: u32| -> bool { x % 2 == 0 };
    /// Whether the composition has an even factor.
    pub struct IsEven = |x: Affine| -> bool { x.a % 2 == 0 };
    /// Whether the first is.
    pub struct IsFirstEven = |x: Wide| -> bool { x.first % 2 == 0 };
    /// Four times.
    pub struct Quadruple = |x: u64| -> u64 { x << 2 };
}

/// The tests' instances.
pub struct Mine;

instance! { impl primitives::Scan<Slice<Matrix2>, Product> for Mine; }
instance! { impl primitives::Scan<Slice<Affine>, Compose> for Mine; }
instance! { impl primitives::Scan<Slice<Wide>, Join> for Mine; }
instance! { impl primitives::Scan<Map<Slice<u64>, Quadruple>, Add> for Mine; }
instance! { impl primitives::Scan<Slice<f32>, Add> for Mine; }
instance! { impl primitives::Scan<Slice<u32>, Checked> for Mine; }
instance! { impl primitives::Select<Slice<u32>, If<IsMultiple>> for Mine; }
instance! { impl primitives::Select<Slice<u32>, If<IsEvenNumber>> for Mine; }
instance! { impl primitives::Select<Slice<Affine>, If<IsEven>> for Mine; }
instance! { impl primitives::Select<Slice<Wide>, If<IsFirstEven>> for Mine; }
instance! { impl primitives::Select<Slice<u64>, First<Equal>> for Mine; }
instance! { impl primitives::Partition<Slice<u32>, If<IsMultiple>> for Mine; }
instance! { impl primitives::ScanByKey<Zip<Slice<u32>, Slice<Matrix2>>, u32, Matrix2, Equal, Product> for Mine; }
instance! { impl primitives::ScanByKey<Zip<Slice<u8>, Slice<u32>>, u8, u32, Equal, Add> for Mine; }
instance! { impl primitives::ReduceByKey<Zip<Slice<u32>, Slice<Matrix2>>, u32, Matrix2, Equal, Product> for Mine; }
instance! { impl primitives::ReduceByKey<Zip<Slice<u32>, Slice<Wide>>, u32, Wide, Equal, Join> for Mine; }
instance! { impl primitives::ScanSegments<Slice<Matrix2>, u32, Product> for Mine; }
instance! { impl primitives::ScanSegments<Map<Slice<u64>, Quadruple>, u64, Add> for Mine; }
instance! { impl primitives::AdjacentDifference<Slice<Affine>, Compose> for Mine; }
