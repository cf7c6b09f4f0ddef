//! What is sent and reduced.

use std::fmt;

use gridwright::KernelArg;
use serde::{Deserialize, Serialize};

/// How elements of several ranks become one.
///
/// Sums and products of integers wrap. Which order floats are added in is the engine's choice, so that results may differ in the last bits with the
/// number of ranks; they are the same on all ranks.
///
/// ```
/// use gridwright_comm::ReduceOp;
///
/// assert_eq!(ReduceOp::Sum.to_string(), "sum");
/// ```
///
/// # From MPI
/// `MPI_SUM`, `MPI_PROD`, `MPI_MIN` and `MPI_MAX`; of NCCL `ncclSum` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReduceOp {
    /// Their sum.
    Sum,
    /// Their product.
    Product,
    /// The smallest of them. With a NaN among floats, either.
    Minimum,
    /// The largest of them. With a NaN among floats, either.
    Maximum,
}

impl fmt::Display for ReduceOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sum => "sum",
            Self::Product => "product",
            Self::Minimum => "minimum",
            Self::Maximum => "maximum",
        })
    }
}

/// A number that every engine can reduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    I8,
    U8,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Number {
    /// Bytes of one.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }
}

/// Elements that ranks can reduce: the numbers that MPI, NCCL and RCCL all know.
///
/// ```
/// use gridwright::prelude::*;
/// use gridwright_comm::{Communicator, Error, Reducible, ReduceOp};
///
/// fn largest<T: Reducible>(communicator: &Communicator, stream: &Stream, x: &mut Buffer<T>) -> Result<(), Error> {
///     communicator.all_reduce_in_place(stream, x, ReduceOp::Maximum)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be reduced by ranks",
    note = "i8, u8, i32, u32, i64, u64, f32 and f64 can: the numbers that MPI, NCCL and RCCL all know"
)]
pub trait Reducible: KernelArg + sealed::Sealed {}

pub(crate) mod sealed {
    pub trait Sealed {
        #[doc(hidden)]
        fn number() -> super::NumberOf;
    }
}

/// Which number a type is. Nobody can name it.
#[derive(Clone, Copy, Debug)]
pub struct NumberOf(pub(crate) Number);

macro_rules! numbers {
    ($($number:ty: $name:ident;)*) => {$(
        impl Reducible for $number {}
        impl sealed::Sealed for $number {
            fn number() -> NumberOf {
                NumberOf(Number::$name)
            }
        }
    )*};
}

numbers! {
    i8: I8;
    u8: U8;
    i32: I32;
    u32: U32;
    i64: I64;
    u64: U64;
    f32: F32;
    f64: F64;
}
