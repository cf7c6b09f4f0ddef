//! Integer arithmetic.

use super::decoder::{Decoded, Decoder};
use super::handler::{Handler, by_integer, by_width, map1, map2, map3};
use super::operation::{Action, Choice};
use crate::machine::Operands;
use crate::parse::syntax::Type;

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let ty = decoder.value_type()?;
    let bits = ty.bits();
    let modifiers = decoder.modifiers(1)?;
    let name = decoder.parts[0];
    if ty.is_float() || matches!(ty, Type::Predicate) {
        return Err(decoder.unknown());
    }
    match (name, modifiers) {
        ("add", []) => sum(decoder, 2, ty, by_width!(bits, map2, |a, b| a.wrapping_add(b))),
        ("sub", []) => sum(decoder, 2, ty, by_width!(bits, map2, |a, b| a.wrapping_sub(b))),
        ("add", ["sat"]) if ty == Type::Signed(32) => {
            decoder.uniform_of(2, Some(map2!(i32, i32 => i32, |a, b| a.saturating_add(b))), ty)
        }
        ("sub", ["sat"]) if ty == Type::Signed(32) => {
            decoder.uniform_of(2, Some(map2!(i32, i32 => i32, |a, b| a.saturating_sub(b))), ty)
        }
        ("mul", ["lo"]) => sum(decoder, 2, ty, by_width!(bits, map2, |a, b| a.wrapping_mul(b))),
        ("mul", ["hi"]) => decoder.uniform_of(2, high(ty), ty),
        ("mul", ["wide"]) => wide(decoder, ty, false),
        ("mad", ["lo"]) => {
            sum(decoder, 3, ty, by_width!(bits, map3, |a, b, c| a.wrapping_mul(b).wrapping_add(c)))
        }
        ("mad", ["hi"]) => decoder.uniform_of(3, multiply_add_high(ty), ty),
        ("mad", ["hi", "sat"]) if ty == Type::Signed(32) => decoder.uniform_of(
            3,
            Some(map3!(i32, i32, i32 => i32, |a, b, c| {
                (((i64::from(a) * i64::from(b)) >> 32) as i32).saturating_add(c)
            })),
            ty,
        ),
        ("mad", ["wide"]) => wide(decoder, ty, true),
        ("mul24", ["lo"]) => decoder.uniform_of(2, low24(ty), ty),
        ("mul24", ["hi"]) => decoder.uniform_of(2, high24(ty), ty),
        ("mad24", ["lo"]) => decoder.uniform_of(
            3,
            match ty {
                Type::Unsigned(32) => {
                    Some(map3!(u32, u32, u32 => u32, |a, b, c| ((a << 8 >> 8).wrapping_mul(b << 8 >> 8)).wrapping_add(c)))
                }
                Type::Signed(32) => {
                    Some(map3!(i32, i32, i32 => i32, |a, b, c| ((a << 8 >> 8).wrapping_mul(b << 8 >> 8)).wrapping_add(c)))
                }
                _ => None,
            },
            ty,
        ),
        ("mad24", ["hi"]) => decoder.uniform_of(
            3,
            match ty {
                Type::Unsigned(32) => Some(map3!(u32, u32, u32 => u32, |a, b, c| {
                    (((u64::from(a << 8 >> 8) * u64::from(b << 8 >> 8)) >> 16) as u32).wrapping_add(c)
                })),
                Type::Signed(32) => Some(map3!(i32, i32, i32 => i32, |a, b, c| product24(a, b).wrapping_add(c))),
                _ => None,
            },
            ty,
        ),
        ("mad24", ["hi", "sat"]) if ty == Type::Signed(32) => decoder.uniform_of(
            3,
            Some(map3!(i32, i32, i32 => i32, |a, b, c| product24(a, b).saturating_add(c))),
            ty,
        ),
        ("sad", []) => {
            decoder.uniform_of(3, by_integer!(ty, map3, |a, b, c| a.max(b).wrapping_sub(a.min(b)).wrapping_add(c)), ty)
        }
        ("div", []) => divide(decoder, ty, quotient(ty)),
        ("rem", []) => divide(decoder, ty, remainder(ty)),
        ("abs", []) if ty.is_signed() => decoder.uniform_of(1, absolute(ty), ty),
        ("neg", []) if ty.is_signed() => {
            decoder.uniform_of(1, by_width!(bits, map1, |a| a.wrapping_neg()), ty)
        }
        ("min", []) => choose(decoder, ty, by_integer!(ty, map2, |a, b| a.min(b))),
        ("max", []) => choose(decoder, ty, by_integer!(ty, map2, |a, b| a.max(b))),
        ("min" | "max", ["relu"]) if ty == Type::Signed(32) => {
            let handler = if name == "min" {
                map2!(i32, i32 => i32, |a, b| a.min(b).max(0))
            } else {
                map2!(i32, i32 => i32, |a, b| a.max(b).max(0))
            };
            choose(decoder, ty, Some(handler))
        }
        _ => Err(decoder.unknown()),
    }
}

