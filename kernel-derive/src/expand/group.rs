//! The body's `&Group`, `&Cluster` or `&Grid`, which in truth has the group's shape as a parameter: so each copy of the body is
//! compiled for one shape.

use proc_macro2::TokenStream;
use syn::{FnArg, GenericArgument, PathArguments, Signature, Type, parse_quote};

use crate::model::Level;

/// Makes a group's or a grid's body generic over the shape; the user's generic parameters stay in front.
pub(super) fn shape(private: &TokenStream, signature: &mut Signature, level: &Level) {
    let (Level::Group(_) | Level::Cluster | Level::Grid) = level else {
        return;
    };
    if let Some(FnArg::Typed(group)) = signature.inputs.first_mut() {
        add_arguments(&mut group.ty);
    }
    signature.generics.params.push(parse_quote!(__Shape: #private::GroupShape));
}

/// `&Group` to `&Group<'_, __Shape>`, and a grid the same, through parentheses.
fn add_arguments(ty: &mut Type) {
    match ty {
        Type::Paren(paren) => add_arguments(&mut paren.elem),
        Type::Group(group) => add_arguments(&mut group.elem),
        Type::Reference(reference) => add_arguments(&mut reference.elem),
        Type::Path(path) => {
            if let Some(last) = path.path.segments.last_mut() {
                let arguments: [GenericArgument; 2] = [parse_quote!('_), parse_quote!(__Shape)];
                last.arguments = PathArguments::AngleBracketed(parse_quote!(<#(#arguments),*>));
            }
        }
        _ => {}
    }
}
