//! Conversions between types.
//!
//! A value is widened to one of three carriers (an integer of 128 bits, a float of 64) and narrowed from there. All
//! integers and floats of PTX fit a carrier exactly, so that there is one rounding. The conversions that kernels do most have
//! handlers of their own.

use super::decoder::{Decoded, Decoder};
use super::directed::{self, Rounding};
use super::handler::{Handler, map1};
use super::operation::Action;
use super::{convert_pack, small_float};
use crate::machine::{Lane, Lanes, Operands};
use crate::parse::syntax::Type;

#[derive(Debug, Clone, Copy)]
enum Value {
    Integer(i128),
    Float(f64),
}

const TO_INTEGER: u32 = 1 << 2;
const FLUSH: u32 = 1 << 3;
const SATURATE: u32 = 1 << 4;
const RELU: u32 = 1 << 5;
/// What is too large becomes the largest finite number.
const FINITE: u32 = 1 << 20;
/// Bit that says that the source is in a row of 64 bits, of which the type may be the low part.
const WIDE_SOURCE: u32 = 1 << 6;
const FROM: u32 = 8;
const TO: u32 = 13;
const WIDTH: u32 = 18;

/// Types, in the order of their numbers in an operation.
const TYPES: [Type; 12] = [
    Type::Unsigned(8),
    Type::Unsigned(16),
    Type::Unsigned(32),
    Type::Unsigned(64),
    Type::Signed(8),
    Type::Signed(16),
    Type::Signed(32),
    Type::Signed(64),
    Type::Float(16),
    Type::BFloat,
    Type::Float(32),
    Type::Float(64),
];

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    if decoder.parts.get(1) == Some(&"pack") {
        return convert_pack::decode(decoder);
    }
    if decoder.parts.iter().any(|part| small_float::is_small(part)) {
        return small_float::decode(decoder);
    }
    if decoder.parts.contains(&"tf32") {
        return to_tf32(decoder);
    }
    let [.., to, from] = decoder.parts.as_slice() else { return Err(decoder.unknown()) };
    let (to, from) = (decoder.known(Type::parse(to))?, decoder.known(Type::parse(from))?);
    if matches!(to, Type::HalfPair | Type::BFloatPair) {
        return pack(decoder, to, from);
    }
    let mut x = 0;
    let mut rounding = None;
    for part in decoder.modifiers(2)? {
        match *part {
            "ftz" => x |= FLUSH,
            "sat" => x |= SATURATE,
            "relu" if to.is_float() => x |= RELU,
            "satfinite" if to.bits() == 16 && from == Type::Float(32) => x |= FINITE,
            "rni" | "rzi" | "rmi" | "rpi" if rounding.is_none() => {
                x |= TO_INTEGER;
                rounding = Rounding::parse(&part[..2]);
            }
            part if rounding.is_none() => rounding = Some(decoder.known(Rounding::parse(part))?),
            _ => return Err(decoder.unknown()),
        }
    }
    let number = |ty: Type| TYPES.iter().position(|known| *known == ty).map(|number| number as u32);
    let (from_number, to_number) = (decoder.known(number(from))?, decoder.known(number(to))?);
    // What loses precision has to say how.
    let to_integer = from.is_float() && !to.is_float();
    let narrows =
        (!from.is_float() && to.is_float()) || (from.is_float() && to.is_float() && to.bits() < from.bits());
    // An assembler leaves out what changes nothing.
    let rounds_to_integer = from.is_float() && to == from;
    if !narrows && !to_integer && !rounds_to_integer && rounding.is_some() && !is_exact_rounding(to, from) {
        return Err(decoder.unknown());
    }
    if (to_integer && x & TO_INTEGER == 0) || (narrows && (rounding.is_none() || x & TO_INTEGER != 0)) {
        return Err(decoder.unknown());
    }
    let [d, a] = decoder.exactly()?;
    let (d, width) = decoder.wide_destination(d, to.bits())?;
    let (a, source_width) = decoder.wide_source(a, from)?;
    if source_width == 64 {
        x |= WIDE_SOURCE;
    }
    let class = match width {
        64 => 2,
        32 => 1,
        _ => 0,
    };
    let mode = rounding.unwrap_or(Rounding::Nearest);
    x |= mode.number() | from_number << FROM | to_number << TO | class << WIDTH;
    let handler = quick(from, to, width, mode, x & (FLUSH | SATURATE | RELU))
        .filter(|_| (source_width == 64) == (from.bits() == 64))
        .unwrap_or(convert);
    Ok(Action::Compute(handler, Operands { d, a, x, ..Operands::default() }))
}