/// The upper 32 of the 48 bits of a product of 24 bits each.
fn product24(a: i32, b: i32) -> i32 {
    ((i64::from(a << 8 >> 8) * i64::from(b << 8 >> 8)) >> 16) as i32
}

fn absolute(ty: Type) -> Option<Handler> {
    match ty.bits() {
        16 => Some(map1!(i16 => i16, |a| a.wrapping_abs())),
        32 => Some(map1!(i32 => i32, |a| a.wrapping_abs())),
        64 => Some(map1!(i64 => i64, |a| a.wrapping_abs())),
        _ => None,
    }
}

fn high(ty: Type) -> Option<Handler> {
    match ty {
        Type::Unsigned(16) => {
            Some(map2!(u16, u16 => u16, |a, b| ((u32::from(a) * u32::from(b)) >> 16) as u16))
        }
        Type::Signed(16) => Some(map2!(i16, i16 => i16, |a, b| ((i32::from(a) * i32::from(b)) >> 16) as i16)),
        Type::Unsigned(32) => {
            Some(map2!(u32, u32 => u32, |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32))
        }
        Type::Signed(32) => Some(map2!(i32, i32 => i32, |a, b| ((i64::from(a) * i64::from(b)) >> 32) as i32)),
        Type::Unsigned(64) => {
            Some(map2!(u64, u64 => u64, |a, b| ((u128::from(a) * u128::from(b)) >> 64) as u64))
        }
        Type::Signed(64) => {
            Some(map2!(i64, i64 => i64, |a, b| ((i128::from(a) * i128::from(b)) >> 64) as i64))
        }
        _ => None,
    }
}

fn multiply_add_high(ty: Type) -> Option<Handler> {
    match ty {
        Type::Unsigned(16) => Some(map3!(u16, u16, u16 => u16, |a, b, c| {
            (((u32::from(a) * u32::from(b)) >> 16) as u16).wrapping_add(c)
        })),
        Type::Signed(16) => Some(map3!(i16, i16, i16 => i16, |a, b, c| {
            (((i32::from(a) * i32::from(b)) >> 16) as i16).wrapping_add(c)
        })),
        Type::Unsigned(32) => Some(map3!(u32, u32, u32 => u32, |a, b, c| {
            (((u64::from(a) * u64::from(b)) >> 32) as u32).wrapping_add(c)
        })),
        Type::Signed(32) => Some(map3!(i32, i32, i32 => i32, |a, b, c| {
            (((i64::from(a) * i64::from(b)) >> 32) as i32).wrapping_add(c)
        })),
        Type::Unsigned(64) => Some(map3!(u64, u64, u64 => u64, |a, b, c| {
            (((u128::from(a) * u128::from(b)) >> 64) as u64).wrapping_add(c)
        })),
        Type::Signed(64) => Some(map3!(i64, i64, i64 => i64, |a, b, c| {
            (((i128::from(a) * i128::from(b)) >> 64) as i64).wrapping_add(c)
        })),
        _ => None,
    }
}

fn low24(ty: Type) -> Option<Handler> {
    match ty {
        Type::Unsigned(32) => Some(map2!(u32, u32 => u32, |a, b| (a << 8 >> 8).wrapping_mul(b << 8 >> 8))),
        Type::Signed(32) => Some(map2!(i32, i32 => i32, |a, b| (a << 8 >> 8).wrapping_mul(b << 8 >> 8))),
        _ => None,
    }
}

fn high24(ty: Type) -> Option<Handler> {
    match ty {
        Type::Unsigned(32) => Some(
            map2!(u32, u32 => u32, |a, b| ((u64::from(a << 8 >> 8) * u64::from(b << 8 >> 8)) >> 16) as u32),
        ),
        Type::Signed(32) => Some(
            map2!(i32, i32 => i32, |a, b| ((i64::from(a << 8 >> 8) * i64::from(b << 8 >> 8)) >> 16) as i32),
        ),
        _ => None,
    }
}

