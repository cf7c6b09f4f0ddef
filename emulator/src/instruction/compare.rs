//! Comparisons and selections.

use std::cmp::Ordering;

use super::decoder::{Decoded, Decoder};
use super::handler::{Handler, handler, map3};
use super::operation::{Action, Choice};
use crate::machine::{Brain, Half, Lane, Lanes, Operands, Predicate, Slot};
use crate::parse::ParseError;
use crate::parse::syntax::{Operand, Type};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    match decoder.parts[0] {
        "selp" => select(decoder),
        "slct" => select_by_sign(decoder),
        name => compare(decoder, name == "set"),
    }
}

fn select(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let ty = decoder.value_type()?;
    if !decoder.modifiers(1)?.is_empty() {
        return Err(decoder.unknown());
    }
    let handler: Handler = match ty.bits() {
        16 | 32 => handler!(|lanes, o, mask| choose::<u32>(lanes, o, mask)),
        64 => handler!(|lanes, o, mask| choose::<u64>(lanes, o, mask)),
        _ => return Err(decoder.unknown()),
    };
    let [d, a, b, p] = decoder.exactly()?;
    let d = decoder.destination(d, ty.bits())?;
    let (a, b) = (decoder.source(a, ty)?, decoder.source(b, ty)?);
    let p = decoder.predicate(p)?;
    Ok(Action::Compute(handler, Operands { d, a, b, p, ..Operands::default() }))
}

#[inline(always)]
fn choose<T: Lane>(lanes: &mut Lanes<'_>, operands: &Operands, mask: u32) {
    let picks = lanes.predicate(operands.p);
    let (a, b) = (T::read(lanes, operands.a), T::read(lanes, operands.b));
    let mut results = b;
    for lane in 0..32 {
        results[lane] = if picks >> lane & 1 == 1 { a[lane] } else { b[lane] };
    }
    T::write(lanes, operands.d, mask, &results);
}

fn select_by_sign(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let by = decoder.value_type()?;
    let (flush, ty) = match decoder.parts.as_slice() {
        [_, ty, _] => (false, Type::parse(ty)),
        [_, "ftz", ty, _] => (true, Type::parse(ty)),
        _ => return Err(decoder.unknown()),
    };
    let ty = decoder.known(ty)?;
    let handler = match (ty.bits(), by, flush) {
        (16, Type::Signed(32), false) => map3!(u16, u16, i32 => u16, |a, b, c| if c >= 0 { a } else { b }),
        (32, Type::Signed(32), false) => map3!(u32, u32, i32 => u32, |a, b, c| if c >= 0 { a } else { b }),
        (64, Type::Signed(32), false) => map3!(u64, u64, i32 => u64, |a, b, c| if c >= 0 { a } else { b }),
        (16, Type::Float(32), false) => map3!(u16, u16, f32 => u16, |a, b, c| if c >= 0.0 { a } else { b }),
        (32, Type::Float(32), false) => map3!(u32, u32, f32 => u32, |a, b, c| if c >= 0.0 { a } else { b }),
        (64, Type::Float(32), false) => map3!(u64, u64, f32 => u64, |a, b, c| if c >= 0.0 { a } else { b }),
        (16, Type::Float(32), true) => {
            map3!(u16, u16, f32 => u16, |a, b, c| if c > -f32::MIN_POSITIVE { a } else { b })
        }
        (64, Type::Float(32), true) => {
            map3!(u64, u64, f32 => u64, |a, b, c| if c > -f32::MIN_POSITIVE { a } else { b })
        }
        // Flushed, a negative denormal is minus zero, which isn't less than zero.
        (32, Type::Float(32), true) => {
            map3!(u32, u32, f32 => u32, |a, b, c| if c > -f32::MIN_POSITIVE { a } else { b })
        }
        _ => return Err(decoder.unknown()),
    };
    let [d, a, b, c] = decoder.exactly()?;
    let d = decoder.destination(d, ty.bits())?;
    let (a, b, c) = (decoder.source(a, ty)?, decoder.source(b, ty)?, decoder.source(c, by)?);
    Ok(Action::Compute(handler, Operands { d, a, b, c, ..Operands::default() }))
}

#[derive(Clone, Copy)]
enum Combine {
    None,
    And,
    Or,
    Xor,
}

