//! What a generic kernel leaves for instances that are made elsewhere, in other crates too.
//!
//! An instance is a kernel of its own, whose body calls the generic one's. Its entry has to be made anew, where the types are known, of
//! all that the attribute and the signature say. A macro by the kernel's own name carries that: macros have names of their own, and so
//! `use library::map;` brings both. Types can't travel as tokens, since their names mean something in the kernel's scope only. They are an
//! associated type, and so are constants and the body.

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{GenericArgument, PathArguments, Type, Visibility};

use super::signature::Use;
use super::{again, body, bounds, call, instances, item, lifetimes, requires, workgroup};
use crate::messages;
use crate::model::{Contraction, FirstElement, Kernel, Level, Passing};
use crate::requires::{Condition, ConditionKind};
use crate::validate;

/// What stands beside an open kernel's type, and what beside its body: the macro of the kernel's name, which hands on what
/// `parse::Description` reads, and the implementations that instances rest on.
pub(super) fn open(kernel: &Kernel) -> (TokenStream, TokenStream) {
    let (parameters, parts) = parameters(kernel);
    let description = description(kernel, &parameters);
    let name = kernel.name.unraw().to_string();
    let carrier = self::named(&kernel.visibility, &kernel.name, &name, kernel.number, &description);
    (carrier, implementations(kernel, &description, parts))
}

