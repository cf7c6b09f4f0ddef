//! Names for the types that a user wrote, so that none of the user's tokens stands in an `unsafe` block: what a type's text
//! calls, such as a macro in an array's length, would be in it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Type;

use super::lifetimes;
use crate::model::{Kernel, Map, Passing};

/// The aliases of all parameters, in the scope where an instance's generic parameters have their values.
pub(super) fn aliases(kernel: &Kernel) -> TokenStream {
    let aliases = kernel.parameters.iter().enumerate().map(|(i, parameter)| {
        let (data, map) = parts(&parameter.passing);
        let (element, ty) = (element(i), lifetimes::launched(data.unwrap_or(&parameter.ty)));
        let map = map.map(|map| {
            let name = self::map(i);
            quote!(type #name = #map;)
        });
        quote!(type #element = #ty; #map)
    });
    quote!(#(#aliases)*)
}

/// What stands for the elements of a parameter, or for its value, or for the array that it is.
pub(super) fn element(i: usize) -> Ident {
    format_ident!("__Element{i}", span = Span::call_site())
}

/// What stands for the map of a parameter that has one.
pub(super) fn map(i: usize) -> Ident {
    format_ident!("__Map{i}", span = Span::call_site())
}

/// The type of what a parameter is made of, where that isn't the parameter's own, and its map.
fn parts(passing: &Passing) -> (Option<&Type>, Option<&Map>) {
    match passing {
        Passing::OwnSlice(element, map)
        | Passing::OwnMatrix(element, map)
        | Passing::OwnVolume(element, map)
        | Passing::GroupMatrix(element, map) => (Some(element), map.as_ref()),
        Passing::ReadSlice(data)
        | Passing::ReadMatrix(data)
        | Passing::ReadVolume(data)
        | Passing::ReadSegments(data)
        | Passing::OwnSegments(data)
        | Passing::OwnScattered(data)
        | Passing::GroupSegments(data)
        | Passing::GroupPlaced(data)
        | Passing::GroupSlice(data)
        | Passing::GridSlice(data)
        | Passing::Atomic(data)
        | Passing::Fixed(data)
        | Passing::Partition(data) => (Some(data), None),
        Passing::Number | Passing::Value | Passing::Texture | Passing::Surface(_) | Passing::Pointer => {
            (None, None)
        }
    }
}
