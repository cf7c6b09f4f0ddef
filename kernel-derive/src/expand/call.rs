//! The call of a kernel's body, as a function of its own for each instance.
//!
//! Its signature is the user's, and it calls the body where nothing is unsafe. So an attribute that rewrites the body, and makes
//! it unsafe or lets it keep what it is lent, is refused; and the `unsafe` block that makes the parameters has nothing of the
//! user's in it, such as an instance's arguments.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{FnArg, GenericParam, Pat, PatIdent, Safety, Signature, WherePredicate};

use super::signature::Use;
use super::{group, local};
use crate::model::Kernel;

/// The function's name.
pub(super) fn name() -> Ident {
    Ident::new("__call", Span::call_site())
}

/// The function.
pub(super) fn call(kernel: &Kernel, instance: &Use) -> TokenStream {
    let private = kernel.private();
    let mut signature = kernel.signature.clone();
    signature.ident = name();
    // An instance's types and constants are aliases.
    let lifetimes = signature.generics.params.into_iter();
    signature.generics.params =
        lifetimes.filter(|parameter| matches!(parameter, GenericParam::Lifetime(_))).collect();
    if let Some(clause) = signature.generics.where_clause.take() {
        let mut clause = clause;
        let predicates = clause.predicates.into_iter();
        clause.predicates =
            predicates.filter(|predicate| matches!(predicate, WherePredicate::Lifetime(_))).collect();
        signature.generics.where_clause = Some(clause);
    }
    let values = named(&mut signature);
    group::shape(&private, &mut signature, &kernel.level);
    let body = &instance.body;
    let call = quote!(let () = #body(#(#values),*););
    let call = match signature.safety {
        // SAFETY: the caller answers for what the kernel asks.
        Safety::Unsafe(_) => quote!(unsafe { #call }),
        _ => call,
    };
    quote! {
        #[inline(always)]
        #[allow(
            clippy::inline_always,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            elided_lifetimes_in_paths
        )]
        #signature {
            #call
        }
    }
}

/// Gives the parameters names of the macro's.
fn named(signature: &mut Signature) -> Vec<Ident> {
    let mut names = Vec::new();
    for (i, input) in signature.inputs.iter_mut().enumerate() {
        if let FnArg::Typed(parameter) = input {
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
