//! What stands in for an item with errors, so that the code that uses it has none of its own.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use super::{again, item};
use crate::model::{Kernel, KernelArg};

/// A kernel that takes whatever it is launched with and does nothing. With a `self` it stands in an
/// `impl`, where no type can.
pub(super) fn kernel(kernel: &Kernel) -> TokenStream {
    if kernel.signature.receiver().is_some() {
        return TokenStream::new();
    }
    let private = kernel.private();
    let item = item::item(kernel);
    let load = item::load(kernel);
    let block = &kernel.attributes.block;
    let this = again(&kernel.name);
    let (declared, named) = (item::declared(kernel), item::named(kernel));
    let types = kernel.types();
    let name = kernel.name.unraw().to_string();
    let arguments = Ident::new("_arguments", Span::mixed_site());
    quote! {
        #item

        #(#block)*
        const _: () = {
            #load

            // SAFETY: `run` touches nothing, and the crate doesn't compile.
            unsafe impl #declared #private::Signature for #this #named
            where
                #(#types: 'static,)*
            {
                type Params = #private::Refused;
                const NAME: &'static str = #name;
                const PARAMETERS: &'static [&'static str] = &[];
                const INDEX: #private::IndexWidth = #private::IndexWidth::Bits32;
                const ENTRY: &'static str = #name;
                const IMAGES: &'static #private::Images =
                    &#private::Images { missing: "", images: &[] };
                fn require(
                    #arguments: &#private::Raw<Self>,
                ) -> ::core::result::Result<(), &'static str> {
                    ::core::result::Result::Ok(())
                }
                unsafe fn run<__Shape: #private::Shape>(
                    _: __Shape,
                    _: &#private::Chunk,
                    _: &#private::Raw<Self>,
                ) {
                }
            }
        };
    }
}

/// The traits of an argument, where nothing in the struct could contradict them.
pub(super) fn kernel_arg(kernel_arg: &KernelArg) -> TokenStream {
    if kernel_arg.is_sound { super::kernel_arg::implementations(kernel_arg) } else { TokenStream::new() }
}
