//! `instance!`: a kernel of its own, made of a generic kernel that may be another crate's.
//!
//! The first step calls the macro of the generic kernel's name, which hands its description on to the second. That makes a kernel
//! whose body calls the generic one's, and expands it as any other.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Path, PathArguments, Signature};

use super::{kernel, open, quiet, requires, with_errors};
use crate::messages;
use crate::model::{Attributes, Block, Demands, Kernel, Level, Origin, Parameter, Passing, Role};
use crate::parse::{
    Carried, Described, DescribedKind, Description, Given, GivenTrait, InstanceCall, InstanceCalls,
};
use crate::report::Report;
use crate::requires::{Condition, ConditionKind};
use crate::validate;

/// The calls of the macros that carry what instances need.
pub(crate) fn instance(tokens: TokenStream) -> TokenStream {
    let InstanceCalls { root, calls } = match syn::parse2(tokens) {
        Ok(calls) => calls,
        Err(error) => return error.into_compile_error(),
    };
    let calls = calls.iter().map(|call| match call {
        InstanceCall::Kernel(given) => call_carrier(&root, given),
        InstanceCall::Trait(GivenTrait { attributes, path, implementor }) => {
            let carrier = carrier(path);
            quote! {
                #carrier ! { [#root::__private::implement] { [#root] #(#attributes)* (#path) #implementor } }
            }
        }
    });
    quote!(#(#calls)*)
}

/// The call of a generic kernel's macro.
pub(super) fn call_carrier(root: &TokenStream, given: &Given) -> TokenStream {
    let Given { attributes, visibility, name, kernel } = given;
    let carrier = carrier(kernel);
    quote! {
        #carrier ! { [#root::__private::instance_of] { [#root] #(#attributes)* #visibility #name #kernel } }
    }
}

/// The path without what its last word is given.
fn carrier(path: &Path) -> Path {
    let mut carrier = path.clone();
    if let Some(last) = carrier.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    carrier
}

/// The kernel. The number is no other kernel's of the crate.
pub(crate) fn instance_of(tokens: TokenStream, number: usize) -> TokenStream {
    let described = described(&tokens);
    let Carried { root, given, description } = match syn::parse2::<Carried<Given, Description>>(tokens) {
        Ok(carried) => carried,
        Err(error) => return error.into_compile_error(),
    };
    let mut report = Report::default();
    let (at, name) = (given.kernel.span(), given.name.to_string());
    let mut kernel = made(root, given, description, &described, &mut report);
    kernel.number = number;
    match report.is_empty() {
        // An error about it, such as a bound that an argument breaks, is one error at the path, and not one for each use.
        true => located(kernel::kernel(&kernel), at, &name),
        false => with_errors(report, &kernel.private(), super::stub::kernel(&kernel)),
    }
}

/// Tokens as they are, at another place, but for the kernel's name.
fn located(tokens: TokenStream, at: Span, name: &str) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), located(group.stream(), at, name)).into();
            }
            if !matches!(&token, TokenTree::Ident(word) if word == name) {
                token.set_span(token.span().located_at(at));
            }
            token
        })
        .collect()
}

/// Tokens of a generic kernel's macro as this macro's own, in which they name items.
fn own(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), own(group.stream())).into();
            }
            token.set_span(Span::call_site());
            token
        })
        .collect()
}

/// The text of the description, the second of two.
fn described(tokens: &TokenStream) -> String {
    match tokens.clone().into_iter().nth(1) {
        Some(TokenTree::Group(description)) => open::spaceless(&description.stream()),
        _ => String::new(),
    }
}

