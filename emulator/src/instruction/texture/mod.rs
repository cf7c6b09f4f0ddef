//! `tex`, `tld4`, `txq`, `suld`, `sust`, `sured`, `suq` and `istypep`.

mod operation;
mod place;
mod read;
mod surface;

pub(crate) use operation::{
    DetailSource, Element, Geometry, ObjectQuery, ObjectTest, SurfaceAccess, SurfaceKind, TexelPlace,
    TextureOperation, TextureRead,
};

use super::decoder::{Decoded, Decoder};
use super::operation::Action;
use crate::parse::syntax::{Operand, Type};
use crate::texture::{Attribute, ReferenceKind};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let operation = match decoder.parts[0] {
        "tex" => read::sample(decoder)?,
        "tld4" => read::gather(decoder)?,
        "txq" | "suq" => query(decoder)?,
        "istypep" => test(decoder)?,
        _ => surface::decode(decoder)?,
    };
    Ok(Action::Texture(Box::new(operation)))
}

fn query(decoder: &mut Decoder<'_, '_>) -> Result<TextureOperation, crate::parse::ParseError> {
    let (name, of_level) = match decoder.parts.as_slice() {
        ["txq", "level", name, "b32"] => (*name, true),
        ["txq" | "suq", name, "b32"] => (*name, false),
        _ => return Err(decoder.unknown()),
    };
    let is_surface = decoder.parts[0] == "suq";
    let fits = |attribute: &Attribute| {
        if is_surface {
            attribute.is_of_surfaces()
        } else {
            *attribute != Attribute::MemoryLayout && (!of_level || attribute.is_of_levels())
        }
    };
    let attribute = decoder.known(Attribute::parse(name).filter(fits))?;
    let (result, object, level) = match (decoder.operands(), of_level) {
        ([result, object], false) => (result, object, None),
        ([result, object, level], true) => (result, object, Some(level)),
        _ => return Err(decoder.unknown()),
    };
    let object = place::object_in_brackets(decoder, object)?;
    let level = level.map(|level| decoder.source(level, Type::Bits(32))).transpose()?;
    let result = decoder.destination(result, 32)?;
    Ok(TextureOperation::Query(ObjectQuery { object, attribute, level, result, is_surface }))
}

fn test(decoder: &mut Decoder<'_, '_>) -> Result<TextureOperation, crate::parse::ParseError> {
    let kind = match decoder.parts.as_slice() {
        ["istypep", "texref"] => ReferenceKind::Texture,
        ["istypep", "samplerref"] => ReferenceKind::Sampler,
        ["istypep", "surfref"] => ReferenceKind::Surface,
        _ => return Err(decoder.unknown()),
    };
    let [Operand::Name(result), object] = decoder.exactly()? else { return Err(decoder.unknown()) };
    let object = decoder.source(object, Type::Bits(64))?;
    let result = decoder.predicate_register(result)?;
    Ok(TextureOperation::Test(ObjectTest { object, kind, result }))
}
