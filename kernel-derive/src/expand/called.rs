//! A function by the kernel's name, so that its call is refused in words about kernels. A function, and not a constant: `let saxpy =
//! saxpy::load(…)` still binds a variable. And by a glob import, which yields to anything of that name that the user has.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;

use super::{again, local, quiet};
use crate::model::Kernel;

/// The function; none for a generic kernel, whose calls may name its instance, none where a module couldn't name the library, and
/// none where a `cfg_attr` may leave the kernel out.
pub(super) fn called(kernel: &Kernel) -> Option<TokenStream> {
    let root = &kernel.root;
    let is_everywhere = root.leading_colon.is_some() || root.segments.first()?.ident == "crate";
    let may_be_left_out =
        kernel.attributes.block.iter().any(|attribute| attribute.path().is_ident("cfg_attr"));
    if !kernel.generics.is_empty() || !is_everywhere || may_be_left_out {
        return None;
    }
    let private = kernel.private();
    let this = again(&kernel.name);
    // Of any types, so that what is wrong with the kernel's own is told once.
    let (types, given): (Vec<_>, Vec<_>) = (0..kernel.signature.inputs.len())
        .map(|i| (format_ident!("__Given{i}", span = Span::call_site()), local("given", i)))
        .unzip();
    let module = format_ident!("__{}_called", this.unraw(), span = quiet(this.span()));
    // Of any lifetime, so that nobody sees that it never holds before the function is called.
    let function = quote_spanned! {this.span()=>
        pub fn #this<#(#types),*>(#(#given: #types),*)
        where
            for<'__called> &'__called (): #private::Called,
        {}
    };
    let visibility = &kernel.visibility;
    // What else there is would be a lint that means nothing here.
    let cfg: Vec<_> = kernel.attributes.cfg().collect();
    let host = super::signature::host();
    Some(quote! {
        #(#cfg)*
        #[cfg(#host)]
        #[doc(hidden)]
        #[allow(non_snake_case)]
        mod #module {
            #[allow(
                clippy::all,
                clippy::pedantic,
                clippy::missing_docs_in_private_items,
                dead_code,
                non_snake_case,
                unreachable_pub,
                unused_variables
            )]
            #[doc(hidden)]
            #function
        }
        #(#cfg)*
        #[cfg(#host)]
        #[doc(hidden)]
        #[allow(clippy::wildcard_imports, hidden_glob_reexports, unused_imports, unreachable_pub)]
        #visibility use #module::*;
    })
}