fn implementations(kernel: &Kernel, description: &TokenStream, parts: Vec<Type>) -> TokenStream {
    let private = kernel.private();
    let (this, named) = (again(&kernel.name), item::named(kernel));
    let (declared, _, holds) = kernel.signature.generics.split_for_impl();
    let types = kernel.passed().map(|(_, parameter)| lifetimes::launched(&parameter.ty));
    let sizes = workgroup::sizes(kernel);
    let parts = parts.into_iter().rev().fold(quote!(()), |rest, part| quote!((#part, #rest)));
    let demands = bounds::constants(kernel, "");
    let description = spelled(description);
    let instance = Use { name: String::new(), number: 0, body: instances::called_with_its_own(kernel) };
    let body = call::function(body_name(), &quote!(#[doc(hidden)] pub), kernel, &instance);
    let conditions = requires::free_functions(kernel);
    quote! {
        // SAFETY: all of it is of this function, and so is `__body` below.
        unsafe impl #declared #private::GenericKernel for #this #named #holds {
            type Params = (#(#types,)*);
            type Sizes = #sizes;
            type Parts = #parts;
            const DESCRIPTION: &'static #private::core::primitive::str = #description;
            #demands
        }

        #[allow(private_interfaces, private_bounds)]
        impl #declared #this #named #holds {
            #body
            #conditions
        }
    }
}

/// The tokens' text with a space between any two, of which there may be others behind a macro, or none: `free 0` isn't `free0`.
pub(super) fn spelled(tokens: &TokenStream) -> String {
    let mut text = String::new();
    spell(tokens, &mut text);
    text
}

fn spell(tokens: &TokenStream, text: &mut String) {
    for token in tokens.clone() {
        let TokenTree::Group(group) = &token else {
            text.push_str(&token.to_string());
            text.push(' ');
            continue;
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("( ", ") "),
            Delimiter::Brace => ("{ ", "} "),
            Delimiter::Bracket => ("[ ", "] "),
            // What a macro puts around what it was given.
            Delimiter::None => ("", ""),
        };
        text.push_str(open);
        spell(&group.stream(), text);
        text.push_str(close);
    }
}

/// The body as a function of the kernel's type.
pub(super) fn body_name() -> Ident {
    Ident::new("__body", Span::call_site())
}

/// A macro by the name of an item, which hands a description on to the macro that it is given.
pub(super) fn named(
    visibility: &Visibility,
    item: &Ident,
    text: &str,
    number: usize,
    description: &TokenStream,
) -> TokenStream {
    let rule = quote! {
        ([$($callback:tt)*] $given:tt) => {
            $($callback)* ! { $given { #description } }
        };
    };
    macro_of(visibility, item, text, number, &rule)
}

/// A macro by the name of an item.
fn macro_of(
    visibility: &Visibility,
    item: &Ident,
    text: &str,
    number: usize,
    rule: &TokenStream,
) -> TokenStream {
    // Macros that other crates see have one name each in their crate.
    let macro_name = format_ident!("__gridwright_{text}_{number}", span = Span::call_site());
    let item = again(item);
    let exported = matches!(visibility, Visibility::Public(_)).then(|| quote!(#[macro_export]));
    quote! {
        #[doc(hidden)]
        #[allow(unused_macros)]
        #exported
        macro_rules! #macro_name {
            #rule
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        #visibility use #macro_name as #item;
    }
}

/// A macro in its place, by which the call for a kernel whose instances are all listed is refused in words.
pub(super) fn closed(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let name = kernel.name.unraw().to_string();
    let message = messages::closed_list(&name);
    let refusal = quote!(#private::core::compile_error!(#message));
    macro_of(
        &kernel.visibility,
        &kernel.name,
        &name,
        kernel.number,
        &quote!(($($given:tt)*) => { #refusal ; }),
    )
}

fn description(kernel: &Kernel, parameters: &[TokenStream]) -> TokenStream {
    let is_unsafe = kernel.is_unsafe().then(|| quote!(unsafe));
    let level = match &kernel.level {
        Level::Thread => quote!(thread),
        Level::Group(None) => quote!(group),
        Level::Group(Some(name)) => quote!(group #name),
        Level::Cluster => quote!(cluster),
        Level::Grid => quote!(grid),
        Level::UnsafeThread => quote!(thread),
    };
    let index = Ident::new(kernel.index.integer(), Span::call_site());
    let contraction = match kernel.contraction {
        Contraction::On => quote!(on),
        Contraction::Off => quote!(off),
    };
    let cpu = Ident::new(if kernel.has_cpu_code { "on" } else { "off" }, Span::call_site());
    let demands = &kernel.demands;
    let axes = Literal::usize_unsuffixed(demands.block.as_ref().map_or(0, |block| block.axes.len()));
    let (most, least) = (demands.max_threads.is_some(), demands.min_groups.is_some());
    let first = match body::first_element(kernel) {
        None => quote!(none),
        Some(FirstElement::OfSlice) => quote!(slice),
        Some(FirstElement::At { parameter, axes }) => {
            let (parameter, axes) = (Literal::usize_unsuffixed(parameter), Literal::usize_unsuffixed(axes));
            quote!(at #parameter #axes)
        }
    };
    let conditions = kernel.conditions.iter().enumerate().map(|(number, condition)| {
        let Condition { text, kind } = condition;
        match kind {
            ConditionKind::Fixed(_) => quote!(fixed #text),
            ConditionKind::Free(_) => {
                let number = Literal::usize_unsuffixed(number);
                quote!(free #number #text)
            }
        }
    });
    quote! {
        #is_unsafe #level, #index, #contraction, cpu #cpu, block #axes, max_threads #most, min_groups #least, first #first,
        (#(#parameters),*), (#(#conditions),*)
    }
}

/// The parameters' descriptions, and the types that their types are made of.
fn parameters(kernel: &Kernel) -> (Vec<TokenStream>, Vec<Type>) {
    let mut parts = Parts { types: Vec::new() };
    let described = kernel.parameters.iter().map(|parameter| {
        let (name, ty) = (&parameter.name, &parameter.ty);
        let ty = match &parameter.passing {
            Passing::Number => {
                let number = last(ty);
                quote!(number #number)
            }
            Passing::Value => {
                let value = parts.part(ty);
                quote!(value #value)
            }
            Passing::Fixed(array) => {
                let (view, array) = (last(ty), parts.part(array));
                quote!(fixed __gridwright::#view<#array>)
            }
            Passing::GroupPlaced(_) => {
                let view = parts.view(ty);
                quote!(placed #view)
            }
            Passing::Surface(rank) => {
                let (rank, view) = (Literal::usize_unsuffixed(*rank), parts.view(ty));
                quote!(surface #rank #view)
            }
            _ => {
                let view = parts.view(ty);
                quote!(spelled #view)
            }
        };
        quote!(#name: #ty)
    });
    (described.collect(), parts.types)
}

/// The last word of a path.
fn last(ty: &Type) -> Option<&Ident> {
    validate::last(ty).map(|last| &last.ident)
}

/// The types that stand for a place in the list that an instance sees.
struct Parts {
    types: Vec<Type>,
}

impl Parts {
    /// The name by which an instance knows a type.
    fn part(&mut self, ty: &Type) -> TokenStream {
        let name = part(self.types.len());
        self.types.push(lifetimes::launched(ty));
        quote!(#name)
    }

    /// A view's type with all that isn't the framework's as a part.
    fn view(&mut self, ty: &Type) -> TokenStream {
        match ty {
            Type::Paren(paren) => self.view(&paren.elem),
            Type::Group(group) => self.view(&group.elem),
            Type::Reference(reference) => {
                let inner = self.view(&reference.elem);
                quote!(&#inner)
            }
            Type::Ptr(pointer) => {
                let mutability = &pointer.mutability;
                let pointee = self.part(&pointer.elem);
                quote!(*#mutability #pointee)
            }
            Type::Slice(slice) => {
                let element = self.part(&slice.elem);
                quote!([#element])
            }
            Type::Path(path) => {
                let Some(segment) = path.path.segments.last() else { return self.part(ty) };
                let name = &segment.ident;
                let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
                    return quote!(__gridwright::#name);
                };
                let types = arguments.args.iter().filter_map(|argument| match argument {
                    GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                });
                let arguments: Vec<_> = types.map(|ty| self.argument(ty)).collect();
                quote!(__gridwright::#name<#(#arguments),*>)
            }
            other => self.part(other),
        }
    }

    /// What a view is of: a shape of elements, or a type.
    fn argument(&mut self, ty: &Type) -> TokenStream {
        const SHAPES: [&str; 4] = ["Matrix", "Volume", "Segments", "Scattered"];
        let is_shape = matches!(ty, Type::Slice(_) | Type::Paren(_) | Type::Group(_))
            || last(ty).is_some_and(|name| SHAPES.iter().any(|shape| name == shape));
        if is_shape { self.view(ty) } else { self.part(ty) }
    }
}

/// The name of a type in the list.
pub(super) fn part(i: usize) -> Ident {
    format_ident!("__Part{i}", span = Span::call_site())
}