fn made(root: Path, given: Given, description: Description, described: &str, report: &mut Report) -> Kernel {
    let Given { attributes, visibility, name, kernel: generic } = given;
    let level = match description.level {
        Level::Group(name) => Level::Group(name.map(plain)),
        other => other,
    };
    let first = match &level {
        Level::Group(Some(name)) => name.clone(),
        _ => Ident::new("__level", Span::call_site()),
    };
    let parameters: Vec<_> = description.parameters.into_iter().map(parameter).collect();
    let origin = Origin {
        names: names(&generic, parts(&parameters), described),
        first_element: description.first_element,
    };
    let parameters: Vec<_> = parameters.into_iter().map(|(parameter, _)| parameter).collect();
    let known = validate::names(&level, &parameters);
    let conditions: Vec<_> = description
        .conditions
        .iter()
        .flat_map(|condition| match condition.function {
            Some(number) => {
                let text = condition.text.value();
                // The names are put in once the kernel has them.
                vec![(
                    Condition { text, kind: ConditionKind::Free(Box::new(syn::parse_quote!(true))) },
                    Some(number),
                )]
            }
            None => match condition.text.parse() {
                Ok(expr) => {
                    crate::requires::conditions(&expr, &known).into_iter().map(|c| (c, None)).collect()
                }
                Err(error) => {
                    report.push(error);
                    Vec::new()
                }
            },
        })
        .collect();
    let (conditions, functions): (Vec<_>, Vec<_>) = conditions.into_iter().unzip();
    let mut kernel = Kernel {
        signature: signature(&level, &name, &first, &parameters),
        body: body(&level, &first, &parameters),
        root,
        attributes: Attributes { item: attributes.clone(), block: cfgs(&attributes), body: Vec::new() },
        visibility,
        name,
        level,
        index: description.index,
        contraction: description.contraction,
        demands: demands(description.axes, description.has_max_threads, description.has_min_groups),
        parameters,
        generics: Vec::new(),
        instances: Vec::new(),
        is_open: false,
        origin: Some(origin),
        conditions,
        number: 0,
    };
    let names: Vec<Ident> = requires::names(&kernel).into_iter().cloned().collect();
    for (condition, number) in kernel.conditions.iter_mut().zip(functions) {
        if let Some(number) = number {
            let function = requires::function(number);
            condition.kind =
                ConditionKind::Free(Box::new(syn::parse_quote!(__Generic::#function(#(#names),*))));
        }
    }
    kernel
}

/// A name of the generic kernel's as this macro's own: locals of one macro aren't seen by another.
fn plain(mut name: Ident) -> Ident {
    name.set_span(Span::call_site());
    name
}

/// A parameter, and whether its type is in the list, by how many of its types are.
fn parameter(described: Described) -> (Parameter, usize) {
    let Described { name, kind, ty } = described;
    let ty = syn::parse2(own(quote!(#ty))).unwrap_or(ty);
    let passing = match kind {
        DescribedKind::Number => Passing::Number,
        DescribedKind::Value => Passing::Value,
        DescribedKind::Surface(rank) => Passing::Surface(rank),
        DescribedKind::Fixed => match argument(&ty) {
            Some(array) => Passing::Fixed(array),
            None => Passing::Value,
        },
        DescribedKind::Placed => match validate::passing(&ty) {
            Passing::GroupMatrix(element, _) => Passing::GroupPlaced(element),
            other => other,
        },
        DescribedKind::Spelled => validate::passing(&ty),
    };
    let role = match (&kind, &ty) {
        (DescribedKind::Number, ty) => validate::role(ty, &passing),
        (_, ty) => match &passing {
            Passing::Fixed(_) => Role::Other,
            _ => validate::role(ty, &passing),
        },
    };
    let parts = count(&ty);
    let ty = match kind {
        DescribedKind::Number => syn::parse_quote!(__gridwright::core::primitive::#ty),
        _ => ty,
    };
    (Parameter { name: plain(name), ty, role, passing }, parts)
}

/// The first type in a view's brackets.
fn argument(ty: &syn::Type) -> Option<syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    })
}

/// How many types of the list a type is made of.
fn count(ty: &syn::Type) -> usize {
    fn count(tokens: TokenStream) -> usize {
        tokens
            .into_iter()
            .map(|token| match token {
                TokenTree::Group(group) => count(group.stream()),
                TokenTree::Ident(name) => usize::from(name.to_string().starts_with("__Part")),
                _ => 0,
            })
            .sum()
    }
    count(quote!(#ty))
}

fn parts(parameters: &[(Parameter, usize)]) -> usize {
    parameters.iter().map(|(_, parts)| parts).sum()
}

/// The names that the kernel's types are spelled with.
fn names(generic: &Path, parts: usize, described: &str) -> TokenStream {
    // On the path: an argument that the generic kernel doesn't take is underlined.
    let span = quiet(generic.span());
    let rest = |i: usize| format_ident!("__Rest{i}", span = Span::call_site());
    let lists = (0..parts).map(|i| {
        let (part, list, next) = (open::part(i), rest(i), rest(i + 1));
        quote! {
            type #part = <#list as __gridwright::Parts>::Head;
            #[allow(dead_code)]
            type #next = <#list as __gridwright::Parts>::Tail;
        }
    });
    let first = rest(0);
    let list = quote_spanned!(span=> <__Generic as __gridwright::GenericKernel>::Parts);
    let message = messages::ANOTHER_DESCRIPTION;
    // On the path too: a macro of another kernel's name would be another's description.
    let same = quote_spanned! {span=>
        const _: () = __gridwright::core::assert!(
            __gridwright::is_spelled(<__Generic as __gridwright::GenericKernel>::DESCRIPTION, #described),
            #message
        );
    };
    quote! {
        type __Generic = #generic;
        #same
        #[allow(dead_code)]
        type #first = #list;
        #(#lists)*
    }
}

/// The conditions under which an item is there at all.
fn cfgs(attributes: &[syn::Attribute]) -> Vec<syn::Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect()
}

/// The constants of the generic kernel.
fn demands(axes: usize, has_max_threads: bool, has_min_groups: bool) -> Demands {
    let block = (axes > 0).then(|| Block {
        axes: (0..axes)
            .map(|axis| syn::parse_quote!(<__Generic as __gridwright::GenericKernel>::BLOCK[#axis]))
            .collect(),
    });
    Demands {
        block,
        max_threads: has_max_threads
            .then(|| syn::parse_quote!(<__Generic as __gridwright::GenericKernel>::MAX_THREADS)),
        min_groups: has_min_groups
            .then(|| syn::parse_quote!(<__Generic as __gridwright::GenericKernel>::MIN_GROUPS)),
    }
}

fn signature(level: &Level, name: &Ident, first: &Ident, parameters: &[Parameter]) -> Signature {
    let level_type = match level {
        Level::Thread | Level::UnsafeThread => quote!(__gridwright::Thread),
        Level::Group(_) => quote!(&__gridwright::Group),
        Level::Cluster => quote!(&__gridwright::Cluster),
        Level::Grid => quote!(&__gridwright::Grid),
    };
    let mut signature: Signature = match level {
        Level::UnsafeThread => syn::parse_quote!(unsafe fn #name()),
        _ => syn::parse_quote!(fn #name()),
    };
    let names = parameters.iter().map(|parameter| &parameter.name);
    let types = parameters.iter().map(|parameter| &parameter.ty);
    let inputs: Punctuated<syn::FnArg, syn::Token![,]> =
        syn::parse_quote!(#first: #level_type #(, #names: #types)*);
    signature.inputs = inputs;
    signature
}

/// The call of the generic kernel's body.
fn body(level: &Level, first: &Ident, parameters: &[Parameter]) -> Group {
    let (names, function) = (parameters.iter().map(|parameter| &parameter.name), open::body_name());
    let call = quote!(__Generic::#function(#first #(, #names)*));
    let call = match level {
        // SAFETY: the caller of the instance answers for what the generic kernel asks.
        Level::UnsafeThread => quote!(unsafe { #call }),
        _ => call,
    };
    Group::new(proc_macro2::Delimiter::Brace, call)
}
