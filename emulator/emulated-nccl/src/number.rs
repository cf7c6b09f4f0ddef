//! Elements: their sizes, and how they are reduced.

use std::ffi::c_int;

use half::{bf16, f16};

use crate::error::Error;

/// `ncclDataType_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataType {
    Int8 = 0,
    Uint8 = 1,
    Int32 = 2,
    Uint32 = 3,
    Int64 = 4,
    Uint64 = 5,
    Float16 = 6,
    Float32 = 7,
    Float64 = 8,
    Bfloat16 = 9,
    Float8E4M3 = 10,
    Float8E5M2 = 11,
}

impl DataType {
    const ALL: [Self; 12] = [
        Self::Int8,
        Self::Uint8,
        Self::Int32,
        Self::Uint32,
        Self::Int64,
        Self::Uint64,
        Self::Float16,
        Self::Float32,
        Self::Float64,
        Self::Bfloat16,
        Self::Float8E4M3,
        Self::Float8E5M2,
    ];

    /// # Errors
    /// If there is no such type.
    pub(crate) fn of(number: c_int) -> Result<Self, Error> {
        let found = usize::try_from(number).ok().and_then(|number| Self::ALL.get(number).copied());
        found.ok_or_else(|| Error::argument(format!("there is no data type {number}")))
    }

    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Int8 | Self::Uint8 | Self::Float8E4M3 | Self::Float8E5M2 => 1,
            Self::Float16 | Self::Bfloat16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float32 => 4,
            Self::Int64 | Self::Uint64 | Self::Float64 => 8,
        }
    }
}

/// `ncclRedOp_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Sum = 0,
    Product = 1,
    Maximum = 2,
    Minimum = 3,
    Average = 4,
}

impl Operator {
    /// # Errors
    /// If there is no such operator, or none for the type.
    pub(crate) fn of(number: c_int, data_type: DataType) -> Result<Self, Error> {
        if data_type == DataType::Float8E4M3 || data_type == DataType::Float8E5M2 {
            return Err(Error::argument("the emulator doesn't reduce FP8"));
        }
        match number {
            0 => Ok(Self::Sum),
            1 => Ok(Self::Product),
            2 => Ok(Self::Maximum),
            3 => Ok(Self::Minimum),
            4 => Ok(Self::Average),
            _ => Err(Error::argument(format!("there is no operator {number}"))),
        }
    }
}

/// A type that is reduced.
trait Number: Copy {
    const BYTES: usize;

    fn read(bytes: &[u8]) -> Option<Self>;
    fn write(self, bytes: &mut [u8]);
    fn with(self, other: Self, operator: Operator) -> Self;
    fn divided(self, ranks: usize) -> Self;
}

macro_rules! number {
    ($($ty:ident: $sum:expr, $product:expr, $quotient:expr;)*) => {$(
        impl Number for $ty {
            const BYTES: usize = size_of::<Self>();

            fn read(bytes: &[u8]) -> Option<Self> {
                Some(Self::from_le_bytes(bytes.try_into().ok()?))
            }

            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            fn with(self, other: Self, operator: Operator) -> Self {
                let (sum, product): (fn(Self, Self) -> Self, fn(Self, Self) -> Self) = ($sum, $product);
                match operator {
                    Operator::Sum | Operator::Average => sum(self, other),
                    Operator::Product => product(self, other),
                    Operator::Maximum => self.max(other),
                    Operator::Minimum => self.min(other),
                }
            }

            fn divided(self, ranks: usize) -> Self {
                let quotient: fn(Self, usize) -> Self = $quotient;
                quotient(self, ranks)
            }
        }
    )*};
}

/// What an average of integers is divided by: NCCL's rounds to zero. No type is too narrow for the ranks that tests have.
macro_rules! whole {
    ($ty:ty) => {
        |sum, ranks| <$ty>::try_from(ranks).ok().and_then(|ranks| sum.checked_div(ranks)).unwrap_or(0)
    };
}

