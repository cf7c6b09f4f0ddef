//! Moves, addresses and special registers.

use super::decoder::{Decoded, Decoder, Place};
use super::handler::{Handler, handler, map1, map2};
use super::operation::Action;
use super::special::Question;
use crate::machine::{LOCAL_WINDOW, Lane, Lanes, Operands, SHARED_WINDOW, Slot, of_peer, peer, window};
use crate::parse::ParseError;
use crate::parse::syntax::{Operand, Space, Type};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    match decoder.parts[0] {
        "mov" => copy(decoder),
        "cvta" => convert_address(decoder),
        "isspacep" => is_space(decoder),
        "mapa" => map_to_peer(decoder),
        "getctarank" => rank_of(decoder),
        _ => Err(decoder.unknown()),
    }
}

fn copy(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let ty = decoder.value_type()?;
    let count = match decoder.parts.as_slice() {
        [_, _] => 1,
        [_, "v2", _] => 2,
        [_, "v4", _] => 4,
        _ => return Err(decoder.unknown()),
    };
    if count > 1 {
        return copy_vector(decoder, ty, count);
    }
    match decoder.exactly()? {
        [Operand::Name(p), Operand::Name("%is_explicit_cluster")] if ty == Type::Predicate => {
            Ok(Action::Ask(Question::IsClustered { result: decoder.predicate_register(p)? }))
        }
        [d, a] if ty == Type::Predicate => {
            let p = decoder.predicate(d)?;
            let q = decoder.predicate(a)?;
            let handler: Handler = handler!(|lanes, o, mask| {
                let value = lanes.predicate(o.q);
                lanes.set_predicate(o.p, mask, value);
            });
            Ok(Action::Compute(handler, Operands { p, q, ..Operands::default() }))
        }
        [Operand::Vector(parts), a] => unpack(decoder, ty, parts, a),
        [d, Operand::Vector(parts)] => pack(decoder, ty, d, parts),
        [d, a] => {
            let handler = match ty.bits() {
                8 | 16 | 32 => map1!(u32 => u32, |a| a),
                128 => {
                    let (d, a) = (decoder.destination(d, 128)?, decoder.source(a, ty)?);
                    return copy_wide(decoder, [(d, a), (Slot(d.0 + 1), Slot(a.0 + 1))]);
                }
                64 => map1!(u64 => u64, |a| a),
                _ => return Err(decoder.unknown()),
            };
            let d = decoder.destination(d, ty.bits())?;
            // A special register goes straight to where it is wanted.
            if let Operand::Name(name) = a
                && name.starts_with('%')
                && decoder.place(name).is_none()
            {
                return decoder.special(name, d, ty.bits());
            }
            let a = decoder.source(a, ty)?;
            Ok(Action::Compute(handler, Operands { d, a, ..Operands::default() }))
        }
    }
}

/// Moves two rows of 64 bits, which may overlap.
fn copy_wide(decoder: &mut Decoder<'_, '_>, rows: [(Slot, Slot); 2]) -> Decoded {
    let handler = map1!(u64 => u64, |a| a);
    let [(low, from_low), (high, from_high)] = rows;
    let held = decoder.temporary(64);
    let step = |d, a| Action::Compute(handler, Operands { d, a, ..Operands::default() });
    decoder.push(step(held, from_high))?;
    decoder.push(step(low, from_low))?;
    Ok(step(high, held))
}

