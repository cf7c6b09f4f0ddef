//! Logic, shifts and other work on bits.

use super::decoder::{Decoded, Decoder};
use super::handler::{Handler, by_width, map1, map2, map3};
use super::operation::Action;
use crate::machine::{Lane, Lanes, Operands, Slot};
use crate::parse::syntax::{Number, Operand, Type};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    if decoder.parts[0] == "prmt" {
        return permutation(decoder);
    }
    let ty = decoder.value_type()?;
    let bits = ty.bits();
    let modifiers: Vec<&str> = decoder.modifiers(1)?.to_vec();
    let name = decoder.parts[0];
    if ty.is_float() {
        return Err(decoder.unknown());
    }
    match (name, modifiers.as_slice()) {
        ("and" | "or" | "xor" | "not", []) if ty == Type::Predicate => on_predicates(decoder, name),
        ("and", []) => decoder.uniform_of(2, by_width!(bits, map2, |a, b| a & b), ty),
        ("or", []) => decoder.uniform_of(2, by_width!(bits, map2, |a, b| a | b), ty),
        ("xor", []) => decoder.uniform_of(2, by_width!(bits, map2, |a, b| a ^ b), ty),
        ("not", []) => decoder.uniform_of(1, by_width!(bits, map1, |a| !a), ty),
        ("cnot", []) => decoder.uniform_of(1, by_width!(bits, map1, |a| (a == 0).into()), ty),
        ("shl", []) => shift(
            decoder,
            ty,
            match bits {
                16 => Some(map2!(u16, u32 => u16, |a, b| a.checked_shl(b).unwrap_or(0))),
                32 => Some(map2!(u32, u32 => u32, |a, b| if b > 31 { 0 } else { a << (b & 31) })),
                64 => Some(map2!(u64, u32 => u64, |a, b| if b > 63 { 0 } else { a << (b & 63) })),
                _ => None,
            },
        ),
        ("shr", []) => shift(
            decoder,
            ty,
            match (ty, bits) {
                (Type::Signed(16), _) => Some(map2!(i16, u32 => i16, |a, b| a >> b.min(15))),
                (Type::Signed(32), _) => Some(map2!(i32, u32 => i32, |a, b| a >> b.min(31))),
                (Type::Signed(64), _) => Some(map2!(i64, u32 => i64, |a, b| a >> b.min(63))),
                (_, 16) => Some(map2!(u16, u32 => u16, |a, b| a.checked_shr(b).unwrap_or(0))),
                (_, 32) => Some(map2!(u32, u32 => u32, |a, b| if b > 31 { 0 } else { a >> (b & 31) })),
                (_, 64) => Some(map2!(u64, u32 => u64, |a, b| if b > 63 { 0 } else { a >> (b & 63) })),
                _ => None,
            },
        ),
        ("shf", [direction, mode]) if bits == 32 => {
            let handler = match (*direction, *mode) {
                ("l", "wrap") => {
                    map3!(u32, u32, u32 => u32, |a, b, c| ((pair(a, b) << (c & 31)) >> 32) as u32)
                }
                ("l", "clamp") => {
                    map3!(u32, u32, u32 => u32, |a, b, c| ((pair(a, b) << c.min(32)) >> 32) as u32)
                }
                ("r", "wrap") => map3!(u32, u32, u32 => u32, |a, b, c| (pair(a, b) >> (c & 31)) as u32),
                ("r", "clamp") => map3!(u32, u32, u32 => u32, |a, b, c| (pair(a, b) >> c.min(32)) as u32),
                _ => return Err(decoder.unknown()),
            };
            decoder.uniform_of(3, Some(handler), ty)
        }
        ("lop3", []) if bits == 32 => lop3(decoder, ty),
        ("lop3", [combine @ ("and" | "or")]) if bits == 32 => lop3_with_predicate(decoder, ty, combine),
        ("bfe", []) => extract(decoder, ty),
        ("bfi", []) => insert(decoder, ty),
        ("brev", []) => {
            decoder.uniform_of(1, wide_only(bits, by_width!(bits, map1, |a| a.reverse_bits())), ty)
        }
        ("clz", []) => count(
            decoder,
            ty,
            [map1!(u32 => u32, |a| a.leading_zeros()), map1!(u64 => u32, |a| a.leading_zeros())],
        ),
        ("popc", []) => {
            count(decoder, ty, [map1!(u32 => u32, |a| a.count_ones()), map1!(u64 => u32, |a| a.count_ones())])
        }
        ("bfind", []) => count(decoder, ty, highest(ty, false)),
        ("bfind", ["shiftamt"]) => count(decoder, ty, highest(ty, true)),
        ("fns", []) if bits == 32 => decoder.uniform_of(3, Some(map3!(u32, u32, i32 => u32, nth_set)), ty),
        ("bmsk", [mode @ ("clamp" | "wrap")]) => {
            let handler = if *mode == "clamp" {
                map2!(u32, u32 => u32, |a, b| ((((1_u64 << b.min(32)) - 1) << a.min(32)) & 0xffff_ffff) as u32)
            } else {
                map2!(u32, u32 => u32, |a, b| ((((1_u64 << (b & 31)) - 1) << (a & 31)) & 0xffff_ffff) as u32)
            };
            decoder.uniform_of(2, Some(handler), ty)
        }
        ("szext", [mode @ ("clamp" | "wrap")]) => {
            let handler = match (ty, *mode) {
                (Type::Unsigned(32), "clamp") => {
                    map2!(u32, u32 => u32, |a, b| if b > 31 { a } else { a & !(u32::MAX << b) })
                }
                (Type::Unsigned(32), _) => map2!(u32, u32 => u32, |a, b| a & !(u32::MAX << (b & 31))),
                (Type::Signed(32), "clamp") => map2!(i32, u32 => i32, |a, b| sign_extend(a, b.min(32))),
                (Type::Signed(32), _) => map2!(i32, u32 => i32, |a, b| sign_extend(a, b & 31)),
                _ => return Err(decoder.unknown()),
            };
            decoder.uniform_of(2, Some(handler), ty)
        }
        ("dp4a", [first]) => dot(decoder, first, None, ty),
        ("dp2a", [half @ ("lo" | "hi"), first]) => dot(decoder, first, Some(*half == "hi"), ty),
        _ => Err(decoder.unknown()),
    }
}