fn quick(from: Type, to: Type, width: u8, mode: Rounding, extras: u32) -> Option<Handler> {
    use Type::{Float, Signed, Unsigned};
    if extras != 0 || width != to.bits() {
        return None;
    }
    Some(match (to, from, mode) {
        (Unsigned(64) | Signed(64), Unsigned(32), _) => map1!(u32 => u64, u64::from),
        (Unsigned(64) | Signed(64), Signed(32), _) => map1!(i32 => i64, i64::from),
        (Unsigned(32) | Signed(32), Unsigned(16), _) => map1!(u16 => u32, u32::from),
        (Unsigned(32) | Signed(32), Signed(16), _) => map1!(i16 => i32, i32::from),
        (Float(32), Unsigned(32), Rounding::Nearest) => map1!(u32 => f32, |a| a as f32),
        (Float(32), Signed(32), Rounding::Nearest) => map1!(i32 => f32, |a| a as f32),
        (Signed(32), Float(32), Rounding::Zero) => map1!(f32 => i32, |a| a as i32),
        (Unsigned(32), Float(32), Rounding::Zero) => map1!(f32 => u32, |a| a as u32),
        (Float(64), Float(32), _) => map1!(f32 => f64, f64::from),
        _ => return None,
    })
}

fn widen(ty: Type, bits: u64) -> Value {
    match ty {
        Type::Unsigned(8) => Value::Integer((bits as u8).into()),
        Type::Unsigned(16) => Value::Integer((bits as u16).into()),
        Type::Unsigned(32) => Value::Integer((bits as u32).into()),
        Type::Signed(8) => Value::Integer((bits as i8).into()),
        Type::Signed(16) => Value::Integer((bits as i16).into()),
        Type::Signed(32) => Value::Integer((bits as i32).into()),
        Type::Signed(64) => Value::Integer((bits as i64).into()),
        Type::Float(16) => Value::Float(half::f16::from_bits(bits as u16).to_f64()),
        Type::BFloat => Value::Float(half::bf16::from_bits(bits as u16).to_f64()),
        Type::Float(32) => Value::Float(f32::from_bits(bits as u32).into()),
        Type::Float(64) => Value::Float(f64::from_bits(bits)),
        _ => Value::Integer(bits.into()),
    }
}

fn to_integral(value: f64, mode: Rounding) -> f64 {
    match mode {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::Zero => value.trunc(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
    }
}

fn flushed(ty: Type, value: f64) -> f64 {
    if ty == Type::Float(32) && value.abs() < f64::from(f32::MIN_POSITIVE) {
        0.0_f64.copysign(value)
    } else {
        value
    }
}

fn narrow(to: Type, value: Value, x: u32, mode: Rounding) -> u64 {
    if to.is_float() {
        return match value {
            Value::Integer(value) => match to {
                Type::Float(32) => {
                    let value = directed::integer_to_single(value, mode);
                    let value = if x & SATURATE != 0 { value.clamp(0.0, 1.0) } else { value };
                    value.to_bits().into()
                }
                Type::Float(64) => {
                    let value = directed::integer_to_double(value, mode);
                    if x & SATURATE != 0 { value.clamp(0.0, 1.0) } else { value }.to_bits()
                }
                // Halves hold less than a double's 53 bits: what is lost is beyond their range.
                _ => float_bits(to, value as f64, x, mode),
            },
            Value::Float(value) => float_bits(to, value, x, mode),
        };
    }
    let (least, most) = match to {
        Type::Signed(bits) => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        Type::Unsigned(bits) => (0, (1_i128 << bits) - 1),
        _ => (i128::MIN, i128::MAX),
    };
    match value {
        // Without saturation the high bits go.
        Value::Integer(value) if x & SATURATE != 0 => value.clamp(least, most) as u64,
        Value::Integer(value) => value as u64,
        Value::Float(value) => (to_integral(value, mode) as i128).clamp(least, most) as u64,
    }
}

fn float_bits(to: Type, value: f64, x: u32, mode: Rounding) -> u64 {
    let mut value = if x & TO_INTEGER != 0 { to_integral(value, mode) } else { value };
    if x & SATURATE != 0 {
        value = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) + 0.0 };
    }
    if x & RELU != 0 && value < 0.0 {
        value = 0.0;
    }
    if value.is_nan() && to != Type::Float(64) {
        return if to.bits() == 16 { 0x7fff } else { 0x7fff_ffff };
    }
    match to {
        Type::Float(16) => finite(directed::to_half(value, mode), 0x7c00, x).into(),
        Type::BFloat => finite(directed::to_brain(value, mode), 0x7f80, x).into(),
        Type::Float(32) => {
            let value = directed::to_single(value, mode);
            if x & FLUSH != 0 { super::single::flush(value) } else { value }.to_bits().into()
        }
        _ => value.to_bits(),
    }
}

/// The largest number in the place of an infinity, where that is asked for.
fn finite(bits: u16, infinity: u16, x: u32) -> u16 {
    if x & FINITE != 0 && bits & 0x7fff == infinity { bits - 1 } else { bits }
}

/// Whether a rounding may be named though all values of one type are values of the other.
fn is_exact_rounding(to: Type, from: Type) -> bool {
    to.bits() == 16 || from.bits() == 16
}

