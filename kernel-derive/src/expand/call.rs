//! The call of a kernel's body, as a function of its own for each instance.
//!
//! Its signature is the user's, but for lifetimes: one of the first parameter, one of all others, of which nothing is known but that what is lent
//! is there as long as the level. And it calls the body where nothing is unsafe. So a body that wants to keep what it is lent is refused on
//! every target, and so is an attribute that rewrites the body or makes it unsafe; and the `unsafe` block that makes the parameters has
//! nothing of the user's in it, such as an instance's arguments.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{FnArg, Pat, PatIdent, Safety, Signature};

use super::signature::Use;
use super::{group, lifetimes, local};
use crate::model::{Kernel, Level};

/// The function's name.
pub(super) fn name() -> Ident {
    Ident::new("__call", Span::call_site())
}

/// The function.
pub(super) fn call(kernel: &Kernel, instance: &Use) -> TokenStream {
    function(name(), &TokenStream::new(), kernel, instance)
}

/// The function with a name and a visibility.
pub(super) fn function(
    name: Ident,
    visibility: &TokenStream,
    kernel: &Kernel,
    instance: &Use,
) -> TokenStream {
    let private = kernel.private();
    let mut signature = kernel.signature.clone();
    signature.ident = name;
    // An instance's types and constants are aliases.
    signature.generics = match kernel.level {
        // Its threads are there before what they are lent.
        Level::UnsafeThread => syn::parse_quote!(<'__level, '__lent>),
        _ => syn::parse_quote!(<'__level, '__lent: '__level>),
    };
    let values = named(&mut signature);
    group::shape(&private, &mut signature, &kernel.level);
    let body = &instance.body;
    let call = quote!(let () = #body(#(#values),*););
    let call = match signature.safety {
        // SAFETY: the caller answers for what the kernel asks.
        Safety::Unsafe(_) => quote!(unsafe { #call }),
        _ => call,
    };
    // On a host whose CPU doesn't run the kernel nobody calls it.
    let allow = (!kernel.has_cpu_code).then(|| quote!(#[allow(dead_code)]));
    quote! {
        #allow
        #[inline(always)]
        #[allow(
            clippy::extra_unused_lifetimes,
            clippy::inline_always,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            elided_lifetimes_in_paths
        )]
        #visibility #signature {
            #call
        }
    }
}

/// Gives the parameters names and lifetimes of the macro's.
fn named(signature: &mut Signature) -> Vec<Ident> {
    let mut names = Vec::new();
    for (i, input) in signature.inputs.iter_mut().enumerate() {
        if let FnArg::Typed(parameter) = input {
            lifetimes::replace(&mut parameter.ty, if i == 0 { "'__level" } else { "'__lent" });
            let name = local("given", i);
            parameter.attrs.clear();
            *parameter.pat = Pat::Ident(PatIdent {
                attrs: Vec::new(),
                by_ref: None,
                mutability: None,
                ident: name.clone(),
                subpat: None,
            });
            names.push(name);
        }
    }
    names
}
