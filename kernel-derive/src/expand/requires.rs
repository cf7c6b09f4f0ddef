//! The test of the conditions at each launch.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::argument::Argument;
use super::{lifetimes, path_at, quiet};
use crate::model::{Kernel, Level, Parameter, Passing};
use crate::requires::{ConditionKind, Extent, Fact, Operator, Term};

/// A safe function for each condition: what a user writes in it stands in no `unsafe` block, on the host nor on the device.
///
/// Within a function `?` ends one condition, and the user's `return` can't skip the next ones.
pub(super) fn functions(kernel: &Kernel) -> TokenStream {
    let all = (0..kernel.conditions.len()).map(|number| item(kernel, &TokenStream::new(), number));
    quote!(#(#all)*)
}

/// A public function for each condition in which the user's own names may stand.
pub(super) fn free_functions(kernel: &Kernel) -> TokenStream {
    let visibility = quote!(#[doc(hidden)] pub);
    let free = kernel.conditions.iter().enumerate();
    let free = free.filter(|(_, condition)| matches!(condition.kind, ConditionKind::Free(_)));
    free.map(|(number, _)| item(kernel, &visibility, number)).collect()
}

fn item(kernel: &Kernel, visibility: &TokenStream, number: usize) -> TokenStream {
    let private = kernel.private();
    let passed = |parameter: &Parameter| {
        let ty = lifetimes::launched(&parameter.ty);
        quote!(<#ty as #private::Param>::Extent)
    };
    let (names, types): (Vec<_>, Vec<_>) = named(
        kernel,
        |_| quote!(#private::GroupExtent),
        |_, parameter| passed(parameter),
        |_, _| quote!(#private::SliceExtent),
    )
    .unzip();
    let function = self::function(number);
    let holds = match kernel.conditions.get(number).map(|condition| &condition.kind) {
        Some(ConditionKind::Fixed(fact)) => {
            let fact = self::fact(&private, fact);
            quote! {
                #private::requires::holds((|| -> #private::core::option::Option<#private::core::primitive::bool> {
                    #private::core::option::Option::Some(#fact)
                })())
            }
        }
        Some(ConditionKind::Free(expr)) => quote!(#expr),
        None => TokenStream::new(),
    };
    // A condition need not speak of every parameter.
    quote! {
        #[inline(always)]
        #[allow(
            clippy::inline_always,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments
        )]
        #visibility fn #function(#(#names: #types,)*) -> #private::core::primitive::bool {
            let _ = (#(&#names,)*);
            #holds
        }
    }
}

/// The names that a condition may speak of, in the order in which its function takes them.
pub(super) fn names(kernel: &Kernel) -> Vec<&Ident> {
    named(kernel, |_| TokenStream::new(), |_, _| TokenStream::new(), |_, _| TokenStream::new())
        .map(|(name, _)| name)
        .collect()
}

/// The name of a condition's function.
pub(super) fn function(number: usize) -> Ident {
    format_ident!("__condition_{number}", span = Span::call_site())
}

/// The names that a condition may speak of, each with something that follows from what it is: of the group, of a parameter that
/// is passed and its place, of workgroup memory that a launch sizes and its number.
fn named<'k>(
    kernel: &'k Kernel,
    group: impl Fn(&'k Ident) -> TokenStream,
    passed: impl Fn(usize, &'k Parameter) -> TokenStream,
    sized: impl Fn(usize, usize) -> TokenStream,
) -> impl Iterator<Item = (&'k Ident, TokenStream)> {
    let group = match &kernel.level {
        Level::Group(Some(name)) => Some((name, group(name))),
        Level::Group(None) | Level::Cluster | Level::Grid | Level::Thread | Level::UnsafeThread => None,
    };
    let mut partitions = 0;
    let parameters = kernel.parameters.iter().enumerate().filter_map(move |(i, parameter)| {
        let seen = match parameter.passing {
            Passing::Fixed(_) => return None,
            Passing::Partition(_) => {
                partitions += 1;
                sized(partitions - 1, i)
            }
            _ => passed(i, parameter),
        };
        Some((&parameter.name, seen))
    });
    group.into_iter().chain(parameters)
}

/// `Signature::require`: the text of the first condition that doesn't hold.
pub(super) fn require(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let local = |name: &str| Ident::new(name, Span::mixed_site());
    let (arguments, group, lens) = (local("arguments"), local("group"), local("lens"));
    let extents = kernel.passed().map(|(i, _)| super::local("extent", i));
    let extents = (!kernel.conditions.is_empty())
        .then(|| quote!(let (#(#extents,)*) = <Self::Params as #private::ParamList>::extents(#arguments);));
    let conditions = kernel.conditions.iter().enumerate().map(|(number, condition)| {
        let (function, text) = (self::function(number), &condition.text);
        let seen = named(
            kernel,
            |_| quote!(#group),
            |i, _| super::local("extent", i).into_token_stream(),
            |number, _| {
                let number = Literal::usize_unsuffixed(number);
                quote!(#private::SliceExtent { len: #lens[#number] })
            },
        );
        let seen = seen.map(|(_, seen)| seen);
        quote! {
            if !#function(#(#seen),*) {
                return #private::core::result::Result::Err(#text);
            }
        }
    });
    quote! {
        fn require(
            #arguments: &#private::Raw<Self>,
            #group: #private::GroupExtent,
            #lens: &[#private::core::primitive::usize],
        ) -> #private::core::result::Result<(), &'static #private::core::primitive::str> {
            let _ = (#arguments, &#group, #lens);
            #extents
            #(#conditions)*
            #private::core::result::Result::Ok(())
        }
    }
}

/// What a GPU's thread may take for granted since the host saw it, and what it tests itself because the
/// user's own code is in it, which may mean something else there.
pub(super) fn on_the_device(kernel: &Kernel, arguments: &[Option<Argument>]) -> TokenStream {
    let private = kernel.private();
    let conditions = kernel.conditions.iter().enumerate().map(|(number, condition)| {
        let (function, text) = (self::function(number), &condition.text);
        let seen = named(
            kernel,
            |_| {
                let group = super::local("group", 0);
                quote!(#private::GroupExtent { len: #private::Threads::len(&#group) })
            },
            |i, _| match &arguments[i] {
                Some(Argument { extent: Some(extent), .. }) => extent.clone(),
                _ => super::local("value", i).into_token_stream(),
            },
            |_, i| {
                let len = super::local("len", i);
                quote!(#private::SliceExtent { len: #len as #private::core::primitive::usize })
            },
        );
        let seen = seen.map(|(_, seen)| seen);
        let holds = quote!(#function(#(#seen),*));
        match condition.kind {
            ConditionKind::Fixed(_) => quote!(#private::core::hint::assert_unchecked(#holds);),
            ConditionKind::Free(_) => {
                quote!(#private::core::assert!(#holds, "the kernel requires `{}`", #text);)
            }
        }
    });
    quote!(#(#conditions)*)
}

fn fact(private: &TokenStream, fact: &Fact) -> TokenStream {
    match fact {
        Fact::Compare { operator, left, right } => {
            let (left, right) = (term(private, left), term(private, right));
            quote_spanned!(quiet(operator.span())=> #left #operator #right)
        }
        Fact::PowerOfTwo(value, span) => {
            let value = term(private, value);
            let private = path_at(private, *span);
            quote_spanned!(quiet(*span)=> #private::requires::is_power_of_two(#value))
        }
    }
}

fn term(private: &TokenStream, term: &Term) -> TokenStream {
    match term {
        Term::Literal(literal) => quote!(#literal),
        // Whatever `u32` is in the user's scope, this is the integer.
        Term::Value(name, ty, span) => {
            let ty = Ident::new(&ty.to_string(), quiet(*span));
            let private = path_at(private, *span);
            quote_spanned! {quiet(*span)=>
                #private::core::convert::identity::<#private::core::primitive::#ty>(#name)
            }
        }
        Term::Extent { extent, parameter, span } => {
            let function = Ident::new(extent_function(*extent), quiet(*span));
            let private = path_at(private, *span);
            quote_spanned!(quiet(*span)=> #private::requires::#function(&#parameter))
        }
        Term::Arithmetic { operator, left, right, span } => {
            let function = Ident::new(operator_function(*operator), quiet(*span));
            let (left, right) = (self::term(private, left), self::term(private, right));
            let private = path_at(private, *span);
            quote_spanned!(quiet(*span)=> #private::requires::#function(#left, #right)?)
        }
    }
}

fn extent_function(extent: Extent) -> &'static str {
    match extent {
        Extent::Len => "len",
        Extent::Rows => "rows",
        Extent::Cols => "cols",
        Extent::Planes => "planes",
    }
}

fn operator_function(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "add",
        Operator::Sub => "sub",
        Operator::Mul => "mul",
        Operator::Div => "div",
        Operator::Rem => "rem",
    }
}
