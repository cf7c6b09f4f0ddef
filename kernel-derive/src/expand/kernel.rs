//! All of a kernel: its type, `load`, the body, and a signature for each instance.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;

use super::{body, called, group, instances, item, lifetimes, open, signature, symbol};
use crate::model::Kernel;

/// The code that stands in place of the function.
pub(super) fn kernel(kernel: &Kernel) -> TokenStream {
    let item = item::item(kernel);
    let block = &kernel.attributes.block;
    let cfg = kernel.attributes.cfg();
    let body = body(kernel);
    let load = item::load(kernel);
    let signatures = if kernel.generics.is_empty() {
        signature::signature(kernel, &signature::Use::plain(kernel))
    } else {
        instances::instances(kernel)
    };
    let symbol = symbol::symbol(&kernel.private(), &kernel.name);
    let host = signature::host();
    let called = called::called(kernel);
    let (carrier, open) = match kernel.generics.is_empty() {
        true => (None, None),
        false if kernel.is_open => {
            let (carrier, open) = open::open(kernel);
            (Some(carrier), Some(open))
        }
        false => (Some(open::closed(kernel)), None),
    };
    let private = kernel.private();
    let names = kernel.origin.as_ref().map(|origin| {
        let names = &origin.names;
        quote!(use #private as __gridwright; #names)
    });
    quote! {
        #item
        #called
        #(#cfg)*
        #carrier

        #(#block)*
        #[allow(unexpected_cfgs)] // those of entries, in a crate without our build script
        const _: () = {
            #names
            #body
            #open
            #[cfg(#host)]
            #load
            #signatures
            #[cfg(#host)]
            #symbol
        };
    }
}

/// The user's function under a name that nobody else calls.
fn body(kernel: &Kernel) -> TokenStream {
    let mut signature = kernel.signature.clone();
    signature.ident = Ident::new("__body", Span::call_site());
    lifetimes::share_memory(&mut signature);
    group::shape(&kernel.private(), &mut signature, &kernel.level);
    let attributes = &kernel.attributes.body;
    let body = body::body(kernel);
    // The lints: a launch passes what a call never would.
    quote! {
        #(#attributes)*
        #[inline(always)]
        #[allow(
            clippy::inline_always,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            elided_lifetimes_in_paths
        )]
        #signature #body
    }
}
