//! `operator!`: a struct of what is captured, and the function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::{again, quiet};
use crate::parse::{Operator, Operators};
use crate::report::Report;
use crate::validate;

/// The structs with their implementations, or the errors.
pub(crate) fn operator(tokens: TokenStream) -> TokenStream {
    let Operators { root, operators } = match syn::parse2(tokens) {
        Ok(operators) => operators,
        Err(error) => return error.into_compile_error(),
    };
    let mut report = Report::default();
    for operator in &operators {
        validate::operator(operator, &mut report);
    }
    let operators = operators.iter().map(|operator| self::made(&root, operator));
    match report.is_empty() {
        true => quote!(#(#operators)*),
        false => report.into_tokens(),
    }
}

fn made(root: &TokenStream, operator: &Operator) -> TokenStream {
    let Operator { attributes, visibility, name, fields, generics, arguments, output, body } = operator;
    let private = quote!(#root::__private);
    let this = again(name);
    let (declared, _, bounds) = generics.split_for_impl();
    let (patterns, types): (Vec<_>, Vec<_>) = arguments.iter().map(|(pat, ty)| (pat, ty)).unzip();
    let members: Vec<_> = fields.iter().filter_map(|field| field.ident.as_ref()).collect();
    let given = Ident::new("given", Span::mixed_site());
    let braces = (!fields.is_empty()).then(|| quote!({ #(#fields),* }));
    let end = fields.is_empty().then(|| quote!(;));
    // The lints: the struct is what the user's closure would be, and a captured value need not be used.
    let item = quote_spanned! {quiet(name.span())=>
        #[derive(
            #private::core::clone::Clone,
            #private::core::marker::Copy,
            #private::core::fmt::Debug,
            #private::KernelArgDerive
        )]
        #[repr(C)]
        #[kernel_arg(crate = #root)]
    };
    quote! {
        #(#attributes)*
        #item
        #visibility struct #name #braces #end

        impl #declared #private::Operator<(#(#types,)*)> for #this #bounds {
            type Output = #output;

            #[inline]
            #[allow(unused_braces, unused_variables)]
            fn call(&self, #given: (#(#types,)*)) -> #output {
                let Self { #(#members),* } = *self;
                // Behind what is captured: an argument's name comes first, as a closure's does.
                let (#(#patterns,)*) = #given;
                #body
            }
        }
    }
}