/// `setp.cmp[.bool][.ftz].type p[|q], a, b[, c]` and `set.cmp[.bool][.ftz].dtype.type d, a, b[, c]`.
fn compare(decoder: &mut Decoder<'_, '_>, is_set: bool) -> Decoded {
    let ty = decoder.value_type()?;
    let mut parts = decoder.modifiers(1)?.iter().copied().peekable();
    let name = decoder.known(parts.next())?;
    let combine = match parts.peek() {
        Some(&"and") => Combine::And,
        Some(&"or") => Combine::Or,
        Some(&"xor") => Combine::Xor,
        _ => Combine::None,
    };
    if !matches!(combine, Combine::None) {
        parts.next();
    }
    let flush = parts.next_if(|&part| part == "ftz").is_some();
    let result = if is_set { decoder.known(parts.next().and_then(Type::parse))? } else { Type::Predicate };
    if parts.next().is_some() || (flush && !matches!(ty, Type::Float(16 | 32) | Type::HalfPair)) {
        return Err(decoder.unknown());
    }
    if let Type::HalfPair | Type::BFloatPair = ty {
        return compare_pairs(decoder, name, combine, flush, result, ty);
    }
    let row = decoder.known(comparison(name, ty, flush))?;
    let operands = decoder.operands();
    let combined = !matches!(combine, Combine::None);
    let (d, a, b, c) = match operands {
        [d, a, b] if !combined => (d, a, b, None),
        [d, a, b, c] if combined => (d, a, b, Some(c)),
        _ => {
            return Err(
                decoder.error(format!("`{}` has a wrong number of operands", decoder.parts.join(".")))
            );
        }
    };
    let mut decoded =
        Operands { a: decoder.source(a, ty)?, b: decoder.source(b, ty)?, ..Operands::default() };
    if let Some(c) = c {
        decoded.r = decoder.predicate(c)?;
    }
    if is_set {
        let temporary = decoder.temporary_predicate();
        decoded.p = temporary;
        decoded.q = decoder.temporary_predicate();
        let action = finish(&row, combine, decoded, ty);
        decoder.push(action)?;
        let d = decoder.destination(d, result.bits())?;
        let handler = decoder.known(spreader(result))?;
        return Ok(Action::Compute(handler, Operands { d, p: temporary, ..Operands::default() }));
    }
    (decoded.p, decoded.q) = results(decoder, d)?;
    Ok(finish(&row, combine, decoded, ty))
}

fn results(
    decoder: &mut Decoder<'_, '_>,
    operand: &Operand<'_>,
) -> Result<(Predicate, Predicate), ParseError> {
    match operand {
        Operand::Name(p) => Ok((decoder.predicate_register(p)?, Predicate::FALSE)),
        Operand::Pair(p, q) => Ok((decoder.predicate_register(p)?, decoder.predicate_register(q)?)),
        _ => Err(decoder.unknown()),
    }
}

/// What `set` gives for true: all ones, or one.
fn spreader(result: Type) -> Option<Handler> {
    Some(match result {
        Type::Unsigned(16) | Type::Signed(16) => {
            |lanes, operands, mask| spread(lanes, operands, mask, 0xffff)
        }
        Type::Unsigned(32) | Type::Signed(32) => {
            |lanes, operands, mask| spread(lanes, operands, mask, u32::MAX)
        }
        Type::Float(16) => |lanes, operands, mask| spread(lanes, operands, mask, 0x3c00),
        Type::BFloat => |lanes, operands, mask| spread(lanes, operands, mask, 0x3f80),
        Type::Float(32) => |lanes, operands, mask| spread(lanes, operands, mask, 1.0_f32.to_bits()),
        _ => return None,
    })
}