number! {
    i8: Self::wrapping_add, Self::wrapping_mul, whole!(i8);
    u8: Self::wrapping_add, Self::wrapping_mul, whole!(u8);
    i32: Self::wrapping_add, Self::wrapping_mul, whole!(i32);
    u32: Self::wrapping_add, Self::wrapping_mul, whole!(u32);
    i64: Self::wrapping_add, Self::wrapping_mul, whole!(i64);
    u64: Self::wrapping_add, Self::wrapping_mul, whole!(u64);
    f32: |a, b| a + b, |a, b| a * b, |sum, ranks| sum / ranks as Self;
    f64: |a, b| a + b, |a, b| a * b, |sum, ranks| sum / ranks as Self;
    f16: |a, b| a + b, |a, b| a * b, |sum, ranks| Self::from_f32(f32::from(sum) / ranks as f32);
    bf16: |a, b| a + b, |a, b| a * b, |sum, ranks| Self::from_f32(f32::from(sum) / ranks as f32);
}

/// Reduces the parts of all ranks, in the order of ranks, so each rank has the same bits.
pub(crate) fn reduce(data_type: DataType, operator: Operator, parts: &[&[u8]], output: &mut [u8]) {
    match data_type {
        DataType::Int8 => fold::<i8>(operator, parts, output),
        DataType::Uint8 | DataType::Float8E4M3 | DataType::Float8E5M2 => fold::<u8>(operator, parts, output),
        DataType::Int32 => fold::<i32>(operator, parts, output),
        DataType::Uint32 => fold::<u32>(operator, parts, output),
        DataType::Int64 => fold::<i64>(operator, parts, output),
        DataType::Uint64 => fold::<u64>(operator, parts, output),
        DataType::Float16 => fold::<f16>(operator, parts, output),
        DataType::Float32 => fold::<f32>(operator, parts, output),
        DataType::Float64 => fold::<f64>(operator, parts, output),
        DataType::Bfloat16 => fold::<bf16>(operator, parts, output),
    }
}

fn fold<T: Number>(operator: Operator, parts: &[&[u8]], output: &mut [u8]) {
    for (index, element) in output.chunks_exact_mut(T::BYTES).enumerate() {
        let place = index * T::BYTES..(index + 1) * T::BYTES;
        let values = parts.iter().filter_map(|part| T::read(part.get(place.clone())?));
        let Some(value) = values.reduce(|a, b| a.with(b, operator)) else { continue };
        let is_average = operator == Operator::Average;
        let value = if is_average { value.divided(parts.len()) } else { value };
        value.write(element);
    }
}

#[cfg(test)]
mod tests {
    use super::{DataType, Operator, reduce};

    #[test]
    fn integers_wrap_and_averages_round_to_zero() {
        let of = |operator, parts: [i32; 3]| {
            let parts = parts.map(i32::to_le_bytes);
            let mut output = [0; 4];
            reduce(DataType::Int32, operator, &parts.each_ref().map(|part| &part[..]), &mut output);
            i32::from_le_bytes(output)
        };
        assert_eq!(of(Operator::Sum, [i32::MAX, 1, 1]), i32::MIN + 1);
        assert_eq!(of(Operator::Product, [3, -5, 7]), -105);
        assert_eq!(of(Operator::Maximum, [3, -5, 7]), 7);
        assert_eq!(of(Operator::Minimum, [3, -5, 7]), -5);
        assert_eq!(of(Operator::Average, [-3, -5, 0]), -2);
    }

    #[test]
    fn half_floats_are_rounded_at_each_step() {
        let parts = [1.0_f32, 1.0 / 4096.0, 2.0].map(|value| half::f16::from_f32(value).to_le_bytes());
        let mut output = [0; 2];
        reduce(DataType::Float16, Operator::Sum, &parts.each_ref().map(|part| &part[..]), &mut output);
        assert_eq!(half::f16::from_le_bytes(output).to_f32(), 3.0);
    }

    #[test]
    fn types_are_those_of_the_header() {
        for (number, bytes) in [1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1].into_iter().enumerate() {
            let data_type = DataType::of(number as i32).unwrap();
            assert_eq!((data_type as usize, data_type.bytes()), (number, bytes));
        }
        assert!(DataType::of(12).is_err() && DataType::of(-1).is_err());
        assert!(Operator::of(5, DataType::Int8).is_err() && Operator::of(0, DataType::Float8E4M3).is_err());
    }
}