fn pair(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn wide_only(bits: u8, handler: Option<Handler>) -> Option<Handler> {
    handler.filter(|_| bits >= 32)
}

fn on_predicates(decoder: &mut Decoder<'_, '_>, name: &str) -> Decoded {
    let mut operands = Operands::default();
    let handler: Handler = match name {
        "not" => |lanes, operands, mask| {
            let value = !lanes.predicate(operands.q);
            lanes.set_predicate(operands.p, mask, value);
        },
        "and" => |lanes, operands, mask| {
            let value = lanes.predicate(operands.q) & lanes.predicate(operands.r);
            lanes.set_predicate(operands.p, mask, value);
        },
        "or" => |lanes, operands, mask| {
            let value = lanes.predicate(operands.q) | lanes.predicate(operands.r);
            lanes.set_predicate(operands.p, mask, value);
        },
        _ => |lanes, operands, mask| {
            let value = lanes.predicate(operands.q) ^ lanes.predicate(operands.r);
            lanes.set_predicate(operands.p, mask, value);
        },
    };
    let (d, sources) = decoder.operands().split_first().ok_or_else(|| decoder.unknown())?;
    operands.p = decoder.predicate(d)?;
    match (sources, name) {
        ([a], "not") => operands.q = decoder.predicate(a)?,
        ([a, b], "and" | "or" | "xor") => {
            operands.q = decoder.predicate(a)?;
            operands.r = decoder.predicate(b)?;
        }
        _ => return Err(decoder.unknown()),
    }
    Ok(Action::Compute(handler, operands))
}

/// Decodes a shift. The amount has 32 bits, whatever is shifted.
fn shift(decoder: &mut Decoder<'_, '_>, ty: Type, handler: Option<Handler>) -> Decoded {
    let handler = decoder.known(handler)?;
    let [d, a, b] = decoder.exactly()?;
    let d = decoder.destination(d, ty.bits())?;
    let a = decoder.source(a, ty)?;
    let b = decoder.source(b, Type::Unsigned(32))?;
    Ok(Action::Compute(handler, Operands { d, a, b, ..Operands::default() }))
}

fn immediate(decoder: &Decoder<'_, '_>, operand: &Operand<'_>) -> Result<u32, crate::parse::ParseError> {
    match operand {
        Operand::Number(Number::Integer(value)) => Ok(*value as u32),
        _ => Err(decoder.error("an operand that has to be a constant isn't")),
    }
}

fn lop3(decoder: &mut Decoder<'_, '_>, ty: Type) -> Decoded {
    let [d, a, b, c, table] = decoder.exactly()?;
    let d = decoder.destination(d, 32)?;
    combine_bits(decoder, ty, d, [a, b, c], table)
}

/// `lop3.or.b32 d|p, a, b, c, table, q`: and whether a bit of the result is set, combined with a predicate.
fn lop3_with_predicate(decoder: &mut Decoder<'_, '_>, ty: Type, combine: &str) -> Decoded {
    let [Operand::Pair(d, p), a, b, c, table, q] = decoder.exactly()? else { return Err(decoder.unknown()) };
    let d = decoder.destination(&Operand::Name(d), 32)?;
    let (p, q) = (decoder.predicate_register(p)?, decoder.predicate(q)?);
    let action = combine_bits(decoder, ty, d, [a, b, c], table)?;
    decoder.push(action)?;
    let handler: Handler = if combine == "and" {
        |lanes, o, mask| {
            let value = any_bit(lanes, o) & lanes.predicate(o.q);
            lanes.set_predicate(o.p, mask, value);
        }
    } else {
        |lanes, o, mask| {
            let value = any_bit(lanes, o) | lanes.predicate(o.q);
            lanes.set_predicate(o.p, mask, value);
        }
    };
    Ok(Action::Compute(handler, Operands { a: d, p, q, ..Operands::default() }))
}

fn any_bit(lanes: &Lanes<'_>, operands: &Operands) -> u32 {
    let row = <u32 as Lane>::read(lanes, operands.a);
    row.iter().enumerate().fold(0, |bits, (lane, a)| bits | u32::from(*a != 0) << lane)
}

fn combine_bits<'s>(
    decoder: &mut Decoder<'_, 's>,
    ty: Type,
    d: Slot,
    [a, b, c]: [&Operand<'s>; 3],
    table: &Operand<'s>,
) -> Decoded {
    let x = immediate(decoder, table)? & 0xff;
    let (a, b, c) = (decoder.source(a, ty)?, decoder.source(b, ty)?, decoder.source(c, ty)?);
    let handler: Handler = |lanes, operands, mask| {
        let table = operands.x;
        lanes.map3::<u32, u32, u32, u32>(operands, mask, |a, b, c| {
            let mut result = 0;
            for row in 0..8 {
                if table >> row & 1 == 1 {
                    let pick = |value: u32, bit: u32| if row >> bit & 1 == 1 { value } else { !value };
                    result |= pick(a, 2) & pick(b, 1) & pick(c, 0);
                }
            }
            result
        });
    };
    Ok(Action::Compute(handler, Operands { d, a, b, c, x, ..Operands::default() }))
}

fn extract(decoder: &mut Decoder<'_, '_>, ty: Type) -> Decoded {
    let handler = match ty {
        Type::Unsigned(32) => {
            map3!(u32, u32, u32 => u32, |a, b, c| field(u64::from(a), b, c, 32, false) as u32)
        }
        Type::Signed(32) => {
            map3!(u32, u32, u32 => u32, |a, b, c| field(i64::from(a as i32) as u64, b, c, 32, true) as u32)
        }
        Type::Unsigned(64) => map3!(u64, u32, u32 => u64, |a, b, c| field(a, b, c, 64, false)),
        Type::Signed(64) => map3!(u64, u32, u32 => u64, |a, b, c| field(a, b, c, 64, true)),
        _ => return Err(decoder.unknown()),
    };
    let [d, a, b, c] = decoder.exactly()?;
    let d = decoder.destination(d, ty.bits())?;
    let a = decoder.source(a, ty)?;
    let (b, c) = (decoder.source(b, Type::Unsigned(32))?, decoder.source(c, Type::Unsigned(32))?);
    Ok(Action::Compute(handler, Operands { d, a, b, c, ..Operands::default() }))
}

/// Bits from `start` on, `length` of them; beyond the width the sign, if there is one.
fn field(value: u64, start: u32, length: u32, width: u32, signed: bool) -> u64 {
    let (start, length) = (start & 0xff, length & 0xff);
    if length == 0 {
        return 0;
    }
    let value = i128::from(value as i64);
    let value = if signed { value } else { i128::from(value as u64) };
    let sign = signed && value >> (start + length - 1).min(width - 1) & 1 == 1;
    let inside = if start >= width { 0 } else { length.min(width - start) };
    let mask = (1_u128 << inside) - 1;
    let bits = if start >= width { 0 } else { (value as u128 >> start) & mask };
    let filled = if sign { bits | !mask } else { bits };
    filled as u64
}

fn insert(decoder: &mut Decoder<'_, '_>, ty: Type) -> Decoded {
    let [f, a, b, c, e] = decoder.exactly()?;
    let d = decoder.destination(f, ty.bits())?;
    let (a, b) = (decoder.source(a, ty)?, decoder.source(b, ty)?);
    let c = decoder.source(c, Type::Unsigned(32))?;
    let length = decoder.source(e, Type::Unsigned(32))?;
    let handler: Handler = match ty {
        Type::Bits(32) => |lanes, operands, mask| insert_into::<u32>(lanes, operands, mask, 32),
        Type::Bits(64) => |lanes, operands, mask| insert_into::<u64>(lanes, operands, mask, 64),
        _ => return Err(decoder.unknown()),
    };
    Ok(Action::Compute(handler, Operands { d, a, b, c, x: length.0, ..Operands::default() }))
}

fn insert_into<T: Lane + Into<u64> + TryFrom<u64>>(
    lanes: &mut Lanes<'_>,
    operands: &Operands,
    mask: u32,
    width: u32,
) {
    let lengths = <u32 as Lane>::read(lanes, Slot(operands.x));
    let starts = <u32 as Lane>::read(lanes, operands.c);
    let (a, b) = (T::read(lanes, operands.a), T::read(lanes, operands.b));
    let mut results = [T::default(); 32];
    for lane in 0..32 {
        let (start, length) = (starts[lane] & 0xff, (lengths[lane] & 0xff).min(width));
        let ones = if length == 64 { u64::MAX } else { (1 << length) - 1 };
        let moved = |value: u64| if start >= width { 0 } else { value << start };
        let limit = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        let field = moved(ones) & limit;
        let value: u64 = (b[lane].into() & !field) | (moved(a[lane].into()) & field);
        results[lane] = T::try_from(value).unwrap_or_default();
    }
    T::write(lanes, operands.d, mask, &results);
}

/// Decodes a count. The result has 32 bits, whatever is counted.
fn count(decoder: &mut Decoder<'_, '_>, ty: Type, handlers: [Handler; 2]) -> Decoded {
    let handler = match ty.bits() {
        32 => handlers[0],
        64 => handlers[1],
        _ => return Err(decoder.unknown()),
    };
    let [d, a] = decoder.exactly()?;
    let d = decoder.destination(d, 32)?;
    let a = decoder.source(a, ty)?;
    Ok(Action::Compute(handler, Operands { d, a, ..Operands::default() }))
}

fn highest(ty: Type, shift: bool) -> [Handler; 2] {
    match (ty.is_signed(), shift) {
        (false, false) => [
            map1!(u32 => u32, |a| a.checked_ilog2().unwrap_or(u32::MAX)),
            map1!(u64 => u32, |a| a.checked_ilog2().unwrap_or(u32::MAX)),
        ],
        (false, true) => [
            map1!(u32 => u32, |a| a.checked_ilog2().map_or(u32::MAX, |bit| 31 - bit)),
            map1!(u64 => u32, |a| a.checked_ilog2().map_or(u32::MAX, |bit| 63 - bit)),
        ],
        (true, false) => [
            map1!(i32 => u32, |a| ((a ^ (a >> 31)) as u32).checked_ilog2().unwrap_or(u32::MAX)),
            map1!(i64 => u32, |a| ((a ^ (a >> 63)) as u64).checked_ilog2().unwrap_or(u32::MAX)),
        ],
        (true, true) => [
            map1!(i32 => u32, |a| ((a ^ (a >> 31)) as u32).checked_ilog2().map_or(u32::MAX, |bit| 31 - bit)),
            map1!(i64 => u32, |a| ((a ^ (a >> 63)) as u64).checked_ilog2().map_or(u32::MAX, |bit| 63 - bit)),
        ],
    }
}

fn sign_extend(value: i32, bits: u32) -> i32 {
    match bits {
        0 => 0,
        32.. => value,
        _ => value << (32 - bits) >> (32 - bits),
    }
}

/// The position of the n-th set bit from `base`, upwards for positive n and downwards for negative.
fn nth_set(mask: u32, base: u32, n: i32) -> u32 {
    let base = base & 31;
    if n == 0 {
        return if mask >> base & 1 == 1 { base } else { u32::MAX };
    }
    let mut left = n.unsigned_abs();
    let mut position = i64::from(base);
    while (0..32).contains(&position) {
        if mask >> position & 1 == 1 {
            left -= 1;
            if left == 0 {
                return position as u32;
            }
        }
        position += i64::from(n.signum());
    }
    u32::MAX
}

fn permutation(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let handler = match decoder.parts.as_slice() {
        ["prmt", "b32"] => map3!(u32, u32, u32 => u32, |a, b, c| permute(a, b, c, "")),
        ["prmt", "f4e", "b32"] => map3!(u32, u32, u32 => u32, |a, b, c| permute(a, b, c, "f4e")),
        ["prmt", "b4e", "b32"] => map3!(u32, u32, u32 => u32, |a, b, c| permute(a, b, c, "b4e")),
        ["prmt", "rc8", "b32"] => map3!(u32, u32, u32 => u32, |a, b, c| permute(a, b, c, "rc8")),
        ["prmt", "ecl", "b32"] => map3!(u32, u32, u32 => u32, |a, b, c| permute(a, b, c, "ecl")),
        ["prmt", "ecr", "b32"] => map3!(u32, u32, u32 => u32, |a, b, c| permute(a, b, c, "ecr")),
        ["prmt", "rc16", "b32"] => map3!(u32, u32, u32 => u32, |a, b, c| permute(a, b, c, "rc16")),
        _ => return Err(decoder.unknown()),
    };
    decoder.uniform_of(3, Some(handler), Type::Bits(32))
}

fn permute(a: u32, b: u32, selector: u32, mode: &str) -> u32 {
    let bytes = pair(a, b).to_le_bytes();
    let lowest = (selector & 3) as usize;
    let picks: [usize; 4] = match mode {
        "f4e" => [lowest, lowest + 1, lowest + 2, lowest + 3],
        "b4e" => [lowest, (lowest + 7) & 7, (lowest + 6) & 7, (lowest + 5) & 7],
        "rc8" => [lowest; 4],
        "ecl" => [lowest, lowest.max(1), lowest.max(2), 3],
        "ecr" => [0, lowest.min(1), lowest.min(2), lowest],
        "rc16" => {
            let half = (selector as usize & 1) * 2;
            [half, half + 1, half, half + 1]
        }
        _ => {
            let pick = |number: u32| {
                let nibble = selector >> (4 * number) & 0xf;
                let byte = bytes[(nibble & 7) as usize];
                if nibble & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 }
            };
            return u32::from_le_bytes([pick(0), pick(1), pick(2), pick(3)]);
        }
    };
    u32::from_le_bytes(picks.map(|pick| bytes[pick]))
}

