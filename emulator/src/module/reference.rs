//! References to textures, samplers and surfaces among a module's variables.

use crate::parse::ParseError;
use crate::parse::syntax::{Member, Type, Variable};
use crate::texture::{AddressMode, ReferenceKind, Sampler};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Reference {
    /// A texture or a surface: the host binds one to it.
    Bound(ReferenceKind),
    Sampler(Sampler),
}

impl Reference {
    /// The reference that a variable is, if it is one.
    pub(super) fn of(source: &Variable<'_>) -> Result<Option<Self>, ParseError> {
        let Type::Reference(kind) = source.element else { return Ok(None) };
        let error = |name: &str| {
            ParseError::new(source.line, format!("`{name}` of `{}` isn't understood", source.name))
        };
        if kind != ReferenceKind::Sampler {
            // What is bound says what there is.
            return Ok(Some(Self::Bound(kind)));
        }
        let mut sampler = Sampler { is_normalized: true, ..Sampler::NEAREST };
        for &(name, value) in &source.members {
            let axis = match name {
                "addr_mode_0" => Some(0),
                "addr_mode_1" => Some(1),
                "addr_mode_2" => Some(2),
                _ => None,
            };
            match (axis, name, value) {
                (Some(axis), _, Member::Name(mode)) => {
                    sampler.address[axis] = address_mode(mode).ok_or_else(|| error(name))?;
                }
                (_, "filter_mode", Member::Name("nearest")) => sampler.is_linear = false,
                (_, "filter_mode", Member::Name("linear")) => sampler.is_linear = true,
                (_, "force_unnormalized_coords", Member::Number(value)) => sampler.is_normalized = value == 0,
                _ => return Err(error(name)),
            }
        }
        Ok(Some(Self::Sampler(sampler)))
    }
}

fn address_mode(name: &str) -> Option<AddressMode> {
    Some(match name {
        "wrap" => AddressMode::Wrap,
        "mirror" => AddressMode::Mirror,
        "clamp_ogl" | "clamp_to_edge" => AddressMode::Clamp,
        "clamp_to_border" => AddressMode::Border,
        _ => return None,
    })
}
