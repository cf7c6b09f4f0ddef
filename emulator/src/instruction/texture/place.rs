//! The object and the coordinates of an operand in brackets.

use super::operation::{Geometry, TexelPlace};
use crate::instruction::access::Memory;
use crate::instruction::decoder::{Decoder, Place};
use crate::instruction::memory::{Manner, access};
use crate::instruction::operation::Action;
use crate::machine::Slot;
use crate::parse::ParseError;
use crate::parse::syntax::{Base, Operand, Space, Type};
use crate::texture::ArrayKind;

impl Geometry {
    pub(super) fn parse(part: &str) -> Option<Self> {
        Some(Self::Of(match part {
            "1d" => ArrayKind::Line,
            "2d" => ArrayKind::Plane,
            "3d" => ArrayKind::Volume,
            "a1d" => ArrayKind::LineLayers,
            "a2d" => ArrayKind::Layers,
            "cube" => ArrayKind::Cube,
            "acube" => ArrayKind::CubeLayers,
            "2dms" | "a2dms" => return Some(Self::Samples),
            _ => return None,
        }))
    }

    fn has_layers(self) -> bool {
        matches!(self, Self::Of(ArrayKind::LineLayers | ArrayKind::Layers | ArrayKind::CubeLayers))
    }

    /// Coordinates that say something, without a layer. A vector has as many with the layer, or four instead of three.
    pub(super) fn coordinates(self) -> usize {
        match self {
            Self::Of(ArrayKind::Line | ArrayKind::LineLayers) => 1,
            Self::Of(ArrayKind::Plane | ArrayKind::Layers) => 2,
            Self::Of(_) => 3,
            Self::Samples => 4,
        }
    }
}

/// The number of an object: a register, or a reference of the module or among the parameters.
pub(super) fn object<'s>(decoder: &mut Decoder<'_, 's>, name: &'s str) -> Result<Slot, ParseError> {
    if let Some(Place::Symbol(_, Space::Parameter)) = decoder.place(name) {
        let slot = decoder.temporary(64);
        let mut manner = Manner::of(Memory::Generic);
        manner.parameter = true;
        let mut load = access(decoder, &manner, &Operand::Address(Base::Name(name), 0), Type::Bits(64))?;
        load.values = vec![(slot, 64)];
        decoder.push(Action::Load(Box::new(load)))?;
        return Ok(slot);
    }
    decoder.source(&Operand::Name(name), Type::Bits(64))
}

/// `[a]`.
pub(super) fn object_in_brackets<'s>(
    decoder: &mut Decoder<'_, 's>,
    operand: &Operand<'s>,
) -> Result<Slot, ParseError> {
    match operand {
        Operand::Address(Base::Name(name), 0) => object(decoder, name),
        _ => Err(decoder.error("a texture or surface without brackets")),
    }
}

/// `[a, {x, y}]`. Of three coordinates, the last of four isn't looked at; a layer is the first.
pub(super) fn place<'s>(
    decoder: &mut Decoder<'_, 's>,
    operand: &Operand<'s>,
    geometry: Geometry,
    coordinate: Type,
) -> Result<(TexelPlace, Option<Slot>), ParseError> {
    let (name, sampler, coordinates) = match operand {
        Operand::Texel(name, coordinates) => (name, None, coordinates),
        Operand::Sampled(name, sampler, coordinates) => (name, Some(sampler), coordinates),
        _ => return Err(decoder.error("a texture without coordinates")),
    };
    let object_slot = object(decoder, name)?;
    let sampler = sampler.map(|sampler| object(decoder, sampler)).transpose()?;
    let axes = geometry.coordinates();
    let layers = usize::from(geometry.has_layers());
    let given = coordinates.len();
    if given != axes + layers && !(axes + layers == 3 && given == 4) {
        let wanted = axes + layers;
        return Err(decoder.error(format!("{given} coordinates where the opcode takes {wanted}")));
    }
    let mut rest = coordinates.iter();
    let layer = if geometry.has_layers() { rest.next() } else { None };
    let layer = layer.map(|layer| decoder.source(layer, Type::Unsigned(32))).transpose()?;
    let slots = rest.take(axes).map(|operand| decoder.source(operand, coordinate));
    let coordinates = slots.collect::<Result<_, _>>()?;
    Ok((TexelPlace { geometry, object: object_slot, layer, coordinates }, sampler))
}

/// A vector of so many values that say something, of which more may be given; or a single value.
pub(super) fn vector<'s>(
    decoder: &mut Decoder<'_, 's>,
    operand: &Operand<'s>,
    count: usize,
    ty: Type,
) -> Result<Vec<Slot>, ParseError> {
    let single = std::slice::from_ref(operand);
    let values = match operand {
        Operand::Vector(values) => values.as_slice(),
        _ => single,
    };
    if values.len() != count && !(count == 3 && values.len() == 4) {
        return Err(decoder.error(format!("{} values where {count} are taken", values.len())));
    }
    values.iter().take(count).map(|value| decoder.source(value, ty)).collect()
}