/// `mov.v4.u32 v, w;`, and of special registers with axes, whose fourth is zero.
fn copy_vector(decoder: &mut Decoder<'_, '_>, ty: Type, count: usize) -> Decoded {
    let handler = match ty.bits() {
        16 | 32 => map1!(u32 => u32, |a| a),
        64 => map1!(u64 => u64, |a| a),
        _ => return Err(decoder.unknown()),
    };
    let [Operand::Vector(results), source] = decoder.exactly()? else { return Err(decoder.unknown()) };
    if results.len() != count {
        return Err(decoder.unknown());
    }
    let mut rows = Vec::with_capacity(count);
    for index in 0..count {
        let row = match source {
            Operand::Vector(sources) if sources.len() == count => decoder.source(&sources[index], ty)?,
            Operand::Name(name) if name.starts_with('%') && ty.bits() == 32 => {
                match ["x", "y", "z"].get(index) {
                    Some(axis) => {
                        let slot = decoder.temporary(32);
                        let action = decoder.special(&format!("{name}.{axis}"), slot, 32)?;
                        decoder.push(action)?;
                        slot
                    }
                    None => decoder.constant(32, 0),
                }
            }
            _ => return Err(decoder.unknown()),
        };
        // Held first: a vector may be moved into one that shares its registers.
        let held = decoder.temporary(ty.bits());
        decoder.push(Action::Compute(handler, Operands { d: held, a: row, ..Operands::default() }))?;
        rows.push(held);
    }
    for (result, a) in results.iter().zip(rows) {
        let d = decoder.destination(result, ty.bits())?;
        decoder.push(Action::Compute(handler, Operands { d, a, ..Operands::default() }))?;
    }
    Ok(Action::Nothing)
}

fn part_width(decoder: &Decoder<'_, '_>, ty: Type, parts: usize) -> Result<u8, ParseError> {
    match (ty.bits(), parts) {
        (64, 2) => Ok(32),
        (32, 2) | (64, 4) => Ok(16),
        (16, 2) | (32, 4) => Ok(8),
        _ => Err(decoder.unknown()),
    }
}

fn unpack<'s>(
    decoder: &mut Decoder<'_, 's>,
    ty: Type,
    parts: &[Operand<'s>],
    source: &Operand<'s>,
) -> Decoded {
    if let ([low, high], 128) = (parts, ty.bits()) {
        let (low, high) = (decoder.destination(low, 64)?, decoder.destination(high, 64)?);
        let a = decoder.source(source, ty)?;
        return copy_wide(decoder, [(low, a), (high, Slot(a.0 + 1))]);
    }
    let width = part_width(decoder, ty, parts.len())?;
    let a = decoder.source(source, ty)?;
    let handler: Handler = match (ty.bits(), width) {
        (64, 32) => handler!(|lanes, o, mask| lanes.map1::<u64, u32>(o, mask, |a| (a >> o.x) as u32)),
        (64, _) => handler!(|lanes, o, mask| lanes.map1::<u64, u16>(o, mask, |a| (a >> o.x) as u16)),
        (_, 16) => handler!(|lanes, o, mask| lanes.map1::<u32, u16>(o, mask, |a| (a >> o.x) as u16)),
        _ => handler!(|lanes, o, mask| lanes.map1::<u32, u16>(o, mask, |a| (a >> o.x) as u16 & 0xff)),
    };
    for (number, part) in parts.iter().enumerate() {
        let (d, has) = decoder.wide_destination(part, width)?;
        if has != width.max(16) {
            return Err(decoder.error("a part of another width"));
        }
        let x = number as u32 * u32::from(width);
        decoder.push(Action::Compute(handler, Operands { d, a, x, ..Operands::default() }))?;
    }
    Ok(Action::Nothing)
}

