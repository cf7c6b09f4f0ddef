//! Elements of matrices as numbers: doubles hold all of them but the largest of `f64` sums exactly.

use half::{bf16, f16};

use crate::instruction::{ElementType, SumType, from_e4m3, from_e5m2};

/// The `i`-th element of a register.
pub(super) fn factor_element(element: ElementType, register: u64, i: usize) -> f64 {
    let part = register >> (element.bits() * i);
    match element {
        ElementType::Double => f64::from_bits(register),
        ElementType::Half => f16::from_bits(part as u16).to_f64(),
        ElementType::Brain => bf16::from_bits(part as u16).to_f64(),
        // The unit takes no notice of the lowest 13 bits.
        ElementType::Tf32 => f32::from_bits(part as u32 & !0x1fff).into(),
        ElementType::E4m3 => from_e4m3(part as u8),
        ElementType::E5m2 => from_e5m2(part as u8),
        ElementType::Signed8 => f64::from(part as u8 as i8),
        ElementType::Unsigned8 => f64::from(part as u8),
        ElementType::Signed4 => f64::from(((part as u8) << 4) as i8 >> 4),
        ElementType::Unsigned4 => f64::from(part as u8 & 15),
        ElementType::Bit => f64::from(part as u8 & 1),
    }
}

/// The `i`-th sum of a register.
pub(super) fn sum_element(ty: SumType, register: u64, i: usize) -> f64 {
    match ty {
        SumType::Half => f16::from_bits((register >> (16 * i)) as u16).to_f64(),
        SumType::Single => f32::from_bits(register as u32).into(),
        SumType::Integer => f64::from(register as i32),
        SumType::Double => f64::from_bits(register),
    }
}

/// A sum as it stands in the low bits of a register. Integers wrap around, or stop at the ends of their range.
pub(super) fn sum_bits(ty: SumType, sum: f64, saturates: bool) -> u64 {
    match ty {
        SumType::Half if sum.is_nan() => 0x7fff,
        SumType::Half => f16::from_f64(sum).to_bits().into(),
        SumType::Single if sum.is_nan() => 0x7fff_ffff,
        SumType::Single => u64::from((sum as f32).to_bits()),
        SumType::Integer if saturates => u64::from(sum as i32 as u32),
        SumType::Integer => u64::from(sum as i64 as u32),
        SumType::Double => sum.to_bits(),
    }
}
