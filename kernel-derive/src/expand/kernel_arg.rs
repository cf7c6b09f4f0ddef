//! The traits of an argument struct, and the checks that they rest on.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::messages;
use crate::model::KernelArg;

/// The checks and the implementations.
pub(super) fn kernel_arg(kernel_arg: &KernelArg) -> TokenStream {
    let name = &kernel_arg.name;
    let fields: Vec<_> = kernel_arg.fields.iter().map(|(_, ty)| ty).collect();
    let padding = messages::padding(name);
    let alignment = messages::alignment(name);
    let private = kernel_arg.private();
    // Errors of the asserts underline the struct's name.
    let private = super::path_at(&private, name.span());
    let asserts = quote_spanned! {super::quiet(name.span())=>
        const _: () = #private::core::assert!(
            #private::core::mem::size_of::<#name>() == 0 #(+ #private::core::mem::size_of::<#fields>())*,
            #padding
        );
        const _: () = #private::core::assert!(#private::core::mem::align_of::<#name>() <= #private::MOST_ALIGNMENT, #alignment);
    };
    let implementations = implementations(kernel_arg);
    let fields = self::fields(kernel_arg);
    quote! {
        const _: () = {
            #asserts
            #fields
            #implementations
        };
    }
}

/// A test that the struct has the fields that were looked at, and no others: an attribute behind the derive may have changed it.
fn fields(kernel_arg: &KernelArg) -> TokenStream {
    let private = kernel_arg.private();
    let name = super::again(&kernel_arg.name);
    let locals: Vec<_> = (0..kernel_arg.fields.len()).map(|i| super::local("field", i)).collect();
    let members = kernel_arg.fields.iter().map(|(member, _)| member);
    let same = locals.iter().zip(&kernel_arg.fields).map(|(local, (_, ty))| {
        let span = super::quiet(ty.span());
        let private = super::path_at(&private, ty.span());
        quote_spanned! {span=>
            #private::field::<#ty, _>(#local);
        }
    });
    quote! {
        #[allow(dead_code)]
        fn __fields(__struct: &#name) {
            let #name { #(#members: #locals),* } = __struct;
            #(#same)*
        }
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
    let start = quote! {
        #private::Layout::structure(#private::core::mem::size_of::<#name>(), #private::core::mem::align_of::<#name>())
    };
    let layout = kernel_arg.fields.iter().fold(start, |before, (member, ty)| {
        let offset = quote!(#private::core::mem::offset_of!(#name, #member));
        quote!(#private::Layout::field(#before, #offset, #private::Layout::of::<#ty>()))
    });
    quote! {
        #pod
        // SAFETY: `repr(C)` or no fields, aligned to no more than is allowed; the layout is made of the fields' own.
        unsafe impl #private::KernelArg for #name {
            const LAYOUT: #private::Layout = #layout;
        }
        // SAFETY: a struct isn't an array.
        unsafe impl #private::ArrayElement for #name {}
    }
}