fn pack<'s>(decoder: &mut Decoder<'_, 's>, ty: Type, d: &Operand<'s>, parts: &[Operand<'s>]) -> Decoded {
    if let ([low, high], 128) = (parts, ty.bits()) {
        let (low, high) = (decoder.source(low, Type::Bits(64))?, decoder.source(high, Type::Bits(64))?);
        let d = decoder.destination(d, 128)?;
        return copy_wide(decoder, [(d, low), (Slot(d.0 + 1), high)]);
    }
    let width = part_width(decoder, ty, parts.len())?;
    let d = decoder.destination(d, ty.bits())?;
    let part_type = Type::Bits(width);
    if let ([a, b], 64) = (parts, ty.bits()) {
        let (a, b) = (decoder.source(a, part_type)?, decoder.source(b, part_type)?);
        let handler = map2!(u32, u32 => u64, |a, b| u64::from(b) << 32 | u64::from(a));
        return Ok(Action::Compute(handler, Operands { d, a, b, ..Operands::default() }));
    }
    // Collected in a temporary row: the result may be one of the parts' registers.
    let whole = decoder.temporary(ty.bits());
    for (number, part) in parts.iter().enumerate() {
        let a = decoder.source(part, part_type)?;
        let x = (number as u32 * u32::from(width)) | (u32::from(width) << 8);
        let handler: Handler = if ty.bits() == 64 {
            handler!(|lanes, o, mask| {
                let (shift, limit) = (o.x & 0xff, (1_u64 << (o.x >> 8)) - 1);
                let keeps = if shift == 0 { 0 } else { u64::MAX };
                lanes.map2::<u32, u64, u64>(o, mask, |a, b| (b & keeps) | (u64::from(a) & limit) << shift);
            })
        } else {
            handler!(|lanes, o, mask| {
                let (shift, limit) = (o.x & 0xff, (1_u32 << (o.x >> 8)) - 1);
                let keeps = if shift == 0 { 0 } else { u32::MAX };
                lanes.map2::<u32, u32, u32>(o, mask, |a, b| (b & keeps) | (a & limit) << shift);
            })
        };
        decoder
            .push(Action::Compute(handler, Operands { d: whole, a, b: whole, x, ..Operands::default() }))?;
    }
    let handler = if ty.bits() == 64 { map1!(u64 => u64, |a| a) } else { map1!(u32 => u32, |a| a) };
    Ok(Action::Compute(handler, Operands { d, a: whole, ..Operands::default() }))
}

fn convert_address(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let handler: Handler = match decoder.parts.as_slice() {
        ["cvta", "to", "shared" | "shared::cta" | "shared::cluster", "u64"] => {
            map1!(u64 => u64, |a| a.wrapping_sub(SHARED_WINDOW))
        }
        ["cvta", "shared" | "shared::cta" | "shared::cluster", "u64"] => {
            map1!(u64 => u64, |a| a.wrapping_add(SHARED_WINDOW))
        }
        ["cvta", "to", "local", "u64"] => map1!(u64 => u64, |a| a.wrapping_sub(LOCAL_WINDOW)),
        ["cvta", "local", "u64"] => map1!(u64 => u64, |a| a.wrapping_add(LOCAL_WINDOW)),
        // These lie in the generic space where they are.
        ["cvta", "global" | "const" | "param" | "param::entry", "u64"]
        | ["cvta", "to", "global" | "const" | "param" | "param::entry", "u64"] => {
            map1!(u64 => u64, |a| a)
        }
        _ => return Err(decoder.unknown()),
    };
    // The address of a `.param` of a function is generic already.
    if let [_, Operand::Name(name)] = decoder.operands()
        && let Some(Place::Symbol(_, Space::Register)) = decoder.place(name)
    {
        return Err(decoder.unknown());
    }
    decoder.uniform_of(1, Some(handler), Type::Unsigned(64))
}

/// The address of the same place in the memory of another group of the cluster.
fn map_to_peer(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let (handler, bits): (Handler, u8) = match decoder.parts.as_slice() {
        ["mapa", "u64"] => {
            // An address that isn't in workgroup memory stays what it is: nothing is said of it.
            let handler = map2!(u64, u32 => u64, |a, rank| {
                if window(a) == 1 { SHARED_WINDOW + of_peer(a.wrapping_sub(SHARED_WINDOW), rank) } else { a }
            });
            (handler, 64)
        }
        ["mapa", "shared::cluster", "u64"] => (map2!(u64, u32 => u64, of_peer), 64),
        // A generic address of 32 bits isn't one: it is told apart from one in workgroup memory by nothing.
        ["mapa", "shared::cluster", "u32"] | ["mapa", "u32"] => {
            (map2!(u32, u32 => u32, |a, rank| of_peer(a.into(), rank) as u32), 32)
        }
        _ => return Err(decoder.unknown()),
    };
    let [d, a, rank] = decoder.exactly()?;
    let d = decoder.destination(d, bits)?;
    let (a, b) = (decoder.source(a, Type::Unsigned(bits))?, decoder.source(rank, Type::Unsigned(32))?);
    Ok(Action::Compute(handler, Operands { d, a, b, ..Operands::default() }))
}

