//! `kernel_trait!`: a trait whose types are instances of generic kernels, by which a library that is generic itself names what it
//! launches; and the implementation of one for a type, which makes the instances.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{GenericArgument, GenericParam, PathArguments, Visibility};

use super::{instance, open};
use crate::messages;
use crate::parse::{Carried, DescribedTrait, Given, GivenTrait, KernelTrait, TraitKernel};
use crate::text;

/// The trait, and its carrier. The number is no kernel's of the crate.
pub(crate) fn kernel_trait(tokens: TokenStream, number: usize) -> TokenStream {
    let KernelTrait { root, attributes, visibility, name, generics, supertraits, kernels } =
        match syn::parse2(tokens) {
            Ok(kernel_trait) => kernel_trait,
            Err(error) => return error.into_compile_error(),
        };
    let (declared, _, bounds) = generics.split_for_impl();
    let (supertraits, root) = (supertraits.into_iter(), root);
    let types = kernels.iter().map(|TraitKernel { attributes, name, kernel }| {
        quote! {
            #(#attributes)*
            type #name: #root::__private::Instance<#kernel>;
        }
    });
    let parameters = generics.params.iter().map(|parameter| match parameter {
        GenericParam::Type(parameter) => parameter.ident.to_token_stream(),
        GenericParam::Const(parameter) => {
            let (name, ty) = (&parameter.ident, &parameter.ty);
            quote!(const #name: #ty)
        }
        GenericParam::Lifetime(parameter) => parameter.lifetime.to_token_stream(),
    });
    let described = kernels.iter().map(|TraitKernel { name, kernel, .. }| {
        let path = kernel.segments.iter().skip(1).map(|segment| &segment.ident);
        let arguments = kernel.segments.last().map(|last| &last.arguments);
        // `$crate` is the crate of its token: that in which the path was written.
        let written = kernel.segments.first().map_or_else(Span::call_site, |first| first.ident.span());
        let root = quote_spanned!(written=> $crate);
        let arguments = in_crate(arguments.to_token_stream(), &root);
        quote!(#name [#root #(::#path)*] [#arguments])
    });
    let description = quote!((#(#parameters),*) #(#described)*);
    let carrier = open::named(&visibility, &name, &name.unraw().to_string(), number, &description);
    quote! {
        #(#attributes)*
        #visibility trait #name #declared: #root::__private::core::marker::Sized #(+ #supertraits)* #bounds {
            #(#types)*
        }
        #carrier
    }
}

/// Arguments whose `crate` is the crate of the trait, wherever they are used.
fn in_crate(arguments: TokenStream, root: &TokenStream) -> TokenStream {
    let trees = arguments.into_iter().map(|tree| match tree {
        TokenTree::Ident(name) if name == "crate" => root.clone(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), in_crate(group.stream(), root));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        other => other.into(),
    });
    trees.collect()
}

/// The instances for a type, and the trait's implementation.
pub(crate) fn implement(tokens: TokenStream) -> TokenStream {
    let Carried { root, given, description } =
        match syn::parse2::<Carried<GivenTrait, DescribedTrait>>(tokens) {
            Ok(carried) => carried,
            Err(error) => return error.into_compile_error(),
        };
    let GivenTrait { attributes, path, implementor } = given;
    let arguments: Vec<_> = match path.segments.last().map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(arguments)) => arguments.args.iter().collect(),
        _ => Vec::new(),
    };
    let expected: Vec<_> = description.generics.iter().collect();
    if arguments.len() != expected.len() {
        let message = messages::trait_arguments(&path, expected.len(), arguments.len());
        return syn::Error::new_spanned(&path, message).into_compile_error();
    }
    // As for `instances(…)`: an argument may have a parameter's name.
    let (outside, inside): (Vec<_>, Vec<_>) = expected
        .iter()
        .zip(&arguments)
        .enumerate()
        .map(|(i, (parameter, argument))| alias(i, parameter, argument))
        .unzip();
    let root = root.to_token_stream();
    let words = text::types(quote!(#implementor));
    let trait_words = path.segments.last().map(text::types).unwrap_or_default();
    let made: Vec<_> = description
        .kernels
        .iter()
        .map(|(name, kernel, arguments)| {
            let text = format!("{trait_words} {} {words}", name.unraw());
            let instance = Ident::new(&self::words(&text), Span::call_site());
            let mut kernel = kernel.clone();
            if let Some(last) = kernel.segments.last_mut() {
                last.arguments = match syn::parse2(with_self(arguments.to_token_stream())) {
                    Ok(arguments) => PathArguments::AngleBracketed(arguments),
                    Err(_) => PathArguments::None,
                };
            }
            let given = Given {
                attributes: Vec::new(),
                visibility: Visibility::Public(Default::default()),
                name: instance.clone(),
                kernel,
            };
            (name, instance, instance::call_carrier(&root, &given))
        })
        .collect();
    let calls = made.iter().map(|(_, _, call)| call);
    let types = made.iter().map(|(name, instance, _)| quote!(type #name = #instance;));
    let host = super::signature::host();
    quote! {
        #(#attributes)*
        const _: () = {
            type __Implementor = #implementor;
            #(#outside)*
            const _: () = {
                #(#inside)*
                #(#calls)*
                // A kernel is launched by the host.
                #[cfg(#host)]
                impl #path for __Implementor {
                    #(#types)*
                }
            };
        };
    }
}

/// The alias of an argument, and the parameter's name for it.
fn alias(i: usize, parameter: &GenericParam, argument: &GenericArgument) -> (TokenStream, TokenStream) {
    let alias = format_ident!("__Argument{i}", span = Span::call_site());
    match parameter {
        GenericParam::Const(parameter) => {
            let (name, ty) = (&parameter.ident, &parameter.ty);
            (
                quote!(#[allow(unused_braces, dead_code)] const #alias: #ty = #argument;),
                quote!(#[allow(dead_code)] const #name: #ty = #alias;),
            )
        }
        GenericParam::Type(parameter) => {
            let name = &parameter.ident;
            (
                quote!(#[allow(dead_code)] type #alias = #argument;),
                quote!(#[allow(dead_code)] type #name = #alias;),
            )
        }
        GenericParam::Lifetime(_) => (TokenStream::new(), TokenStream::new()),
    }
}

/// Arguments with the type's alias in place of `Self`.
fn with_self(arguments: TokenStream) -> TokenStream {
    arguments
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(name) if name == "Self" => Ident::new("__Implementor", Span::call_site()).into(),
            TokenTree::Group(group) => {
                let mut inner = proc_macro2::Group::new(group.delimiter(), with_self(group.stream()));
                inner.set_span(group.span());
                inner.into()
            }
            other => other,
        })
        .collect()
}

/// A text in letters, digits and underscores.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}