/// Pairs of halves: each half is compared alone, in rows of its own.
fn compare_pairs(
    decoder: &mut Decoder<'_, '_>,
    name: &str,
    combine: Combine,
    flush: bool,
    result: Type,
    ty: Type,
) -> Decoded {
    let half = if ty == Type::HalfPair { Type::Float(16) } else { Type::BFloat };
    let (d, a, b, r) = match (decoder.operands(), combine) {
        ([d, a, b], Combine::None) => (d, a, b, Predicate::FALSE),
        ([_, _, _], _) | ([_, _, _, _], Combine::None) => return Err(decoder.unknown()),
        ([d, a, b, c], _) => (d, a, b, decoder.predicate(c)?),
        _ => return Err(decoder.unknown()),
    };
    let sources = [decoder.source(a, ty)?, decoder.source(b, ty)?];
    let (p, q) = match (result, d) {
        (Type::Predicate, Operand::Pair(p, q)) => {
            (decoder.predicate_register(p)?, decoder.predicate_register(q)?)
        }
        (Type::Predicate, _) => return Err(decoder.unknown()),
        _ => (decoder.temporary_predicate(), decoder.temporary_predicate()),
    };
    for (p, shift) in [(p, 0), (q, 16)] {
        let halves = [decoder.temporary(16), decoder.temporary(16)];
        for (d, a) in halves.into_iter().zip(sources) {
            let handler: Handler = |lanes, o, mask| lanes.map1::<u32, u16>(o, mask, |a| (a >> o.x) as u16);
            decoder.push(Action::Compute(handler, Operands { d, a, x: shift, ..Operands::default() }))?;
        }
        let row = decoder.known(comparison(name, half, flush))?;
        let operands = Operands { a: halves[0], b: halves[1], p, r, ..Operands::default() };
        let action = finish(&row, combine, operands, half);
        decoder.push(action)?;
    }
    if result == Type::Predicate {
        return Ok(Action::Nothing);
    }
    let one = match result {
        Type::HalfPair => 0x3c00,
        Type::BFloatPair => 0x3f80,
        Type::Unsigned(32) | Type::Signed(32) => 0xffff,
        _ => return Err(decoder.unknown()),
    };
    let d = decoder.destination(d, 32)?;
    let handler: Handler = |lanes, o, mask| {
        let (low, high) = (lanes.predicate(o.p), lanes.predicate(o.q));
        let mut results = [0; 32];
        for (lane, result) in results.iter_mut().enumerate() {
            *result = ((low >> lane & 1) * o.x) | ((high >> lane & 1) * (o.x << 16));
        }
        <u32 as Lane>::write(lanes, o.d, mask, &results);
    };
    Ok(Action::Compute(handler, Operands { d, p, q, x: one, ..Operands::default() }))
}

fn spread(lanes: &mut Lanes<'_>, operands: &Operands, mask: u32, value: u32) {
    let picks = lanes.predicate(operands.p);
    let mut results = [0; 32];
    for (lane, result) in results.iter_mut().enumerate() {
        *result = if picks >> lane & 1 == 1 { value } else { 0 };
    }
    <u32 as Lane>::write(lanes, operands.d, mask, &results);
}

/// The second result of `setp` is the opposite, combined in the same way.
#[inline(always)]
fn store(
    lanes: &mut Lanes<'_>,
    operands: &Operands,
    mask: u32,
    value: u32,
    combine: impl Fn(u32, u32) -> u32,
) {
    let third = lanes.predicate(operands.r);
    lanes.set_predicate(operands.p, mask, combine(value, third));
    if operands.q != Predicate::FALSE {
        lanes.set_predicate(operands.q, mask, combine(!value, third));
    }
}

/// A handler for the row's comparison. Handlers are plain functions, so that there is one for each combination.
fn finish(row: &Comparison, combine: Combine, operands: Operands, ty: Type) -> Action {
    let (handler, when_true, when_false) = match combine {
        Combine::None => (row.plain, u32::MAX, u32::MAX),
        Combine::And => (row.and, u32::MAX, 0),
        Combine::Or => (row.or, 0, u32::MAX),
        Combine::Xor => (row.xor, u32::MAX, u32::MAX),
    };
    Action::Choose(handler, operands, Choice::Predicate { wide: ty.bits() == 64, when_true, when_false })
}

struct Comparison {
    plain: Handler,
    and: Handler,
    or: Handler,
    xor: Handler,
}

#[inline(always)]
fn rows<T: Lane>(lanes: &mut Lanes<'_>, a: Slot, b: Slot, f: impl Fn(T, T) -> bool) -> u32 {
    let (a, b) = (T::read(lanes, a), T::read(lanes, b));
    let mut bits = [0_u32; 32];
    for lane in 0..32 {
        bits[lane] = u32::from(f(a[lane], b[lane])) << lane;
    }
    bits.iter().fold(0, |all, bit| all | bit)
}