/// The rank of the group whose memory an address is in.
fn rank_of(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let (handler, bits): (Handler, u8) = match decoder.parts.as_slice() {
        ["getctarank", "u64"] => (handler!(|lanes, o, mask| write_ranks(lanes, o, mask, SHARED_WINDOW)), 64),
        ["getctarank", "shared::cluster", "u64"] => {
            (handler!(|lanes, o, mask| write_ranks(lanes, o, mask, 0)), 64)
        }
        ["getctarank", "shared::cluster", "u32"] => {
            let handler = handler!(|lanes, o, mask| {
                let own = lanes.rank;
                let rank = |a: u32| peer(a.into()).0.map_or(own, |rank| rank as u32);
                let ranks = u32::read(lanes, o.a).map(rank);
                u32::write(lanes, o.d, mask, &ranks);
            });
            (handler, 32)
        }
        _ => return Err(decoder.unknown()),
    };
    let [d, a] = decoder.exactly()?;
    let d = decoder.destination(d, 32)?;
    let a = decoder.source(a, Type::Unsigned(bits))?;
    Ok(Action::Compute(handler, Operands { d, a, ..Operands::default() }))
}

fn write_ranks(lanes: &mut Lanes<'_>, o: &Operands, mask: u32, start: u64) {
    let own = lanes.rank;
    let ranks = u64::read(lanes, o.a).map(|a| peer(a.wrapping_sub(start)).0.map_or(own, |rank| rank as u32));
    u32::write(lanes, o.d, mask, &ranks);
}

fn is_space(decoder: &mut Decoder<'_, '_>) -> Decoded {
    macro_rules! within {
        ($f:expr) => {{
            let handler: Handler = handler!(|lanes, o, mask| {
                let rows = u64::read(lanes, o.a);
                let bits = rows
                    .iter()
                    .enumerate()
                    .fold(0, |bits, (lane, a)| bits | u32::from($f(window(*a))) << lane);
                lanes.set_predicate(o.p, mask, bits);
            });
            Some(handler)
        }};
    }
    let handler = match decoder.parts.as_slice() {
        [_, "global"] => within!(|window| window == 0),
        [_, "shared" | "shared::cta"] => {
            let handler: Handler = handler!(|lanes, o, mask| {
                let own = u64::from(lanes.rank);
                let is_own = |a: u64| {
                    window(a) == 1 && peer(a.wrapping_sub(SHARED_WINDOW)).0.is_none_or(|rank| rank == own)
                };
                let rows = u64::read(lanes, o.a);
                let bits =
                    rows.iter().enumerate().fold(0, |bits, (lane, a)| bits | u32::from(is_own(*a)) << lane);
                lanes.set_predicate(o.p, mask, bits);
            });
            Some(handler)
        }
        [_, "shared::cluster"] => within!(|window| window == 1),
        [_, "local"] => within!(|window| window == 2),
        [_, "param" | "param::entry"] => within!(|window| window == 3),
        // Constants lie in global memory here, in variables that can't be written.
        [_, "const"] => None,
        _ => return Err(decoder.unknown()),
    };
    let [Operand::Name(p), a] = decoder.exactly()? else { return Err(decoder.unknown()) };
    let p = decoder.predicate_register(p)?;
    let a = decoder.source(a, Type::Unsigned(64))?;
    Ok(match handler {
        Some(handler) => Action::Compute(handler, Operands { a, p, ..Operands::default() }),
        None => Action::Ask(Question::IsConstant { address: a, result: p }),
    })
}
