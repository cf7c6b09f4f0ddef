//! The instances of a generic kernel.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::signature::{self, Use};
use super::{again, quiet};
use crate::model::{Generic, Instance, Kernel, Level};

/// A block for each instance.
pub(super) fn instances(kernel: &Kernel) -> TokenStream {
    let numbered = kernel.instances.iter().enumerate();
    numbered.map(|(number, instance)| self::instance(kernel, number, instance)).collect()
}

/// The generic parameters' names stand for this instance's arguments, so that the parameters' types
/// can be written as they are. The aliases outside are for an argument that has a parameter's name:
/// `type T = T` would refer to itself.
fn instance(kernel: &Kernel, number: usize, instance: &Instance) -> TokenStream {
    let pairs = || kernel.generics.iter().zip(&instance.arguments);
    let outside = pairs().enumerate().map(|(position, (generic, argument))| {
        let alias = alias(position);
        match generic {
            Generic::Type(_) => quote!(type #alias = #argument;),
            Generic::Const(_, ty) => quote! {
                #[allow(unused_braces, unused_parens)]
                const #alias: #ty = #argument;
            },
        }
    });
    let inside = kernel.generics.iter().enumerate().map(|(position, generic)| {
        let (alias, name) = (alias(position), again(generic.name()));
        match generic {
            Generic::Type(_) => quote!(type #name = #alias;),
            Generic::Const(_, ty) => quote!(const #name: #ty = #alias;),
        }
    });
    // Where an argument breaks one of the body's bounds, the error underlines the argument.
    let values = instance.arguments.iter().enumerate().map(|(position, argument)| {
        let mut alias = alias(position);
        alias.set_span(quiet(argument.span()));
        alias
    });
    let shape = shape(kernel);
    let instance = Use {
        name: format!("{}<{}>", kernel.name.unraw(), instance.text),
        number,
        body: quote!(__body::<#(#values),* #shape>),
    };
    let signature = signature::signature(kernel, &instance);
    quote! {
        const _: () = {
            #(#outside)*
            const _: () = {
                #(#inside)*
                #signature
            };
        };
    }
}

/// The body with the generic parameters as they are, among whose names this stands.
pub(super) fn called_with_its_own(kernel: &Kernel) -> TokenStream {
    let names = kernel.generics.iter().map(|generic| again(generic.name()));
    let shape = shape(kernel);
    quote!(__body::<#(#names),* #shape>)
}

/// The body's parameter for the shape of a level.
fn shape(kernel: &Kernel) -> Option<TokenStream> {
    matches!(kernel.level, Level::Group(_) | Level::Cluster | Level::Grid).then(|| quote!(, _))
}

fn alias(position: usize) -> syn::Ident {
    format_ident!("__Instance{position}", span = Span::call_site())
}
