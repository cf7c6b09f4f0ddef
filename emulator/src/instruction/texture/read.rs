//! `tex` and `tld4`.

use super::operation::{DetailSource, Element, Geometry, TextureOperation, TextureRead};
use super::place::{place, vector};
use crate::instruction::decoder::Decoder;
use crate::left_out::DEPTHS;
use crate::machine::{Predicate, Slot};
use crate::parse::ParseError;
use crate::parse::syntax::{Number, Operand, Type};
use crate::texture::ArrayKind;

pub(super) fn sample(decoder: &mut Decoder<'_, '_>) -> Result<TextureOperation, ParseError> {
    let (mode, geometry, [count, result, coordinate]) = match decoder.parts.as_slice() {
        ["tex", geometry, rest @ ..] if let Ok(rest) = <[&str; 3]>::try_from(rest) => {
            ("base", *geometry, rest)
        }
        ["tex", mode @ ("base" | "level" | "grad"), geometry, rest @ ..]
            if let Ok(rest) = <[&str; 3]>::try_from(rest) =>
        {
            (*mode, *geometry, rest)
        }
        _ => return Err(decoder.unknown()),
    };
    let geometry = decoder.known(Geometry::parse(geometry))?;
    let element = decoder.known(match (count, result) {
        ("v4", "f32") => Some(Element::Single),
        ("v4", "s32" | "u32") => Some(Element::Integer),
        ("v4", "f16") => Some(Element::Half),
        ("v2", "f16x2") => Some(Element::HalfPair),
        _ => None,
    })?;
    let needs = match geometry {
        Geometry::Of(ArrayKind::Cube | ArrayKind::CubeLayers) => Some(Type::Float(32)),
        Geometry::Samples => Some(Type::Signed(32)),
        Geometry::Of(_) => None,
    };
    let coordinate = Type::parse(coordinate).filter(|ty| matches!(ty, Type::Float(32) | Type::Signed(32)));
    let coordinate = decoder.known(coordinate.filter(|ty| needs.is_none_or(|needed| needed == *ty)))?;
    let after = match mode {
        "level" => 1,
        "grad" => 2,
        _ => 0,
    };
    let [results, texture, rest @ ..] = decoder.operands() else { return Err(decoder.unknown()) };
    let (place, sampler) = place(decoder, texture, geometry, coordinate)?;
    let (Some(of_detail), Some(rest)) = (rest.get(..after), rest.get(after..)) else {
        return Err(decoder.unknown());
    };
    let detail = match of_detail {
        [level] => DetailSource::Level(decoder.source(level, coordinate)?),
        [right, down] if coordinate == Type::Float(32) => {
            let axes = geometry.coordinates();
            DetailSource::Gradients([
                vector(decoder, right, axes, coordinate)?,
                vector(decoder, down, axes, coordinate)?,
            ])
        }
        [] => DetailSource::Base,
        _ => return Err(decoder.unknown()),
    };
    let offset = offset(decoder, geometry, rest)?;
    let (results, resident) = results_of(decoder, results, element)?;
    let reads_texels = coordinate == Type::Signed(32);
    Ok(TextureOperation::Read(TextureRead {
        place,
        sampler,
        reads_texels,
        detail,
        offset,
        gathered: None,
        element,
        results,
        resident,
    }))
}

pub(super) fn gather(decoder: &mut Decoder<'_, '_>) -> Result<TextureOperation, ParseError> {
    let ["tld4", channel, geometry, "v4", result, "f32"] = decoder.parts.as_slice() else {
        return Err(decoder.unknown());
    };
    let channel = ["r", "g", "b", "a"].iter().position(|known| known == channel);
    let fits = |geometry: &Geometry| match geometry {
        Geometry::Of(kind) => {
            matches!(kind, ArrayKind::Plane | ArrayKind::Layers | ArrayKind::Cube | ArrayKind::CubeLayers)
        }
        Geometry::Samples => false,
    };
    let geometry = Geometry::parse(geometry).filter(fits);
    let element = match *result {
        "f32" => Some(Element::Single),
        "s32" | "u32" => Some(Element::Integer),
        _ => None,
    };
    let (channel, geometry, element) =
        (decoder.known(channel)?, decoder.known(geometry)?, decoder.known(element)?);
    let [results, texture, rest @ ..] = decoder.operands() else { return Err(decoder.unknown()) };
    let (place, sampler) = place(decoder, texture, geometry, Type::Float(32))?;
    let offset = offset(decoder, geometry, rest)?;
    let (results, resident) = results_of(decoder, results, element)?;
    Ok(TextureOperation::Read(TextureRead {
        place,
        sampler,
        reads_texels: false,
        detail: DetailSource::Base,
        offset,
        gathered: Some(channel),
        element,
        results,
        resident,
    }))
}

/// A vector of integers. A depth to compare with, which may be there too, is of textures that no call of CUDA makes.
fn offset<'s>(
    decoder: &mut Decoder<'_, 's>,
    geometry: Geometry,
    rest: &[Operand<'s>],
) -> Result<Vec<Slot>, ParseError> {
    let axes = match geometry {
        Geometry::Of(ArrayKind::Cube | ArrayKind::CubeLayers) => 0,
        Geometry::Samples => 2,
        Geometry::Of(_) => geometry.coordinates(),
    };
    match rest {
        [] => Ok(Vec::new()),
        [Operand::Vector(_)] if axes > 0 => vector(decoder, &rest[0], axes, Type::Signed(32)),
        // A single value is an offset on one axis if it isn't a float.
        [single] if axes == 1 && !is_float(decoder, single) => vector(decoder, single, 1, Type::Signed(32)),
        _ => Err(decoder.error(format!("a depth to compare with isn't supported: {DEPTHS}"))),
    }
}

/// Whether a value is a floating-point number, or a register that is declared as one.
fn is_float(decoder: &Decoder<'_, '_>, operand: &Operand<'_>) -> bool {
    match operand {
        Operand::Name(name) => {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            decoder.body.variables.iter().any(|variable| {
                let is_named = variable.name == *name || variable.family.is_some() && variable.name == stem;
                is_named && variable.element.is_float()
            })
        }
        Operand::Number(number) => !matches!(number, Number::Integer(_)),
        _ => false,
    }
}

/// `{a, b, c, d}` or `{a, b, c, d}|p`.
fn results_of<'s>(
    decoder: &mut Decoder<'_, 's>,
    operand: &Operand<'s>,
    element: Element,
) -> Result<(Vec<Slot>, Option<Predicate>), ParseError> {
    let (results, resident) = match operand {
        Operand::Vector(results) => (results, None),
        Operand::VectorPair(results, predicate) => (results, Some(decoder.predicate_register(predicate)?)),
        _ => return Err(decoder.unknown()),
    };
    let (count, bits) = match element {
        Element::Single | Element::Integer => (4, 32),
        Element::Half => (4, 16),
        Element::HalfPair => (2, 32),
    };
    if results.len() != count {
        return Err(decoder.error(format!("the opcode gives {count} values")));
    }
    let results = results.iter().map(|result| decoder.destination(result, bits));
    Ok((results.collect::<Result<_, _>>()?, resident))
}
