//! The type that stands for a kernel, and its `load`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

use super::{again, quiet, respanned};
use crate::messages;
use crate::model::{Generic, Kernel};

/// The struct. It has braces, so that `let saxpy = saxpy::load(..)` still binds a variable.
pub(super) fn item(kernel: &Kernel) -> TokenStream {
    let attributes = &kernel.attributes.item;
    let (visibility, name) = (&kernel.visibility, &kernel.name);
    let declared = declared(kernel);
    let private = kernel.private();
    let types: Vec<_> = kernel.types().map(again).collect();
    let field = (!types.is_empty()).then(|| {
        quote! {
            #[doc(hidden)]
            __types: #private::core::marker::PhantomData<fn() -> (#(#types,)*)>,
        }
    });
    // On the function's name: an error about the type underlines where it was written.
    let item = quote_spanned! {name.span()=>
        #visibility struct #name #declared { #field }
    };
    quote! {
        #(#attributes)*
        #[allow(non_camel_case_types, missing_debug_implementations)]
        #item
    }
}

/// `load`, which for a generic kernel is there for the instances only.
pub(super) fn load(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let visibility = respanned(kernel.visibility.to_token_stream(), &|token| quiet(token.span()));
    let name = again(&kernel.name);
    let declared = declared(kernel);
    let named = named(kernel);
    let docs = messages::LOAD_DOCS;
    let (loaded, load) = if kernel.is_unsafe() {
        (quote!(UnsafeKernel), quote!(load_unsafe))
    } else {
        (quote!(Kernel), quote!(load))
    };
    quote! {
        impl #declared #name #named {
            #(#[doc = #docs])*
            #visibility fn load(
                device: &#private::Device,
            ) -> #private::core::result::Result<#private::#loaded<Self>, #private::Error>
            where
                Self: #private::Signature,
            {
                #private::#load::<Self>(device)
            }
        }
    }
}

/// The generic parameters without bounds: `<T, const N: usize>`.
pub(super) fn declared(kernel: &Kernel) -> Option<TokenStream> {
    let parameters = kernel.generics.iter().map(|generic| match generic {
        Generic::Type(name) => again(name).into_token_stream(),
        Generic::Const(name, ty) => {
            let name = again(name);
            quote!(const #name: #ty)
        }
    });
    (!kernel.generics.is_empty()).then(|| quote!(<#(#parameters),*>))
}

/// The generic parameters' names: `<T, N>`.
pub(super) fn named(kernel: &Kernel) -> Option<TokenStream> {
    let names = kernel.generics.iter().map(|generic| again(generic.name()));
    (!kernel.generics.is_empty()).then(|| quote!(<#(#names),*>))
}