/// `cvt.rna.tf32.f32`: to 10 bits of fraction, halves away from zero; `rn` and `rz` as elsewhere.
fn to_tf32(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let mut x = 0;
    let mut mode = None;
    for part in decoder.modifiers(0)? {
        match *part {
            "tf32" | "f32" => {}
            "relu" => x |= RELU,
            "satfinite" => x |= FINITE,
            "rna" => mode = Some(0),
            "rn" => mode = Some(1),
            "rz" => mode = Some(2),
            _ => return Err(decoder.unknown()),
        }
    }
    x |= decoder.known(mode)?;
    let handler: Handler = |lanes, o, mask| {
        lanes.map1::<u32, u32>(o, mask, |bits| {
            let value = f32::from_bits(bits);
            if value.is_nan() {
                return 0x7fff_ffff;
            }
            if o.x & RELU != 0 && value <= 0.0 {
                return 0;
            }
            let rounded = match o.x & 3 {
                0 => bits.wrapping_add(0x1000),
                1 => bits.wrapping_add(0xfff + (bits >> 13 & 1)),
                _ => bits,
            };
            let rounded = if value.is_infinite() { bits } else { rounded & !0x1fff };
            if o.x & FINITE != 0 && rounded & 0x7f80_0000 == 0x7f80_0000 {
                return (rounded & 1 << 31) | 0x7f7f_e000;
            }
            rounded
        });
    };
    let action = decoder.uniform_of(1, Some(handler), Type::Bits(32))?;
    Ok(match action {
        Action::Compute(handler, operands) => Action::Compute(handler, Operands { x, ..operands }),
        action => action,
    })
}

fn convert(lanes: &mut Lanes<'_>, o: &Operands, mask: u32) {
    let (from, to) = (TYPES[(o.x >> FROM & 31) as usize], TYPES[(o.x >> TO & 31) as usize]);
    let mode = Rounding::of(o);
    let one = |bits: u64| {
        let value = match widen(from, bits) {
            Value::Float(value) if o.x & FLUSH != 0 => Value::Float(flushed(from, value)),
            value => value,
        };
        let bits = narrow(to, value, o.x, mode);
        match to {
            Type::Unsigned(8) => bits & 0xff,
            Type::Unsigned(16) | Type::BFloat | Type::Float(16) => bits & 0xffff,
            Type::Unsigned(32) | Type::Float(32) => bits & 0xffff_ffff,
            Type::Signed(8) => i64::from(bits as i8) as u64,
            Type::Signed(16) => i64::from(bits as i16) as u64,
            Type::Signed(32) => i64::from(bits as i32) as u64,
            _ => bits,
        }
    };
    let is_wide = o.x & WIDE_SOURCE != 0;
    let sources = if is_wide { u64::read(lanes, o.a) } else { u32::read(lanes, o.a).map(u64::from) };
    let mut results = [0; 32];
    for lane in 0..32 {
        if mask >> lane & 1 == 1 {
            results[lane] = one(sources[lane]);
        }
    }
    match o.x >> WIDTH & 3 {
        0 => u16::write(lanes, o.d, mask, &results.map(|value| value as u16)),
        1 => u32::write(lanes, o.d, mask, &results.map(|value| value as u32)),
        _ => u64::write(lanes, o.d, mask, &results),
    }
}

/// `cvt.rn.f16x2.f32 d, a, b`: the first goes to the upper half.
fn pack(decoder: &mut Decoder<'_, '_>, to: Type, from: Type) -> Decoded {
    let mut x = 0;
    let mut rounding = None;
    for part in decoder.modifiers(2)? {
        match *part {
            "relu" => x |= RELU,
            "satfinite" => x |= FINITE,
            part if rounding.is_none() => rounding = Rounding::parse(part),
            _ => return Err(decoder.unknown()),
        }
    }
    let mode = match decoder.known(rounding)? {
        mode @ (Rounding::Nearest | Rounding::Zero) => mode,
        _ => return Err(decoder.unknown()),
    };
    if from != Type::Float(32) {
        return Err(decoder.unknown());
    }
    let handler: Handler = if to == Type::HalfPair {
        |lanes, o, mask| pack_as(lanes, o, mask, Type::Float(16))
    } else {
        |lanes, o, mask| pack_as(lanes, o, mask, Type::BFloat)
    };
    let [d, a, b] = decoder.exactly()?;
    let d = decoder.destination(d, 32)?;
    let (a, b) = (decoder.source(a, from)?, decoder.source(b, from)?);
    Ok(Action::Compute(handler, Operands { d, a, b, x: x | mode.number(), ..Operands::default() }))
}

fn pack_as(lanes: &mut Lanes<'_>, o: &Operands, mask: u32, ty: Type) {
    let mode = Rounding::of(o);
    let half = |value: f32| float_bits(ty, value.into(), o.x, mode) as u32;
    lanes.map2::<f32, f32, u32>(o, mask, |a, b| half(a) << 16 | half(b));
}