/// Sums of four products of bytes, or of two products of a half word and a byte.
fn dot(decoder: &mut Decoder<'_, '_>, first: &str, half: Option<bool>, second: Type) -> Decoded {
    const FIRST_SIGNED: u32 = 1;
    const SECOND_SIGNED: u32 = 2;
    let first = match Type::parse(first) {
        Some(Type::Signed(32)) => FIRST_SIGNED,
        Some(Type::Unsigned(32)) => 0,
        _ => return Err(decoder.unknown()),
    };
    let second = match second {
        Type::Signed(32) => SECOND_SIGNED,
        Type::Unsigned(32) => 0,
        _ => return Err(decoder.unknown()),
    };
    let handler: Handler = match half {
        None => |lanes, operands, mask| {
            let signs = operands.x;
            lanes.map3::<u32, u32, u32, u32>(operands, mask, |a, b, c| {
                let mut sum = c as i64;
                for byte in 0..4 {
                    sum += part(a, byte, 8, signs & FIRST_SIGNED != 0)
                        * part(b, byte, 8, signs & SECOND_SIGNED != 0);
                }
                sum as u32
            });
        },
        Some(_) => |lanes, operands, mask| {
            let (signs, high) = (operands.x, operands.x >> 2 & 1);
            lanes.map3::<u32, u32, u32, u32>(operands, mask, |a, b, c| {
                let mut sum = c as i64;
                for number in 0..2 {
                    sum += part(a, number, 16, signs & FIRST_SIGNED != 0)
                        * part(b, number + 2 * high, 8, signs & SECOND_SIGNED != 0);
                }
                sum as u32
            });
        },
    };
    let x = first | second | u32::from(half == Some(true)) << 2;
    match decoder.uniform_of(3, Some(handler), Type::Bits(32))? {
        Action::Compute(handler, operands) => Ok(Action::Compute(handler, Operands { x, ..operands })),
        action => Ok(action),
    }
}

fn part(value: u32, number: u32, bits: u32, signed: bool) -> i64 {
    let bits_of = value >> (number * bits) << (32 - bits);
    if signed { i64::from(bits_of as i32 >> (32 - bits)) } else { i64::from(bits_of >> (32 - bits)) }
}
