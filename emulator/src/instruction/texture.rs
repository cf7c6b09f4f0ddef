//! `tex` with a texture of its own number (bindless), and `sust.b`.

use super::decoder::{Decoded, Decoder};
use super::operation::{Action, Slot, SurfaceStore, TexelPlace, TextureRead};
use crate::parse::ParseError;
use crate::parse::syntax::{Operand, Type};
use crate::texture::ArrayKind;

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    match decoder.parts.as_slice() {
        ["tex", kind, "v4", result, coordinate] => {
            let (kind, result, coordinate) = (array_kind(kind), Type::parse(result), Type::parse(coordinate));
            let result = decoder.known(
                result.filter(|ty| matches!(ty, Type::Float(32) | Type::Signed(32) | Type::Unsigned(32))),
            )?;
            let coordinate =
                decoder.known(coordinate.filter(|ty| matches!(ty, Type::Float(32) | Type::Signed(32))))?;
            let kind = decoder.known(kind)?;
            let [results, texture] = decoder.exactly()?;
            let place = place(decoder, texture, kind, coordinate)?;
            let Operand::Vector(results) = results else { return Err(decoder.unknown()) };
            let mut slots = [Slot::default(); 4];
            if results.len() != slots.len() {
                return Err(decoder.error("`tex` gives four values"));
            }
            for (slot, result) in slots.iter_mut().zip(results) {
                *slot = decoder.destination(result, 32)?;
            }
            let reads_texels = coordinate == Type::Signed(32);
            let reads_floats = result.is_float();
            Ok(Action::Texture(Box::new(TextureRead { place, reads_texels, reads_floats, results: slots })))
        }
        ["sust", "b", kind, rest @ .., "trap"] => {
            let kind = decoder.known(array_kind(kind))?;
            let (count, element) = match rest {
                [element] => (1, element),
                ["v2", element] => (2, element),
                ["v4", element] => (4, element),
                _ => return Err(decoder.unknown()),
            };
            let element = Type::parse(element).filter(|ty| matches!(ty, Type::Bits(8 | 16 | 32)));
            let element = decoder.known(element)?;
            let [surface, values] = decoder.exactly()?;
            let place = place(decoder, surface, kind, Type::Signed(32))?;
            let Operand::Vector(values) = values else { return Err(decoder.unknown()) };
            if values.len() != count {
                return Err(decoder.error(format!("{} values where the opcode says {count}", values.len())));
            }
            let mut slots = Vec::with_capacity(count);
            for value in values {
                slots.push(decoder.wide_source(value, element)?.0);
            }
            Ok(Action::SurfaceStore(Box::new(SurfaceStore { place, size: element.bytes(), values: slots })))
        }
        _ => Err(decoder.unknown()),
    }
}

fn array_kind(part: &str) -> Option<ArrayKind> {
    Some(match part {
        "1d" => ArrayKind::Line,
        "2d" => ArrayKind::Plane,
        "3d" => ArrayKind::Volume,
        "a2d" => ArrayKind::Layers,
        _ => return None,
    })
}

/// The number of the object, and the coordinates. Of more than two, the last of four isn't looked at; a layer is the first.
fn place<'s>(
    decoder: &mut Decoder<'_, 's>,
    operand: &Operand<'s>,
    kind: ArrayKind,
    coordinate: Type,
) -> Result<TexelPlace, ParseError> {
    let Operand::Texel(object, coordinates) = operand else {
        return Err(decoder.error("a texture without coordinates"));
    };
    let object = decoder.source(&Operand::Name(object), Type::Bits(64))?;
    let wanted = match kind {
        ArrayKind::Line => 1,
        ArrayKind::Plane => 2,
        ArrayKind::Volume | ArrayKind::Layers => 4,
    };
    if coordinates.len() != wanted {
        let given = coordinates.len();
        return Err(decoder.error(format!("{given} coordinates where the opcode takes {wanted}")));
    }
    let mut coordinates = coordinates.iter();
    let layer = match (kind, coordinates.as_slice()) {
        (ArrayKind::Layers, [layer, rest @ ..]) => {
            coordinates = rest.iter();
            Some(decoder.source(layer, Type::Unsigned(32))?)
        }
        _ => None,
    };
    let mut slots = Vec::with_capacity(3);
    for operand in coordinates.take(if layer.is_some() { 2 } else { 3 }) {
        slots.push(decoder.source(operand, coordinate)?);
    }
    Ok(TexelPlace { kind, object, layer, coordinates: slots })
}
