//! `suld`, `sust` and `sured`.

use super::operation::{Geometry, SurfaceAccess, SurfaceKind, TextureOperation};
use super::place::place;
use crate::instruction::access::AtomicKind;
use crate::instruction::decoder::Decoder;
use crate::instruction::memory::is_hint;
use crate::parse::ParseError;
use crate::parse::syntax::{Operand, Type};
use crate::texture::{ArrayKind, Beyond};

/// The most bytes of an access.
const MOST_BYTES: u32 = 16;

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Result<TextureOperation, ParseError> {
    match decoder.parts.as_slice() {
        ["suld" | "sust", ..] => copy(decoder),
        ["sured", ..] => reduce(decoder),
        _ => Err(decoder.unknown()),
    }
}

fn beyond(part: &str) -> Option<Beyond> {
    Some(match part {
        "trap" => Beyond::Trap,
        "clamp" => Beyond::Clamp,
        "zero" => Beyond::Zero,
        _ => return None,
    })
}

fn geometry(part: &str, has_layers: bool) -> Option<Geometry> {
    Geometry::parse(part).filter(|geometry| match geometry {
        Geometry::Of(ArrayKind::Line | ArrayKind::Plane | ArrayKind::Volume) => true,
        Geometry::Of(ArrayKind::LineLayers | ArrayKind::Layers) => has_layers,
        _ => false,
    })
}

fn copy(decoder: &mut Decoder<'_, '_>) -> Result<TextureOperation, ParseError> {
    let (name, is_texel, geometry_part, rest) = match decoder.parts.as_slice() {
        [name, "b", geometry, rest @ ..] => (*name, false, *geometry, rest),
        ["sust", "p", geometry, rest @ ..] => ("sust", true, *geometry, rest),
        _ => return Err(decoder.unknown()),
    };
    // A hint about caches may come first.
    let rest = match rest {
        [hint, rest @ ..] if is_hint(hint) => rest,
        rest => rest,
    };
    let (count, element, mode) = match *rest {
        [element, mode] => (1, element, mode),
        ["v2", element, mode] => (2, element, mode),
        ["v4", element, mode] => (4, element, mode),
        _ => return Err(decoder.unknown()),
    };
    let element = Type::parse(element).filter(|ty| match ty {
        Type::Bits(32) => true,
        Type::Bits(8 | 16 | 64) => !is_texel,
        _ => false,
    });
    let (element, beyond) = (decoder.known(element)?, decoder.known(beyond(mode))?);
    let geometry = decoder.known(geometry(geometry_part, true))?;
    let size = element.bytes();
    if size * count as u32 > MOST_BYTES {
        return Err(decoder.error("an access of more than 16 bytes"));
    }
    let [first, second] = decoder.exactly()?;
    let is_load = name == "suld";
    let (surface, values) = if is_load { (second, first) } else { (first, second) };
    let (place, _) = place(decoder, surface, geometry, Type::Signed(32))?;
    let single = std::slice::from_ref(values);
    let operands = match values {
        Operand::Vector(values) => values.as_slice(),
        _ => single,
    };
    if operands.len() != count {
        return Err(decoder.error(format!("{} values where the opcode says {count}", operands.len())));
    }
    let mut values = Vec::with_capacity(count);
    for operand in operands {
        values.push(if is_load {
            decoder.wide_destination(operand, element.bits())?
        } else {
            decoder.wide_source(operand, element)?
        });
    }
    let kind = match (is_load, is_texel) {
        (true, _) => SurfaceKind::Load,
        (false, false) => SurfaceKind::Store,
        (false, true) => SurfaceKind::StoreTexel,
    };
    Ok(TextureOperation::Surface(SurfaceAccess { place, kind, beyond, size, values }))
}

fn reduce(decoder: &mut Decoder<'_, '_>) -> Result<TextureOperation, ParseError> {
    let ["sured", unit, operation, geometry_part, element, mode] = decoder.parts.as_slice() else {
        return Err(decoder.unknown());
    };
    let operation = match *operation {
        "add" => Some(AtomicKind::Add),
        "min" => Some(AtomicKind::Min),
        "max" => Some(AtomicKind::Max),
        "and" => Some(AtomicKind::And),
        "or" => Some(AtomicKind::Or),
        _ => None,
    };
    let (operation, beyond) = (decoder.known(operation)?, decoder.known(beyond(mode))?);
    let element = decoder.known(Type::parse(element))?;
    let is_bounded = matches!(operation, AtomicKind::Min | AtomicKind::Max);
    let kind = match (*unit, operation, element) {
        ("b", AtomicKind::Add, Type::Unsigned(32 | 64) | Type::Signed(32))
        | ("b", AtomicKind::And | AtomicKind::Or, Type::Bits(32)) => SurfaceKind::Reduce(operation, element),
        ("b", _, Type::Unsigned(32 | 64) | Type::Signed(32 | 64)) if is_bounded => {
            SurfaceKind::Reduce(operation, element)
        }
        ("p", _, Type::Bits(32)) => SurfaceKind::ReduceTexel(operation, element),
        ("p", _, Type::Bits(64)) if is_bounded => SurfaceKind::ReduceTexel(operation, element),
        _ => return Err(decoder.unknown()),
    };
    let geometry = decoder.known(geometry(geometry_part, false))?;
    let [surface, value] = decoder.exactly()?;
    let (place, _) = place(decoder, surface, geometry, Type::Signed(32))?;
    let value = decoder.source(value, element)?;
    let values = vec![(value, element.bits())];
    Ok(TextureOperation::Surface(SurfaceAccess { place, kind, beyond, size: element.bytes(), values }))
}
