//! How arguments reach a GPU, by the spelling of their types.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

use super::types;
use crate::model::Passing;

/// The passing of a parameter of a type.
pub(super) fn passing(ty: &Type) -> Passing {
    match types::plain(ty) {
        Type::Reference(reference) => match types::plain(&reference.elem) {
            Type::Slice(slice) => Passing::ReadSlice((*slice.elem).clone()),
            elem => matrix(elem).map_or(Passing::Value, Passing::ReadMatrix),
        },
        ty if types::is_number(ty) => Passing::Number,
        ty => match last(ty).filter(|last| last.ident == "PerThread").and_then(argument) {
            Some(Type::Slice(slice)) => Passing::OwnSlice((*slice.elem).clone()),
            Some(shape) => matrix(shape).map_or(Passing::Value, Passing::OwnMatrix),
            None => Passing::Value,
        },
    }
}

/// The element of a `Matrix<T>`.
fn matrix(ty: &Type) -> Option<Type> {
    last(ty).filter(|last| last.ident == "Matrix").and_then(argument).cloned()
}

fn last(ty: &Type) -> Option<&PathSegment> {
    match types::plain(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// The first generic argument that is a type.
fn argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(types::plain(ty)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::passing;
    use crate::model::Passing;

    #[test]
    fn by_spelling() {
        for (ty, expected) in [
            ("f32", "number"),
            ("usize", "number"),
            ("[f32; 4]", "value"),
            ("glam::Vec3", "value"),
            ("Body", "value"),
            ("&[f32]", "read slice"),
            ("&'a [Body]", "read slice"),
            ("&Matrix<u8>", "read matrix"),
            ("&g::Matrix<u8>", "read matrix"),
            ("PerThread<[f32]>", "own slice"),
            ("PerThread<'_, [[f32; 2]]>", "own slice"),
            ("g::PerThread<Matrix<f32>>", "own matrix"),
        ] {
            let ty = syn::parse_str(ty).expect("test input parses");
            let found = match passing(&ty) {
                Passing::Number => "number",
                Passing::Value => "value",
                Passing::ReadSlice(_) => "read slice",
                Passing::ReadMatrix(_) => "read matrix",
                Passing::OwnSlice(_) => "own slice",
                Passing::OwnMatrix(_) => "own matrix",
            };
            assert_eq!(found, expected);
        }
    }
}