/// Decodes an operation with sources of one width, and the result and the addend of twice that.
fn wide(decoder: &mut Decoder<'_, '_>, ty: Type, adds: bool) -> Decoded {
    let handler = match (ty, adds) {
        (Type::Unsigned(16), false) => map2!(u16, u16 => u32, |a, b| u32::from(a) * u32::from(b)),
        (Type::Signed(16), false) => map2!(i16, i16 => i32, |a, b| i32::from(a) * i32::from(b)),
        (Type::Unsigned(32), false) => map2!(u32, u32 => u64, |a, b| u64::from(a) * u64::from(b)),
        (Type::Signed(32), false) => map2!(i32, i32 => i64, |a, b| i64::from(a) * i64::from(b)),
        (Type::Unsigned(16), true) => {
            map3!(u16, u16, u32 => u32, |a, b, c| (u32::from(a) * u32::from(b)).wrapping_add(c))
        }
        (Type::Signed(16), true) => {
            map3!(i16, i16, i32 => i32, |a, b, c| (i32::from(a) * i32::from(b)).wrapping_add(c))
        }
        (Type::Unsigned(32), true) => {
            map3!(u32, u32, u64 => u64, |a, b, c| (u64::from(a) * u64::from(b)).wrapping_add(c))
        }
        (Type::Signed(32), true) => {
            map3!(i32, i32, i64 => i64, |a, b, c| (i64::from(a) * i64::from(b)).wrapping_add(c))
        }
        _ => return Err(decoder.unknown()),
    };
    let double = Type::Bits(ty.bits() * 2);
    let mut operands = Operands::default();
    if adds {
        let [d, a, b, c] = decoder.exactly()?;
        operands.d = decoder.destination(d, double.bits())?;
        operands.a = decoder.source(a, ty)?;
        operands.b = decoder.source(b, ty)?;
        operands.c = decoder.source(c, double)?;
    } else {
        let [d, a, b] = decoder.exactly()?;
        operands.d = decoder.destination(d, double.bits())?;
        operands.a = decoder.source(a, ty)?;
        operands.b = decoder.source(b, ty)?;
    }
    Ok(Action::Compute(handler, operands))
}

// What the hardware gives for a divisor of zero: all ones, and the dividend.
fn quotient(ty: Type) -> Option<Handler> {
    match ty {
        Type::Unsigned(16) => Some(map2!(u16, u16 => u16, |a, b| a.checked_div(b).unwrap_or(u16::MAX))),
        Type::Unsigned(32) => Some(map2!(u32, u32 => u32, |a, b| a.checked_div(b).unwrap_or(u32::MAX))),
        Type::Unsigned(64) => Some(map2!(u64, u64 => u64, |a, b| a.checked_div(b).unwrap_or(u64::MAX))),
        Type::Signed(16) => Some(map2!(i16, i16 => i16, |a, b| if b == 0 { -1 } else { a.wrapping_div(b) })),
        Type::Signed(32) => Some(map2!(i32, i32 => i32, |a, b| if b == 0 { -1 } else { a.wrapping_div(b) })),
        Type::Signed(64) => Some(map2!(i64, i64 => i64, |a, b| if b == 0 { -1 } else { a.wrapping_div(b) })),
        _ => None,
    }
}

fn remainder(ty: Type) -> Option<Handler> {
    by_integer!(ty, map2, |a, b| if b == 0 { a } else { a.wrapping_rem(b) })
}

fn divide(decoder: &mut Decoder<'_, '_>, ty: Type, handler: Option<Handler>) -> Decoded {
    match decoder.uniform_of(2, handler, ty)? {
        Action::Compute(handler, operands) => Ok(Action::Divide(handler, operands, ty.bits())),
        action => Ok(action),
    }
}

fn sum(decoder: &mut Decoder<'_, '_>, sources: usize, ty: Type, handler: Option<Handler>) -> Decoded {
    match decoder.uniform_of(sources, handler, ty)? {
        Action::Compute(handler, operands) => {
            Ok(Action::Choose(handler, operands, Choice::Sum { wide: ty.bits() == 64 }))
        }
        action => Ok(action),
    }
}

fn choose(decoder: &mut Decoder<'_, '_>, ty: Type, handler: Option<Handler>) -> Decoded {
    match decoder.uniform_of(2, handler, ty)? {
        Action::Compute(handler, operands) => {
            Ok(Action::Choose(handler, operands, Choice::Value { wide: ty.bits() == 64 }))
        }
        action => Ok(action),
    }
}
