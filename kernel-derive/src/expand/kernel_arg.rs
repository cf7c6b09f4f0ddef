//! The traits of an argument struct, and the checks that they rest on.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::messages;
use crate::model::KernelArg;

/// The checks and the implementations.
pub(super) fn kernel_arg(kernel_arg: &KernelArg) -> TokenStream {
    let name = &kernel_arg.name;
    let fields: Vec<_> = kernel_arg.fields.iter().map(|(_, ty)| ty).collect();
    let padding = messages::padding(name);
    let no_bytes = messages::no_bytes(name);
    let alignment = messages::alignment(name);
    let private = kernel_arg.private();
    // Errors of the asserts underline the struct's name.
    let asserts = quote_spanned! {super::quiet(name.span())=>
        const _: () = ::core::assert!(
            ::core::mem::size_of::<#name>() == 0 #(+ ::core::mem::size_of::<#fields>())*,
            #padding
        );
        const _: () = ::core::assert!(::core::mem::size_of::<#name>() > 0, #no_bytes);
        const _: () = ::core::assert!(::core::mem::align_of::<#name>() <= #private::MOST_ALIGNMENT, #alignment);
    };
    let implementations = implementations(kernel_arg);
    quote! {
        const _: () = {
            #asserts
            #implementations
        };
    }
}

/// The implementations without the checks.
pub(super) fn implementations(kernel_arg: &KernelArg) -> TokenStream {
    let private = kernel_arg.private();
    let name = super::again(&kernel_arg.name);
    let pod = (!kernel_arg.is_pod).then(|| {
        quote! {
            // SAFETY: each field is a kernel argument, of which any bytes are a value.
            unsafe impl #private::bytemuck::Zeroable for #name {}
            // SAFETY: the order of the fields is fixed, there is no padding, and each field is `Pod`.
            unsafe impl #private::bytemuck::Pod for #name {}
        }
    });
    let fields = kernel_arg.fields.iter().map(
        |(member, ty)| quote!(.field(::core::mem::offset_of!(#name, #member), #private::Layout::of::<#ty>())),
    );
    quote! {
        #pod
        // SAFETY: `repr(C)`, with bytes, aligned to no more than is allowed; the layout is made of the fields' own.
        unsafe impl #private::KernelArg for #name {
            const LAYOUT: #private::Layout =
                #private::Layout::structure(::core::mem::size_of::<#name>(), ::core::mem::align_of::<#name>())
                #(#fields)*;
        }
        // SAFETY: a struct isn't an array.
        unsafe impl #private::ArrayElement for #name {}
    }
}