macro_rules! comparison {
    ($t:ty, $f:expr) => {
        Some(Comparison {
            plain: handler!(|lanes, o, mask| {
                let value = rows::<$t>(lanes, o.a, o.b, $f);
                store(lanes, o, mask, value, |value, _| value);
            }),
            and: handler!(|lanes, o, mask| {
                let value = rows::<$t>(lanes, o.a, o.b, $f);
                store(lanes, o, mask, value, |value, third| value & third);
            }),
            or: handler!(|lanes, o, mask| {
                let value = rows::<$t>(lanes, o.a, o.b, $f);
                store(lanes, o, mask, value, |value, third| value | third);
            }),
            xor: handler!(|lanes, o, mask| {
                let value = rows::<$t>(lanes, o.a, o.b, $f);
                store(lanes, o, mask, value, |value, third| value ^ third);
            }),
        })
    };
}

macro_rules! ordered {
    ($name:expr, $t:ty) => {
        match $name {
            "eq" => comparison!($t, |a, b| a == b),
            "ne" => comparison!($t, |a, b| a != b),
            "lt" => comparison!($t, |a, b| a < b),
            "le" => comparison!($t, |a, b| a <= b),
            "gt" => comparison!($t, |a, b| a > b),
            "ge" => comparison!($t, |a, b| a >= b),
            _ => None,
        }
    };
}

// The names that end in `u` are true for NaN; `ne` isn't, other than in Rust.
macro_rules! floating {
    ($name:expr, $t:ty, $f:expr) => {
        match $name {
            "eq" => comparison!($t, |a, b| $f(a) == $f(b)),
            "ne" => comparison!($t, |a, b| $f(a) < $f(b) || $f(a) > $f(b)),
            "lt" => comparison!($t, |a, b| $f(a) < $f(b)),
            "le" => comparison!($t, |a, b| $f(a) <= $f(b)),
            "gt" => comparison!($t, |a, b| $f(a) > $f(b)),
            "ge" => comparison!($t, |a, b| $f(a) >= $f(b)),
            "equ" => comparison!($t, |a, b| !($f(a) < $f(b) || $f(a) > $f(b))),
            "neu" => comparison!($t, |a, b| $f(a) != $f(b)),
            "ltu" => comparison!($t, |a, b| $f(a).partial_cmp(&$f(b)).is_none_or(Ordering::is_lt)),
            "leu" => comparison!($t, |a, b| $f(a).partial_cmp(&$f(b)).is_none_or(Ordering::is_le)),
            "gtu" => comparison!($t, |a, b| $f(a).partial_cmp(&$f(b)).is_none_or(Ordering::is_gt)),
            "geu" => comparison!($t, |a, b| $f(a).partial_cmp(&$f(b)).is_none_or(Ordering::is_ge)),
            "num" => comparison!($t, |a, b| !($f(a).is_nan() || $f(b).is_nan())),
            "nan" => comparison!($t, |a, b| $f(a).is_nan() || $f(b).is_nan()),
            _ => None,
        }
    };
}

fn comparison(name: &str, ty: Type, flush: bool) -> Option<Comparison> {
    let unsigned = match name {
        "lo" => "lt",
        "ls" => "le",
        "hi" => "gt",
        "hs" => "ge",
        name => name,
    };
    match ty {
        Type::Bits(_) if !matches!(name, "eq" | "ne") => None,
        Type::Unsigned(16) | Type::Bits(16) => ordered!(unsigned, u16),
        Type::Unsigned(32) | Type::Bits(32) => ordered!(unsigned, u32),
        Type::Unsigned(64) | Type::Bits(64) => ordered!(unsigned, u64),
        Type::Signed(16) => ordered!(name, i16),
        Type::Signed(32) => ordered!(name, i32),
        Type::Signed(64) => ordered!(name, i64),
        Type::Float(32) if flush => floating!(name, f32, super::single::flush),
        Type::Float(32) => floating!(name, f32, std::convert::identity::<f32>),
        Type::Float(64) => floating!(name, f64, std::convert::identity::<f64>),
        Type::Float(16) if flush => floating!(name, Half, Half::to_flushed),
        Type::Float(16) => floating!(name, Half, Half::to_f32),
        Type::BFloat => floating!(name, Brain, Brain::to_f32),
        _ => None,
    }
}
