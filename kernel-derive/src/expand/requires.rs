//! The test of the conditions at each launch.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::quiet;
use crate::model::{Kernel, Level};
use crate::requires::{Condition, ConditionKind, Extent, Fact, Operator, Term};

/// `Signature::require`: the text of the first condition that doesn't hold.
pub(super) fn require(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let local = |name: &str| Ident::new(name, Span::mixed_site());
    let (arguments, group, lens) = (local("arguments"), local("group"), local("lens"));
    let names: Vec<_> = kernel.passed().map(|(_, parameter)| &parameter.name).collect();
    let conditions = kernel.conditions.iter().map(|c| condition(&private, c));
    let bindings = (!kernel.conditions.is_empty()).then(|| {
        let group = match &kernel.level {
            Level::Group(Some(name)) => Some(quote!(let #name = #group; let _ = &#name;)),
            Level::Group(None) | Level::Cluster | Level::Grid | Level::Thread | Level::UnsafeThread => None,
        };
        let partitions = kernel.partitions().enumerate().map(|(number, (i, _))| {
            let (name, number) = (&kernel.parameters[i].name, Literal::usize_unsuffixed(number));
            quote!(let #name = #private::SliceExtent { len: #lens[#number] }; let _ = &#name;)
        });
        // A condition need not speak of every parameter.
        quote! {
            let (#(#names,)*) = <Self::Params as #private::ParamList>::extents(#arguments);
            let _ = (#(&#names,)*);
            #group
            #(#partitions)*
        }
    });
    quote! {
        fn require(
            #arguments: &#private::Raw<Self>,
            #group: #private::GroupExtent,
            #lens: &[::core::primitive::usize],
        ) -> ::core::result::Result<(), &'static str> {
            let _ = (#arguments, &#group, #lens);
            #bindings
            #(#conditions)*
            ::core::result::Result::Ok(())
        }
    }
}

fn condition(private: &TokenStream, condition: &Condition) -> TokenStream {
    let text = &condition.text;
    let holds = holds(private, condition);
    quote! {
        if !(#holds) {
            return ::core::result::Result::Err(#text);
        }
    }
}

/// Whether a condition holds, with the parameters' names bound to their sizes or values.
///
/// Within a closure `?` ends one condition, and the user's `return` can't skip the next ones.
fn holds(private: &TokenStream, condition: &Condition) -> TokenStream {
    match &condition.kind {
        ConditionKind::Fixed(fact) => {
            let fact = self::fact(private, fact);
            quote! {
                (|| -> ::core::option::Option<bool> { ::core::option::Option::Some(#fact) })()
                    == ::core::option::Option::Some(true)
            }
        }
        ConditionKind::Free(expr) => quote!((|| -> bool { #expr })()),
    }
}

/// What a GPU's thread may take for granted since the host saw it, and what it tests itself because the
/// user's own code is in it, which may mean something else there.
pub(super) fn on_the_device(kernel: &Kernel, condition: &Condition) -> TokenStream {
    let text = &condition.text;
    let holds = holds(&kernel.private(), condition);
    match condition.kind {
        ConditionKind::Fixed(_) => quote!(::core::hint::assert_unchecked(#holds);),
        ConditionKind::Free(_) => quote!(::core::assert!(#holds, "the kernel requires `{}`", #text);),
    }
}

fn fact(private: &TokenStream, fact: &Fact) -> TokenStream {
    match fact {
        Fact::Compare { operator, left, right } => {
            let (left, right) = (term(private, left), term(private, right));
            quote_spanned!(quiet(operator.span())=> #left #operator #right)
        }
        Fact::PowerOfTwo(value, span) => {
            let value = term(private, value);
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
            quote_spanned! {quiet(*span)=>
                ::core::convert::identity::<::core::primitive::#ty>(#name)
            }
        }
        Term::Extent { extent, parameter, span } => {
            let function = Ident::new(extent_function(*extent), quiet(*span));
            quote_spanned!(quiet(*span)=> #private::requires::#function(&#parameter))
        }
        Term::Arithmetic { operator, left, right, span } => {
            let function = Ident::new(operator_function(*operator), quiet(*span));
            let (left, right) = (self::term(private, left), self::term(private, right));
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
