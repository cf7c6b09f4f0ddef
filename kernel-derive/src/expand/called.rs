//! A function by the kernel's name, so that its call is refused in words about kernels. A function, and not a constant: `let saxpy =
//! saxpy::load(…)` still binds a variable.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::{again, local};
use crate::model::Kernel;

/// The function; none for a generic kernel, whose calls may name its instance, and none for an unsafe one, which would be declared so
/// where a crate forbids that.
pub(super) fn called(kernel: &Kernel) -> Option<TokenStream> {
    if !kernel.generics.is_empty() || kernel.is_unsafe() {
        return None;
    }
    let private = kernel.private();
    let this = again(&kernel.name);
    // Of any types, so that what is wrong with the kernel's own is told once.
    let (types, given): (Vec<_>, Vec<_>) = (0..kernel.signature.inputs.len())
        .map(|i| (format_ident!("__Given{i}", span = Span::call_site()), local("given", i)))
        .unzip();
    // Of any lifetime, so that nobody sees that it never holds before the function is called.
    let function = quote_spanned! {this.span()=>
        fn #this<#(#types),*>(#(#given: #types),*)
        where
            for<'__called> &'__called #this: #private::Called,
        {}
    };
    let visibility = &kernel.visibility;
    let host = super::signature::host();
    Some(quote! {
        #[cfg(#host)]
        #[doc(hidden)]
        #[allow(
            clippy::all,
            clippy::pedantic,
            clippy::missing_docs_in_private_items,
            dead_code,
            non_snake_case,
            unreachable_pub,
            unused_variables,
        )]
        #visibility #function
    })
}
