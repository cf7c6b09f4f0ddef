//! `instance!`: a kernel of its own, made of a generic kernel that may be another crate's.
//!
//! The first step calls the macro of the generic kernel's name, which hands its description on to the second. That makes a kernel
//! whose body calls the generic one's, and expands it as any other.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, Path, PathArguments, Signature};

use super::{kernel, open, quiet, requires, respanned, with_errors};
use crate::messages;
use crate::model::{Block, Demands, Kernel, Level, Origin, Parameter, Passing};
use crate::parse::{
    Carried, Described, DescribedCondition, DescribedKind, Description, Given, GivenTrait, InstanceCall,
    InstanceCalls,
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
    let kernel = made(root, given, description, &described, number, &mut report);
    match report.is_empty() {
        // An error about it, such as a bound that an argument breaks, is one error at the path, and not one for each use.
        true => respanned(kernel::kernel(&kernel), &|token| match token {
            TokenTree::Ident(word) if *word == name => token.span(),
            _ => token.span().located_at(at),
        }),
        false => with_errors(report, &kernel.private(), super::stub::kernel(&kernel)),
    }
}

/// The text of the description, the second of two.
fn described(tokens: &TokenStream) -> String {
    match tokens.clone().into_iter().nth(1) {
        Some(TokenTree::Group(description)) => open::spelled(&description.stream()),
        _ => String::new(),
    }
}

fn made(
    root: Path,
    given: Given,
    description: Description,
    described: &str,
    number: usize,
    report: &mut Report,
) -> Kernel {
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
    let types = parameters.iter().map(|parameter| &parameter.ty);
    let origin = Origin {
        names: names(&generic, parts(quote!(#(#types)*)), described),
        first_element: description.first_element,
    };
    let mut kernel = Kernel {
        signature: signature(&level, description.is_unsafe, &name, &first, &parameters),
        body: body(description.is_unsafe, &first, &parameters),
        root,
        attributes: validate::attributes(attributes, report),
        visibility,
        name,
        level,
        index: description.index,
        contraction: description.contraction,
        has_cpu_code: description.has_cpu_code,
        demands: demands(description.axes, description.has_max_threads, description.has_min_groups),
        parameters,
        generics: Vec::new(),
        instances: Vec::new(),
        is_open: false,
        origin: Some(origin),
        conditions: Vec::new(),
        number,
    };
    kernel.conditions = conditions(&kernel, &description.conditions, report);
    kernel
}

/// The conditions: those of the fixed grammar by their texts, and the others as calls of the generic kernel's functions.
fn conditions(kernel: &Kernel, described: &[DescribedCondition], report: &mut Report) -> Vec<Condition> {
    let known = validate::names(&kernel.level, &kernel.parameters);
    let mut conditions = Vec::new();
    for DescribedCondition { function, text } in described {
        if let Some(number) = *function {
            let (function, names) = (requires::function(number), requires::names(kernel));
            let call = syn::parse_quote!(__Generic::#function(#(#names),*));
            let kind = ConditionKind::Free(Box::new(call));
            conditions.push(Condition { text: text.value(), kind });
            continue;
        }
        match text.parse() {
            Ok(expr) => {
                let parsed = crate::requires::conditions(&expr, &known);
                // As an expression it would mean what its names mean here.
                if parsed.iter().any(|condition| matches!(condition.kind, ConditionKind::Free(_))) {
                    report.push(Error::new(text.span(), messages::ANOTHER_DESCRIPTION));
                }
                conditions.extend(parsed);
            }
            Err(error) => report.push(error),
        }
    }
    conditions
}

/// A name of the generic kernel's as this macro's own: locals of one macro aren't seen by another.
fn plain(mut name: Ident) -> Ident {
    name.set_span(Span::call_site());
    name
}

/// A parameter of the names that the instance gives its types.
fn parameter(described: Described) -> Parameter {
    let Described { name, kind, ty } = described;
    // In the generic kernel's macro they are that macro's names.
    let ty = syn::parse2(respanned(quote!(#ty), &|_| Span::call_site())).unwrap_or(ty);
    let passing = match kind {
        DescribedKind::Number => Passing::Number,
        DescribedKind::Value => Passing::Value,
        DescribedKind::Surface(rank) => Passing::Surface(rank),
        DescribedKind::Fixed => validate::first_argument(&ty).map_or(Passing::Value, Passing::Fixed),
        DescribedKind::Placed => match validate::passing(&ty) {
            Passing::GroupMatrix(element, _) => Passing::GroupPlaced(element),
            other => other,
        },
        DescribedKind::Spelled => validate::passing(&ty),
    };
    let role = validate::role(&ty, &passing);
    let ty = match kind {
        DescribedKind::Number => syn::parse_quote!(__gridwright::core::primitive::#ty),
        _ => ty,
    };
    Parameter { name: plain(name), ty, role, passing }
}

/// How many names of the list are among tokens.
fn parts(tokens: TokenStream) -> usize {
    let counts = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => parts(group.stream()),
        TokenTree::Ident(name) => usize::from(name.to_string().starts_with("__Part")),
        _ => 0,
    });
    counts.sum()
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

fn signature(
    level: &Level,
    is_unsafe: bool,
    name: &Ident,
    first: &Ident,
    parameters: &[Parameter],
) -> Signature {
    let level_type = match level {
        Level::Thread | Level::UnsafeThread => quote!(__gridwright::Thread),
        Level::Group(_) => quote!(&__gridwright::Group),
        Level::Cluster => quote!(&__gridwright::Cluster),
        Level::Grid => quote!(&__gridwright::Grid),
    };
    let unsafety = is_unsafe.then(|| quote!(unsafe));
    let mut signature: Signature = syn::parse_quote!(#unsafety fn #name());
    let names = parameters.iter().map(|parameter| &parameter.name);
    let types = parameters.iter().map(|parameter| &parameter.ty);
    let inputs: Punctuated<syn::FnArg, syn::Token![,]> =
        syn::parse_quote!(#first: #level_type #(, #names: #types)*);
    signature.inputs = inputs;
    signature
}

/// The call of the generic kernel's body.
fn body(is_unsafe: bool, first: &Ident, parameters: &[Parameter]) -> Group {
    let (names, function) = (parameters.iter().map(|parameter| &parameter.name), open::body_name());
    let call = quote!(__Generic::#function(#first #(, #names)*));
    // SAFETY: the caller of the instance answers for what the generic kernel asks.
    let call = if is_unsafe { quote!(unsafe { #call }) } else { call };
    Group::new(proc_macro2::Delimiter::Brace, call)
}
